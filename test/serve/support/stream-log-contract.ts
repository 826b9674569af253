import { from, type JsonPatch, type JsonValue } from "millrace";
import { applyPatch } from "millrace/json";
import { type LogWriter, type PatchEntry, type StreamLog, toEventStream } from "millrace/serve";
import { fixedSizes, spySource } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { turn } from "../../client/support.js";
import { deferred } from "../../models/support/deferred.js";
import { parserOf } from "../../support/parser-of.js";

export const document = { title: "Tea", steps: ["boil", "pour", "wait"], __proto: { n: [1, [2]] } };
export const patches: readonly JsonPatch[] = patchesOf(JSON.stringify(document));
export const complete = { type: "done", reason: "complete" } as const;

function patchesOf(text: string): JsonPatch[] {
  const parser = parserOf({ append: true });
  return [...fixedSizes(text, [3])].flat().map((chunk) => {
    parser.write(chunk);
    return parser.takePatch();
  });
}

/** A run with its first `count` patches. */
export async function filled(log: StreamLog, id: string, count: number = patches.length): Promise<LogWriter> {
  const writer = await log.create(id);
  for (const patch of patches.slice(0, count)) await writer.append(patch);
  return writer;
}

/** Reads to the end: the value, the ids of the events, and the last event. */
export async function readAll(entries: AsyncIterable<PatchEntry>, before?: JsonValue): Promise<Read> {
  let value: JsonValue | undefined = before;
  const ids: string[] = [];
  for await (const entry of entries) {
    if (entry.type !== "patch") return { value, ids, end: entry };
    value = applyPatch(value, entry.patch);
    ids.push(entry.id);
  }
  return { value, ids, end: undefined };
}

export interface Read {
  readonly value: JsonValue | undefined;
  readonly ids: readonly string[];
  readonly end: PatchEntry | undefined;
}

export interface ContractOptions {
  readonly ttl?: number;
  readonly maxRuns?: number;
  readonly window?: number;
  readonly createToken?: () => string;
}

/**
 * Tests for every `StreamLog`.
 *
 * @param newLog makes an empty log that no other test uses
 */
