import { applyPatch, collect, from, type JsonPatch, jsonParser, pipe } from "millrace";
import { type EventStreamOptions, toEventStream } from "millrace/serve";
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
  test("each patch is an event with a number, and the end is an event", async () => {
    expect(await textOf(from([first, second]))).toBe(
      ':\n\nid: 1\ndata: [{"op":"replace","path":"","value":{"name":"A"}}]\n\n' +
        'id: 2\ndata: [{"op":"append","path":"/name","value":"da"}]\n\n' +
        'event: done\ndata: {"reason":"complete"}\n\n',
    );
  });

  test("the headers keep proxies from collecting and caches from keeping it, whatever is added", () => {
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

  test("line ends and half characters in a value stay inside their event", async () => {
    const text = await textOf(
      from([[{ op: "replace", path: "", value: "a\n\nb\r\u2028\ud800" }]] as JsonPatch[]),
    );
    expect(text.split("\n\n")).toHaveLength(4);
  });

  // G-wire-8
  test("an error of the run shows nothing of the inside, and is told to onError", async () => {
    const told: unknown[] = [];
    const text = await textOf(failing(), { onError: (error) => void told.push(error) });
    expect(text).toContain('event: error\ndata: {"code":"run_failed","message":"The run failed."}\n\n');
    expect(text).not.toContain("secret");
    expect(told).toEqual([new Error("secret of /srv/app.js")]);
  });

  test("onError says what is shown instead, and nothing more of it", async () => {
    const shown = { code: "quota", message: "Later.", stack: "secret" };
    expect(await textOf(failing(), { onError: () => shown })).toContain(
      'event: error\ndata: {"code":"quota","message":"Later."}\n\n',
    );
  });

  test("what is no patch is an error of the run, and not sent", async () => {
    const text = await textOf(from([first, { op: "add" }] as unknown as JsonPatch[]));
    expect(text).toContain("run_failed");
    expect(text).not.toContain('"add"');
  });

  test("neither patches nor a log, or half of a log, is refused at once", () => {
    expect(() => toEventStream(undefined)).toThrow(TypeError);
    expect(() => toEventStream(from([first]), { id: "1" })).toThrow("log and id");
    expect(() => toEventStream(from([first]), { heartbeat: -1 })).toThrow(RangeError);
    expect(() => toEventStream(42 as never)).toThrow(TypeError);
  });
});

describe("as other formats", () => {
  test("NDJSON has one event a line", async () => {
    const text = await textOf(from([first, second]), { format: "ndjson" });
    const lines = text.split("\n").filter((line) => line !== "");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { type: "patch", id: "1", patch: first },
      { type: "patch", id: "2", patch: second },
      { type: "done", reason: "complete" },
    ]);
  });

  test("application/json-patch+json is one document of RFC 6902, with appends as replacements", async () => {
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

  test.each([[[]], [[[]]], [[first, [], []]]])("a document of %j is whole", async (patches: JsonPatch[]) => {
    expect(await toEventStream(from(patches), { format: "json-patch" }).json()).toEqual(patches.flat());
  });

  test("a document of a run that failed is cut", async () => {
    await expect(textOf(failing(), { format: "json-patch" })).rejects.toThrow("cut");
  });
});

describe("at the pace of its reader", () => {
  // G-wire-2
  test("nothing is pulled before it is asked for, and no more than that", async () => {
    const source = spySource([first, second, second]);
    const reader = toEventStream(source).body!.getReader();
    await turn();
    expect(source.pulls).toBe(0);
    await reader.read(); // what opens the stream
    await turn();
    expect(source.pulls).toBe(0);
    await reader.read();
    await turn();
    expect(source.pulls).toBe(1);
  });

  // G-wire-2
  test("a reader who leaves closes the patches, once, also while they are silent", async () => {
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

  test("the signal stops the run, and the reader is told", async () => {
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

  test("come in silence, one at a time and only where somebody reads", async () => {
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

  test("come of themselves sooner than any server ends a silent connection, which Bun does after 10 seconds", async () => {
    const clock = manualClock();
    const reader = toEventStream(silent(), { clock }).body!.getReader();
    await reader.read();
    const beat = reader.read();
    await turn();
    clock.advance(9_000);
    expect((await beat).value).toHaveLength(3);
    await reader.cancel();
  });

  test("there are none with 0, and no timer is left when the run has ended", async () => {
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

  test("do not break a document", async () => {
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
