import { collect, from, type JsonPatch, jsonParser, pipe } from "millrace";
import { applyPatch } from "millrace/json";
import { type EventStreamOptions, memoryLog, toEventStream } from "millrace/serve";
import { manualClock, spySource } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { turn } from "../../client/support.js";

const first: JsonPatch = [{ op: "replace", path: "", value: { name: "A" } }];
const second: JsonPatch = [{ op: "append", path: "/name", value: "da" }];

const textOf = (patches: AsyncIterable<JsonPatch>, options?: EventStreamOptions): Promise<string> =>
  toEventStream(patches, options).text();

async function* failing(): AsyncGenerator<JsonPatch> {
  yield first;
  throw new Error("secret of /srv/app.js");
}

describe("as server-sent events", () => {
  test("each patch is a numbered event, and the last event is done", async () => {
    expect(await textOf(from([first, second]))).toBe(
      ':\n\nid: 1\ndata: [{"op":"replace","path":"","value":{"name":"A"}}]\n\n' +
        'id: 2\ndata: [{"op":"append","path":"/name","value":"da"}]\n\n' +
        'event: done\ndata: {"reason":"complete"}\n\n',
    );
  });

  test("the headers disable buffering in proxies and caching, and cannot be overridden", () => {
    const { headers } = toEventStream(from([first]), {
      headers: { "cache-control": "public", "x-own": "1" },
    });
    expect(Object.fromEntries(headers)).toEqual({
      "cache-control": "no-cache, no-transform",
      "content-type": "text/event-stream; charset=utf-8",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
      "x-own": "1",
    });
  });

  test("line breaks and lone surrogates in a value stay inside their event", async () => {
    const text = await textOf(
      from([[{ op: "replace", path: "", value: "a\n\nb\r\u2028\ud800" }]] as JsonPatch[]),
    );
    expect(text.split("\n\n")).toHaveLength(4);
  });

  // G-wire-8
  test("an error of the run is sent without details, and passed to onError", async () => {
    const reported: unknown[] = [];
    const text = await textOf(failing(), { onError: (error) => void reported.push(error) });
    expect(text).toMatch(/event: error\ndata: \{"code":"run_failed","message":"[^"]+"\}\n\n/);
    expect(text).not.toContain("secret");
    expect(reported).toEqual([new Error("secret of /srv/app.js")]);
  });

  test.each([
    ["a promise that rejects", () => Promise.reject(new Error("secret"))],
    ["a text", () => "secret"],
  ])("%s of onError shows the client nothing", async (_, onError) => {
    const text = await textOf(failing(), { onError: onError as unknown as () => undefined });
    expect(text).toContain('data: {"code":"run_failed","message":"The run failed."}\n\n');
  });

  test("onError can set the code and message, and nothing else is sent", async () => {
    const shown = { code: "quota", message: "Later.", stack: "secret" };
    expect(await textOf(failing(), { onError: () => shown })).toContain(
      'event: error\ndata: {"code":"quota","message":"Later."}\n\n',
    );
  });

  test("an invalid patch is an error of the run, and is not sent", async () => {
    const text = await textOf(from([first, { op: "add" }] as unknown as JsonPatch[]));
    expect(text).toContain("run_failed");
    expect(text).not.toContain('"add"');
  });

  test.each(["sse", "ndjson", "json-patch", "compact"] as const)(
    "a patch with what is no operation is an error of the run in the format %s",
    async (format) => {
      for (const wrong of [null, "add", undefined]) {
        const errors: unknown[] = [];
        const onError = (error: unknown): void => void errors.push(error);
        const response = toEventStream(from([first, [wrong]] as unknown as JsonPatch[]), { format, onError });
        const read = response.text();
        if (format === "json-patch") await expect(read).rejects.toThrow();
        else expect(await read).toMatch(/run_failed/);
        expect(String(errors)).toMatch(/an array with (?:null|a string|undefined)\./);
      }
    },
  );

  test("a patch that JSON cannot express is an error of the run", async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const bad = [{ op: "add", path: "", value: 1n }];
    const text = await textOf(from([first, bad] as unknown as JsonPatch[]), { onError });
    expect(text).toMatch(/"A".*event: error\ndata: \{"code":"run_failed"/s);
    expect(errors).toEqual([expect.any(TypeError)]);
  });

  test("rejects missing patches, an id without a log, and invalid options", () => {
    expect(() => toEventStream(undefined)).toThrow(TypeError);
    expect(() => toEventStream(from([first]), { id: "1" })).toThrow("log and id");
    expect(() => toEventStream(from([first]), { heartbeat: -1 })).toThrow(RangeError);
    expect(() => toEventStream(42 as never)).toThrow(TypeError);
  });

  test.each([
    ["an unknown format", { format: "jsonl" }, /"jsonl".*sse, compact, ndjson, json-patch/],
    ["an unknown way to flush", { flush: "toString" }, /"frame" or "patch".*"toString"/],
    ["the name of a method as the format", { format: "toString" }, /"toString"/],
    ["a wrong heartbeat", { heartbeat: Number.NaN }, /heartbeat/],
    ["an invalid header", { headers: { "a b": "1" } }, /a b/],
    ["a misspelt option", { heartBeat: 5 }, /toEventStream\(\).*"heartbeat"/],
  ])("refuses %s before the run begins", async (_, wrong, words) => {
    const log = memoryLog();
    const patches = spySource([first]);
    const options = { log, id: "1", ...wrong } as EventStreamOptions;
    expect(() => toEventStream(patches, options)).toThrow(words);
    expect(await log.status("1")).toBe("unknown");
    expect(patches.pulls).toBe(0);
  });
});

describe("as other formats", () => {
  test("NDJSON has one event per line", async () => {
    const text = await textOf(from([first, second]), { format: "ndjson" });
    const lines = text.split("\n").filter((line) => line !== "");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { type: "patch", id: "1", patch: first },
      { type: "patch", id: "2", patch: second },
      { type: "done", reason: "complete" },
    ]);
  });

  test("application/json-patch+json is one RFC 6902 document, with appends as replacements", async () => {
    const patches = pipe(
      from(['{"name": "A', "d", 'a", "x": [', "1]}"]),
      jsonParser(undefined, { append: true }).patches,
    );
    const response = toEventStream(patches, { format: "json-patch" });
    expect(response.headers.get("content-type")).toBe("application/json-patch+json");
    const operations = (await response.json()) as JsonPatch;
    expect(operations.map(({ op }) => op)).not.toContain("append");
    expect(applyPatch(null, operations)).toEqual({ name: "Ada", x: [1] });
  });

  test.each([[[]], [[[]]], [[first, [], []]]])(
    "the patches %j are one complete document",
    async (patches: JsonPatch[]) => {
      expect(await toEventStream(from(patches), { format: "json-patch" }).json()).toEqual(patches.flat());
    },
  );

  test("a document has each string once, however it grew", async () => {
    const [long, other] = ["long".repeat(5_000), "other".repeat(2_000)];
    const patches = pipe(
      from(JSON.stringify({ long, list: [other, 1], last: long })),
      jsonParser(undefined, { append: true }).patches,
    );
    const text = await textOf(patches, { format: "json-patch" });
    expect(applyPatch(null, JSON.parse(text) as JsonPatch)).toEqual({ long, list: [other, 1], last: long });
    expect(text.length).toBeLessThan(52_000);
  });

  test("the document of a failed run is incomplete, and reading it fails", async () => {
    await expect(textOf(failing(), { format: "json-patch" })).rejects.toThrow("cut");
  });

  test("a stopped run is cut without a report, as its end has no text", async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const signal = AbortSignal.abort();
    const response = toEventStream(from([first]), { format: "json-patch", signal, onError });
    await expect(response.text()).rejects.toThrow("cut");
    expect(errors).toEqual([]);
  });
});

