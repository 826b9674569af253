import { applyPatch, from, JsonParser, type JsonPatch, type JsonValue } from "millrace";
import {
  memoryLog,
  type MemoryLogOptions,
  type PatchEntry,
  type StreamLog,
  toEventStream,
} from "millrace/serve";
import { fixedSizes, manualClock } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { turn } from "../client/support.js";

const document = { title: "Tea", steps: ["boil", "pour", "wait"], __proto: { n: [1, [2]] } };
const patches: readonly JsonPatch[] = patchesOf(JSON.stringify(document));

function patchesOf(text: string): JsonPatch[] {
  const parser = new JsonParser({ append: true });
  return [...fixedSizes(text, [3])].flat().map((chunk) => {
    parser.write(chunk);
    return parser.takePatch();
  });
}

async function filled(log: StreamLog, id: string, count: number = patches.length) {
  const writer = await log.create(id);
  for (const patch of patches.slice(0, count)) await writer.append(patch);
  return writer;
}

/** What a reader has by the end, and the ids of the events. */
async function readAll(entries: AsyncIterable<PatchEntry>, before?: JsonValue) {
  let value: JsonValue | undefined = before;
  const ids: string[] = [];
  for await (const entry of entries) {
    if (entry.type !== "patch") return { value, ids, end: entry };
    value = applyPatch(value, entry.patch);
    ids.push(entry.id);
  }
  return { value, ids, end: undefined };
}

const complete = { type: "done", reason: "complete" } as const;
const options: MemoryLogOptions = { newToken: () => "t" };