export function streamLogContract(newLog: (options?: ContractOptions) => StreamLog): void {
  const options: ContractOptions = { createToken: () => "t" };

  describe("a run", () => {
    // G-wire-3
    test("can be read from any event on, always up to the whole value", async () => {
      const log = newLog(options);
      await (await filled(log, "run")).end(complete);
      let value: JsonValue | undefined;
      for (const [index, patch] of patches.entries()) {
        value = applyPatch(value, patch);
        const read = await readAll(log.read("run", `${index + 1}-t`), value);
        expect(read.value).toEqual(document);
        expect(read.ids).toEqual(patches.slice(index + 1).map((_, i) => `${index + i + 2}-t`));
        expect(read.end).toEqual(complete);
      }
    });

    test("sends a late reader the value so far, then patches", async () => {
      const log = newLog(options);
      for (const [count] of patches.entries()) {
        const id = `run ${count}`;
        const writer = await filled(log, id, count);
        const reader = log.read(id)[Symbol.asyncIterator]();
        // Before the first patch, nothing shows that the reader is connected. Afterwards, its first event does.
        const first = reader.next();
        await (count > 0 ? first : turn());
        for (const patch of patches.slice(count)) await writer.append(patch);
        await writer.end(complete);
        const { value, ids } = await readAll(startingWith(await first, reader));
        expect(value).toEqual(document);
        const last = ids.at(-1);
        expect(last).toBe(`${patches.length}-t`);
        if (count > 0) expect(ids).toEqual(patches.slice(count - 1).map((_, i) => `${count + i}-t`));
      }
    });

    test("sends its first reader every patch as it arrives", async () => {
      const log = newLog();
      const writer = await log.create("run");
      const read = log.read("run")[Symbol.asyncIterator]();
      for (const patch of patches) {
        const next = read.next();
        await writer.append(patch);
        expect((await next).value).toMatchObject({ type: "patch", patch });
      }
      await read.return?.();
    });

    test("keeps the order of patches that are appended without waiting", async () => {
      const log = newLog(options);
      const writer = await log.create("run");
      await Promise.all([...patches.map((patch) => writer.append(patch)), writer.end(complete)]);
      expect(await readAll(log.read("run"))).toMatchObject({ value: document, end: complete });
      const ids = patches.slice(1).map((_, i) => `${i + 2}-t`);
      expect((await readAll(log.read("run", "1-t"), applyPatch(null, patches[0]!))).ids).toEqual(ids);
    });

    // G-wire-3
    test("restarts with the whole value for an id that is not one of its events", async () => {
      const log = newLog(options);
      await (await filled(log, "run")).end(complete);
      const strange = [
        "",
        "x",
        "-1-t",
        "1",
        "1-other",
        "999-t",
        "1.5-t",
        "1e0-t",
        "99999999999999999999-t",
        " 1-t",
      ];
      for (const after of strange) {
        const { value, ids } = await readAll(log.read("run", after), "a wrong state");
        expect(value).toEqual(document);
        expect(ids, after).toEqual([`${patches.length}-t`]);
      }
    });

    // G-wire-3
    test("restarts for an id of an earlier run with the same name", async () => {
      let runs = 0;
      const log = newLog({ createToken: () => `t${++runs}` });
      await (await filled(log, "run", 2)).end(complete);
      await log.expire("run");
      await (await filled(log, "run")).end(complete);
      expect((await readAll(log.read("run", "1-t1"), "a wrong state")).value).toEqual(document);
    });

    // G-wire-3
    test("keeps the last patches, and sends the whole value to a reader that is further behind", async () => {
      const log = newLog({ ...options, window: 3 });
      const slow = log.read("run")[Symbol.asyncIterator]();
      const writer = await log.create("run");
      await writer.append(patches[0]!);
      let state = applyPatch(null, ((await slow.next()).value as { patch: JsonPatch }).patch);
      for (const patch of patches.slice(1)) await writer.append(patch);
      await writer.end(complete);
      const rest = await readAll({ [Symbol.asyncIterator]: () => slow }, state);
      expect(rest.value).toEqual(document);
      expect(rest.ids).toEqual([`${patches.length}-t`]);
      state = patches.slice(0, -3).reduce<JsonValue>((value, patch) => applyPatch(value, patch), null);
      expect((await readAll(log.read("run", `${patches.length - 3}-t`), state)).ids).toHaveLength(3);
      // For any event, the reader gets exactly the rest or the whole value.
      let value: JsonValue | undefined;
      for (const [index, patch] of patches.entries()) {
        value = applyPatch(value, patch);
        expect((await readAll(log.read("run", `${index + 1}-t`), value)).value).toEqual(document);
      }
    });

    test("without patches, or only with empty ones, ends for all its readers", async () => {
      const log = newLog();
      const writer = await log.create("run");
      const early = readAll(log.read("run"));
      await writer.append([]);
      await writer.end(complete);
      for (const read of [await early, await readAll(log.read("run"))])
        expect(read).toMatchObject({ value: undefined, end: complete });
    });

    test("with an id that exists is rejected, and the existing run is unaffected", async () => {
      const log = newLog();
      const writer = await log.create("run");
      await expect(log.create("run")).rejects.toMatchObject({ code: "id_taken" });
      expect(writer.signal.aborted).toBe(false);
      await writer.end(complete);
      await expect(log.create("run")).rejects.toMatchObject({ code: "id_taken" });
    });

    test("has a status from its beginning on, until it is removed", async () => {
      const log = newLog();
      expect(await log.status("run")).toBe("unknown");
      const writer = await filled(log, "run");
      expect(await log.status("run")).toBe("active");
      await writer.end(complete);
      expect(await log.status("run")).toBe("complete");
      await log.expire("run");
      expect(await log.status("run")).toBe("unknown");
      await (await log.create("failed")).end({ type: "error", code: "run_failed", message: "" });
      await log.create("stopped");
      await log.stop("stopped");
      expect([await log.status("failed"), await log.status("stopped")]).toEqual(["failed", "stopped"]);
    });

    test("is evicted for a new run only after its end", async () => {
      const log = newLog({ maxRuns: 2 });
      const [a, b] = [await log.create("a"), await log.create("b")];
      await expect(log.create("c")).rejects.toMatchObject({ code: "too_many_runs" });
      await b.end(complete);
      await log.create("c");
      await a.append(patches[0]!);
      await a.end(complete);
      expect((await readAll(log.read("a"))).end).toEqual(complete);
      await expect(readAll(log.read("b"))).rejects.toMatchObject({ code: "unknown_run" });
    });

    test("that is expired early is aborted, and its readers get the error expired", async () => {
      const log = newLog();
      const writer = await filled(log, "run", 1);
      const reader = log.read("run")[Symbol.asyncIterator]();
      await reader.next();
      const read = readAll({ [Symbol.asyncIterator]: () => reader });
      expect(await log.expire("run")).toBe(true);
      expect((await read).end).toMatchObject({ type: "error", code: "expired" });
      expect(writer.signal.aborted).toBe(true);
      await writer.append(patches[1]!);
      await writer.end(complete);
      expect([await log.expire("run"), await log.stop("run")]).toEqual([false, false]);
      await expect(readAll(log.read("run"))).rejects.toMatchObject({ code: "unknown_run" });
    });

    test("continues when a waiting reader leaves", async () => {
      const log = newLog();
      const writer = await filled(log, "run", 1);
      const reader = log.read("run")[Symbol.asyncIterator]();
      await reader.next();
      const waiting = reader.next();
      await reader.return?.();
      expect(await waiting).toMatchObject({ done: true });
      expect(writer.signal.aborted).toBe(false);
      await writer.end(complete);
      expect((await readAll(log.read("run"))).end).toEqual(complete);
    });
  });

  describe("a run that is taken over", () => {
    test("continues for its readers, and the writer before can write nothing more", async () => {
      const log = newLog(options);
      const half = patches.length / 2;
      const first = await log.takeOver("run");
      expect(first).toMatchObject({ value: undefined, ended: undefined, origin: "0-t" });
      for (const patch of patches.slice(0, half)) await first.append(patch);
      const reader = log.read("run", first.origin)[Symbol.asyncIterator]();
      let value: JsonValue | undefined;
      const ids: string[] = [];
      for (let i = 0; i < half; i++) {
        const entry = (await reader.next()).value as { readonly id: string; readonly patch: JsonPatch };
        value = applyPatch(value, entry.patch);
        ids.push(entry.id);
      }
      const second = await log.takeOver("run");
      expect(second).toMatchObject({ value, ended: undefined, origin: first.origin });
      // As if it had slept since.
      await expect(first.append(patches[0]!)).rejects.toMatchObject({ code: "taken_over" });
      expect(first.signal.reason).toMatchObject({ code: "taken_over" });
      for (const patch of patches.slice(half)) await second.append(patch);
      await first.end({ type: "error", code: "late", message: "" }).catch(() => undefined);
      await second.end(complete);
      const rest = await readAll({ [Symbol.asyncIterator]: () => reader }, value);
      expect(rest).toMatchObject({ value: document, end: complete });
      expect([...ids, ...rest.ids]).toEqual(patches.map((_, i) => `${i + 1}-t`));
      expect(second.signal.aborted).toBe(false);
    });

    test("has the value of all its patches, also of those that are no longer kept", async () => {
      const log = newLog({ ...options, window: 3 });
      for (const [index, patch] of patches.entries()) {
        const writer = await log.takeOver("run");
        const state = patches
          .slice(0, index)
          .reduce<JsonValue | undefined>((value, it) => applyPatch(value, it), undefined);
        expect(writer.value).toEqual(state);
        await writer.append(patch);
      }
      await (await log.takeOver("run")).end(complete);
      expect(await readAll(log.read("run"))).toMatchObject({ value: document, end: complete });
    });

    test("continues one that create() began", async () => {
      const log = newLog();
      const first = await filled(log, "run", 4);
      const second = await log.takeOver("run");
      await expect(first.append(patches[4]!)).rejects.toMatchObject({ code: "taken_over" });
      for (const patch of patches.slice(4)) await second.append(patch);
      await second.end(complete);
      expect((await readAll(log.read("run"))).value).toEqual(document);
    });

    test("after its end says how it ended", async () => {
      const log = newLog();
      await (await filled(log, "run")).end(complete);
      expect(await log.takeOver("run")).toMatchObject({ value: document, ended: complete });
      expect(await readAll(log.read("run"))).toMatchObject({ value: document, end: complete });
    });

    test("is stopped by stop(), which aborts its latest writer", async () => {
      const log = newLog();
      await log.takeOver("run");
      const writer = await log.takeOver("run");
      expect(await log.stop("run")).toBe(true);
      await expect.poll(() => writer.signal.aborted).toBe(true);
      expect((await log.takeOver("run")).ended).toEqual({ type: "done", reason: "stopped" });
    });

    test("stays stopped until its next writer knows, beyond the ttl", async () => {
      const log = newLog({ ...options, ttl: 100 });
      const writer = await log.takeOver("run");
      await writer.append(patches[0]!);
      writer.leave?.();
      expect(await log.stop("run")).toBe(true);
      await new Promise((resolve) => {
        setTimeout(resolve, 200);
      });
      expect((await readAll(log.read("run"))).end).toMatchObject({ reason: "stopped" });
      expect((await log.takeOver("run")).ended).toMatchObject({ reason: "stopped" });
    });

    test("and stopped makes room for a new run", async () => {
      const log = newLog({ maxRuns: 1 });
      (await log.takeOver("a")).leave?.();
      await log.stop("a");
      await log.create("b");
      expect(await log.status("a")).toBe("unknown");
    });

    test("is refused if the log is full of active runs", async () => {
      const log = newLog({ maxRuns: 1 });
      await log.create("a");
      await expect(log.takeOver("b")).rejects.toMatchObject({ code: "too_many_runs" });
    });
  });

  describe("a response", () => {
    const last = (text: string): string => text.trim().split("\n\n").at(-1)!;

    // G-wire-5
    test("that is cancelled does not stop the run, and another reader gets all of it", async () => {
      const log = newLog();
      const reader = toEventStream(from(patches), { log, id: "run" }).body!.getReader();
      await reader.read();
      await reader.read();
      await reader.cancel();
      const response = toEventStream(undefined, { log, id: "run", format: "json-patch" });
      expect(applyPatch(null, (await response.json()) as JsonPatch)).toEqual(document);
    });

    test("that starts a run has every patch, even if the run ends before it is read", async () => {
      const log = newLog();
      const { promise: over, resolve: end } = deferred();
      const waitUntil = (run: Promise<void>): void => void run.then(end);
      const response = toEventStream(from(patches), { log, id: "run", format: "ndjson", waitUntil });
      await over;
      const entries = (await response.text()).trim().split("\n");
      const read = entries.map((line) => JSON.parse(line) as { readonly patch?: JsonPatch });
      expect(read.flatMap(({ patch }) => (patch === undefined ? [] : [patch]))).toEqual(patches);
    });

    test("that is aborted is cut, and the run continues", async () => {
      const log = newLog();
      const { readable, writable } = new TransformStream<JsonPatch, JsonPatch>();
      const writer = writable.getWriter();
      const controller = new AbortController();
      const cut = toEventStream(from(readable), { log, id: "run", signal: controller.signal }).text();
      await writer.write(patches[0]);
      const other = toEventStream(undefined, { log, id: "run", format: "ndjson" });
      controller.abort(new Error("gone"));
      await expect(cut).rejects.toThrow("gone");
      await writer.close();
      expect(await other.text()).toContain('{"type":"done","reason":"complete"}');
    });

    // G-wire-5
    test("ends for all readers when the run is stopped, and the model is closed", async () => {
      const log = newLog();
      const { promise: begun, resolve: begin } = deferred();
      const source = spySource<JsonPatch>([patches[0]!], {
        then: "hang",
        pace: async () => {
          begin();
        },
      });
      const produced = toEventStream(source, { log, id: "run" }).text();
      await begun;
      const texts = [produced, toEventStream(undefined, { log, id: "run" }).text()];
      expect(await log.stop("run")).toBe(true);
      for (const text of await Promise.all(texts))
        expect(last(text)).toBe('event: done\ndata: {"reason":"stopped"}');
      expect(source.returns).toBe(1);
      expect(await log.stop("run")).toBe(false);
    });

    // G-wire-4
    test("of a second producer ends with id_taken, and its patches are never pulled", async () => {
      const log = newLog();
      let opened = 0;
      const counted: AsyncIterable<JsonPatch> = {
        [Symbol.asyncIterator]: () => {
          opened++;
          return from(patches)[Symbol.asyncIterator]();
        },
      };
      const texts = await Promise.all([1, 2].map(() => toEventStream(counted, { log, id: "run" }).text()));
      expect(texts.map((text) => /id_taken|complete/.exec(last(text))?.[0]).sort()).toEqual([
        "complete",
        "id_taken",
      ]);
      expect(opened).toBe(1);
    });

    test("of an unknown run or a failed one is the same error for all readers", async () => {
      const log = newLog();
      expect(await toEventStream(undefined, { log, id: "none" }).text()).toContain('"code":"unknown_run"');
      const failing = new ReadableStream<JsonPatch>({
        pull: (controller) => {
          controller.error(new Error("secret"));
        },
      });
      let kept: Promise<void> | undefined;
      const errors: unknown[] = [];
      const waitUntil = (run: Promise<void>): void => {
        kept = run;
      };
      const onError = (error: unknown): undefined => void errors.push(error);
      const text = await toEventStream(from(failing), { log, id: "run", waitUntil, onError }).text();
      await kept;
      expect(errors).toHaveLength(1);
      const again = await toEventStream(undefined, { log, id: "run" }).text();
      for (const one of [text, again])
        expect(last(one)).toMatch(/^event: error\ndata: \{"code":"run_failed","message":"[^"]+"\}$/);
    });

    test("ends for all readers if its source fails and onError does too", async () => {
      const log = newLog();
      const failing = new ReadableStream<JsonPatch>({ pull: (controller) => controller.error(null) });
      let kept: Promise<void> | undefined;
      const waitUntil = (run: Promise<void>): void => {
        kept = run;
      };
      const onError = (error: unknown): undefined => {
        console.error((error as Error).message);
      };
      const text = await toEventStream(from(failing), { log, id: "run", waitUntil, onError }).text();
      await kept;
      const again = await toEventStream(undefined, { log, id: "run" }).text();
      for (const one of [text, again]) expect(last(one)).toContain('"code":"run_failed"');
    });
  });
}

async function* startingWith(
  first: IteratorResult<PatchEntry>,
  rest: AsyncIterator<PatchEntry>,
): AsyncGenerator<PatchEntry, void, undefined> {
  for (let result = first; result.done !== true; result = await rest.next()) yield result.value;
}
