import { collect, from, type JsonPatch } from "millrace";
import { fromEventStream } from "millrace/client";
import { type EventStreamOptions, memoryLog, toEventStream } from "millrace/serve";
import { type ManualClock, manualClock } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { turn } from "../../client/support.js";

const start: JsonPatch = [{ op: "replace", path: "", value: {} }];
const title: JsonPatch = [{ op: "add", path: "/title", value: "" }];
const append = (value: string): JsonPatch => [{ op: "append", path: "/title", value }];

interface Streamed {
  readonly lines: string[];
  readonly clock: ManualClock;
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly write: (...patches: JsonPatch[]) => Promise<void>;
  readonly end: () => Promise<void>;
  readonly fail: (error: Error) => Promise<void>;
}

/** A response whose patches a test writes, and the lines that its client has read. */
function streamed(options: EventStreamOptions & { readonly clock?: ManualClock } = {}): Streamed {
  const { clock = manualClock() } = options;
  const pipe = new TransformStream<JsonPatch, JsonPatch>();
  const writer = pipe.writable.getWriter();
  const response = toEventStream(from(pipe.readable), {
    format: "compact",
    clock,
    heartbeat: 0,
    ...options,
  });
  const lines: string[] = [];
  const reader = response.body!.getReader();
  const read = async (): Promise<void> => {
    for (let it = await reader.read(); !it.done; it = await reader.read())
      lines.push(
        ...new TextDecoder()
          .decode(it.value)
          .split("\n")
          .filter((line) => /^(["{[\d-]|data)/.test(line)),
      );
  };
  const reading = read();
  return {
    lines,
    clock,
    reader,
    write: async (...patches: JsonPatch[]): Promise<void> => {
      for (const patch of patches) void writer.write(patch);
      await turn();
    },
    end: async (): Promise<void> => {
      void writer.close();
      await reading;
    },
    fail: async (error: Error): Promise<void> => {
      void writer.abort(error);
      await reading;
    },
  };
}

describe("a compact response", () => {
  test("sends the first field at once, and then at most one line in 16 ms", async () => {
    const { write, lines, clock } = streamed();
    await write(start);
    await write(title);
    await write(append("Te"));
    expect(lines.splice(0)).toEqual(['0,{"op":"replace","path":"","value":{}}', '{"title":""}', '"Te"']);
    await write(append("a"), append(" fo"));
    clock.advance(15);
    await write(append("r"));
    expect(lines).toEqual([]);
    clock.advance(1);
    await turn();
    expect(lines.splice(0)).toEqual(['"a for"']);
    clock.advance(20);
    await write(append(" two"));
    expect(lines).toEqual(['" two"']);
  });

  test.each([
    ["the end", (it: Streamed) => it.end(), 'data: {"reason":"complete"}'],
    [
      "an error",
      (it: Streamed) => it.fail(new Error("secret")),
      'data: {"code":"run_failed","message":"The run failed."}',
    ],
  ])("sends what waits before %s at once, and leaves no timer", async (_, finish, last) => {
    const it = streamed();
    await it.write(start, title, append("Te"), append("a"));
    it.lines.length = 0;
    await finish(it);
    expect(it.lines).toEqual(['"a"', last]);
    expect(it.clock.timers).toBe(0);
  });

  test("leaves no timer when the client disconnects", async () => {
    const { write, clock, reader } = streamed();
    await write(start, title, append("Te"), append("a"));
    expect(clock.timers).toBe(1);
    await reader.cancel();
    expect(clock.timers).toBe(0);
  });

  test("joins at most 1,000 patches of a source without pauses", async () => {
    const clock = manualClock();
    const many = [start, title, ...Array.from({ length: 2_500 }, () => append("x"))];
    const options = { format: "compact", clock, heartbeat: 0 } as const;
    const patches = await collect(fromEventStream(toEventStream(from(many), options)));
    const texts = patches.flat().flatMap((it) => (it.op === "append" ? [it.value.length] : []));
    expect(Math.max(...texts)).toBe(1_000);
    expect(texts.reduce((sum, length) => sum + length)).toBe(2_500);
  });

  test("sends lines less often while more than 250 responses wait, and often again after that", async () => {
    const clock = manualClock();
    const all = Array.from({ length: 500 }, () => streamed({ clock }));
    const [first, ...others] = all as [Streamed, ...Streamed[]];
    /** How many milliseconds pass until the next line of the first response. */
    const pause = async (): Promise<number> => {
      first.lines.length = 0;
      for (let ms = 0; ; ms += 4) {
        if (first.lines.length > 0) return ms;
        clock.advance(4);
        await turn();
      }
    };
    for (const it of all) await it.write(start, title, append("a"), append("b"));
    expect(await pause()).toBe(16);
    for (const it of all) await it.write(append("c"));
    expect(await pause()).toBe(32);
    for (const it of others) await it.end();
    await first.write(append("d"));
    expect(await pause()).toBe(32);
    await first.write(append("e"));
    expect(await pause()).toBe(16);
  });

  test("does not read further while its client does not", async () => {
    let pulls = 0;
    async function* model(): AsyncGenerator<JsonPatch> {
      yield start;
      yield title;
      for (;;) {
        pulls++;
        yield append("x");
      }
    }
    const response = toEventStream(model(), { format: "compact", clock: manualClock(), heartbeat: 0 });
    const reader = response.body!.getReader();
    for (let i = 0; i < 4; i++) await reader.read();
    await turn();
    expect(pulls).toBeLessThan(5);
    await reader.cancel();
  });
});

test("a log keeps the lines that its first response sends", async () => {
  const log = memoryLog({ createToken: () => "t" });
  const it = streamed({ log, id: "1" });
  await it.write(start, title, append("Te"));
  await it.write(append("a"), append("!"));
  await it.end();
  const patches = await collect(
    fromEventStream(toEventStream(undefined, { log, id: "1", lastEventId: "3-t" })),
  );
  expect(patches).toEqual([append("a!")]);
});

test.each([
  ["server-sent events are not joined", {}, 4],
  ["server-sent events are joined if the program wants it", { flush: "frame" }, 3],
] as const)("%s", async (_, options, sentAtOnce) => {
  const it = streamed({ format: "sse", ...options });
  await it.write(start, title, append("Te"), append("a"));
  expect(it.lines).toHaveLength(sentAtOnce);
  await it.end();
  expect(it.lines).toHaveLength(5);
});