describe("a run in memory", () => {
  test("is read from any event on, and the state is whole each time", async () => {
    const log = memoryLog(options);
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

  test("is given to those who come late as one value, and then as patches", async () => {
    const log = memoryLog(options);
    for (const [count] of patches.entries()) {
      const id = `run ${count}`;
      const writer = await filled(log, id, count);
      const read = readAll(log.read(id));
      await turn();
      for (const patch of patches.slice(count)) await writer.append(patch);
      await writer.end(complete);
      const { value, ids } = await read;
      expect(value).toEqual(document);
      expect(ids).toEqual(patches.slice(Math.max(0, count - 1)).map((_, i) => `${Math.max(1, count) + i}-t`));
    }
  });

  test("gives its first reader every patch as it comes", async () => {
    const log = memoryLog();
    const writer = await log.create("run");
    const read = log.read("run")[Symbol.asyncIterator]();
    for (const patch of patches) {
      const next = read.next();
      await writer.append(patch);
      expect((await next).value).toMatchObject({ type: "patch", patch });
    }
  });

  test.each(["", "x", "-1-t", "1", "1-other", "999-t", "1.5-t", "1e0-t", "99999999999999999999-t", " 1-t"])(
    "begins anew for who comes with the id %j",
    async (after) => {
      const log = memoryLog(options);
      await (await filled(log, "run")).end(complete);
      const { value, ids } = await readAll(log.read("run", after), "a wrong state");
      expect(value).toEqual(document);
      expect(ids).toEqual([`${patches.length}-t`]);
    },
  );

  test("begins anew for a reader of an earlier run of the same id", async () => {
    let runs = 0;
    const log = memoryLog({ newToken: () => `t${++runs}` });
    await (await filled(log, "run", 2)).end(complete);
    await log.expire("run");
    await (await filled(log, "run")).end(complete);
    expect((await readAll(log.read("run", "1-t1"), "a wrong state")).value).toEqual(document);
  });

  test("keeps a window of patches, and who is further behind gets the whole value", async () => {
    const log = memoryLog({ ...options, window: 3 });
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
  });

  test("is refused where there is one of its id, and not touched by that", async () => {
    const log = memoryLog();
    const writer = await log.create("run");
    await expect(log.create("run")).rejects.toMatchObject({ code: "id_taken" });
    expect(writer.signal.aborted).toBe(false);
    await writer.end(complete);
    await expect(log.create("run")).rejects.toMatchObject({ code: "id_taken" });
  });

  test("expires some time after its end, not before, and is then unknown", async () => {
    const clock = manualClock();
    const log = memoryLog({ ttl: 100, clock });
    const writer = await filled(log, "run");
    clock.advance(1_000);
    await writer.end(complete);
    clock.advance(99);
    expect((await readAll(log.read("run"))).value).toEqual(document);
    clock.advance(1);
    await expect(readAll(log.read("run"))).rejects.toMatchObject({ code: "unknown_run" });
    await log.create("run");
  });

  test("makes room for the next by letting go of the one that ended first, never of one that goes on", async () => {
    const log = memoryLog({ maxRuns: 2 });
    const [a, b] = [await log.create("a"), await log.create("b")];
    await expect(log.create("c")).rejects.toMatchObject({ code: "too_many_runs" });
    await b.end(complete);
    await log.create("c");
    await a.append(patches[0]!);
    await a.end(complete);
    expect((await readAll(log.read("a"))).end).toEqual(complete);
    await expect(readAll(log.read("b"))).rejects.toMatchObject({ code: "unknown_run" });
  });

  test("expires by hand: it is stopped, and its readers are told", async () => {
    const log = memoryLog();
    const writer = await filled(log, "run", 1);
    const read = readAll(log.read("run"));
    await turn();
    expect(await log.expire("run")).toBe(true);
    expect((await read).end).toMatchObject({ type: "error", code: "expired" });
    expect(writer.signal.aborted).toBe(true);
    await writer.append(patches[1]!);
    await writer.end(complete);
    expect([await log.expire("run"), await log.stop("run")]).toEqual([false, false]);
  });
});

describe("a response from a log", () => {
  const last = (text: string): string => text.trim().split("\n\n").at(-1)!;

  test("survives its reader: the run goes on, and another reads it all", async () => {
    const log = memoryLog();
    const reader = toEventStream(from(patches), { log, id: "run" }).body!.getReader();
    await reader.read();
    await reader.cancel();
    await turn();
    const response = toEventStream(undefined, { log, id: "run", format: "json-patch" });
    expect(applyPatch(null, (await response.json()) as JsonPatch)).toEqual(document);
  });

  test("goes on when the signal of one reader is aborted, who is cut without an end", async () => {
    const log = memoryLog();
    const { readable, writable } = new TransformStream<JsonPatch, JsonPatch>();
    const writer = writable.getWriter();
    const controller = new AbortController();
    const cut = toEventStream(from(readable), { log, id: "run", signal: controller.signal }).text();
    const other = toEventStream(undefined, { log, id: "run", format: "ndjson" });
    await writer.write(patches[0]);
    controller.abort(new Error("gone"));
    await expect(cut).rejects.toThrow("gone");
    await writer.close();
    expect(await other.text()).toContain('{"type":"done","reason":"complete"}');
  });

  test("ends for all when the run is stopped, and the model is closed", async () => {
    const log = memoryLog();
    let closed = false;
    const source = new ReadableStream<JsonPatch>({
      cancel: () => {
        closed = true;
      },
    });
    const texts = [from(source), undefined].map((it) => toEventStream(it, { log, id: "run" }).text());
    await turn();
    expect(await log.stop("run")).toBe(true);
    for (const text of await Promise.all(texts))
      expect(last(text)).toBe('event: done\ndata: {"reason":"stopped"}');
    expect(closed).toBe(true);
    expect(await log.stop("run")).toBe(false);
  });

  test("refuses a second producer, whose patches are never asked for", async () => {
    const log = memoryLog();
    let opened = 0;
    const counted: AsyncIterable<JsonPatch> = {
      [Symbol.asyncIterator]: () => {
        opened++;
        return from(patches)[Symbol.asyncIterator]();
      },
    };
    const one = toEventStream(counted, { log, id: "run" });
    const two = await toEventStream(counted, { log, id: "run" }).text();
    expect(last(two)).toContain('{"code":"id_taken"');
    expect(last(await one.text())).toContain("complete");
    expect(opened).toBe(1);
  });

  test("tells of a run that it does not know, and of one that failed, the same to all", async () => {
    const log = memoryLog();
    expect(await toEventStream(undefined, { log, id: "none" }).text()).toContain('"code":"unknown_run"');
    const failing = new ReadableStream<JsonPatch>({
      pull: (controller) => {
        controller.error(new Error("secret"));
      },
    });
    let kept: Promise<void> | undefined;
    const told: unknown[] = [];
    const waitUntil = (run: Promise<void>): void => {
      kept = run;
    };
    const onError = (error: unknown): undefined => void told.push(error);
    const text = await toEventStream(from(failing), { log, id: "run", waitUntil, onError }).text();
    await kept;
    expect(told).toHaveLength(1);
    const again = await toEventStream(undefined, { log, id: "run" }).text();
    for (const one of [text, again])
      expect(last(one)).toBe('event: error\ndata: {"code":"run_failed","message":"The run failed."}');
  });
});