describe("reading", () => {
  // G-wire-2
  test("pulls one patch for each read, and nothing before", async () => {
    const source = spySource([first, second, second]);
    const reader = toEventStream(source).body!.getReader();
    await turn();
    expect(source.pulls).toBe(0);
    await reader.read(); // the comment that opens the stream
    await turn();
    expect(source.pulls).toBe(0);
    await reader.read();
    await turn();
    expect(source.pulls).toBe(1);
  });

  // G-wire-2
  test("cancelling closes the patches once, also while they are silent", async () => {
    const source = spySource([first, second]);
    const reader = toEventStream(source).body!.getReader();
    await reader.read();
    await reader.read();
    await reader.cancel();
    await reader.cancel();
    expect(source.returns).toBe(1);

    let closed = 0;
    const silent: AsyncIterable<JsonPatch> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: async () => {
          closed++;
          return { done: true, value: undefined };
        },
      }),
    };
    const other = toEventStream(silent).body!.getReader();
    await other.read();
    const read = other.read();
    await other.cancel();
    expect([closed, (await read).done]).toEqual([1, true]);
  });

  test("the signal ends the run with the reason stopped", async () => {
    const controller = new AbortController();
    async function* patches(): AsyncGenerator<JsonPatch> {
      yield first;
      await new Promise(() => {});
    }
    const text = textOf(patches(), { signal: controller.signal });
    await turn();
    controller.abort();
    expect(await text).toMatch(/"A".*\n\nevent: done\ndata: \{"reason":"stopped"\}\n\n$/s);
  });
});

describe("heartbeats", () => {
  const silent = (): AsyncIterable<JsonPatch> => from(new ReadableStream<JsonPatch>());

  test("are sent in silence, one at a time and only to a waiting reader", async () => {
    const clock = manualClock();
    const reader = toEventStream(silent(), { heartbeat: 100, clock }).body!.getReader();
    await reader.read();
    const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
    const beat = read();
    await turn();
    clock.advance(99);
    clock.advance(1);
    expect(await beat).toBe(":\n\n");
    clock.advance(1_000);
    expect(await read()).toBe(":\n\n");
    const later = read();
    expect(await Promise.race([later, turn()])).toBe(undefined);
    clock.advance(100);
    expect(await later).toBe(":\n\n");
    await reader.cancel();
    expect(clock.timers).toBe(0);
  });

  test("are sent by default within 9 seconds, because Bun closes a silent connection after 10", async () => {
    const clock = manualClock();
    const reader = toEventStream(silent(), { clock }).body!.getReader();
    await reader.read();
    const beat = reader.read();
    await turn();
    clock.advance(9_000);
    expect((await beat).value).toHaveLength(3);
    await reader.cancel();
  });

  test("are disabled with 0, and leave no timer at the end of a run", async () => {
    const clock = manualClock();
    const reader = toEventStream(silent(), { heartbeat: 0, clock }).body!.getReader();
    await reader.read();
    void reader.read();
    await turn();
    expect(clock.timers).toBe(0);
    await toEventStream(from([first]), { clock }).text();
    expect(clock.timers).toBe(0);
    expect(await collect(from(toEventStream(from([first]), { clock })))).toHaveLength(3);
  });

  test("do not change a JSON document", async () => {
    const clock = manualClock();
    const { readable, writable } = new TransformStream<JsonPatch, JsonPatch>();
    const writer = writable.getWriter();
    const json = toEventStream(from(readable), { heartbeat: 10, clock, format: "json-patch" }).json();
    await writer.write(first);
    await turn();
    clock.advance(10);
    await turn();
    await writer.close();
    expect(await json).toEqual(first);
  });
});
