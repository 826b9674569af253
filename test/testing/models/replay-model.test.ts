import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collect, last, type MessageChunk, mergeChunks, ModelError, pipe, textOf } from "millrace";
import { record } from "millrace/models";
import {
  everyWay,
  type ManualClock,
  manualClock,
  replay,
  replayModel,
  TranscriptError,
  type TranscriptInput,
} from "millrace/testing";
import { anyChunk, text } from "../../messages/chunks.js";

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

const header = '{"millrace":"transcript","version":1}';
const line = (t: number, words: string): string => JSON.stringify({ t, value: text(words) });
const hello = [header, line(100, "Hel"), line(250, "lo"), '{"t":250,"end":true}'];

/** The items with their times. Advances the clock while a timer is pending. */
async function played<T>(stream: AsyncIterable<T>, clock: ManualClock, step = 1) {
  const start = clock.now();
  const items: { readonly t: number; readonly item: T }[] = [];
  let over = false;
  let error: unknown;
  const reading = (async () => {
    try {
      for await (const item of stream) items.push({ t: clock.now() - start, item });
    } catch (reason) {
      error = reason;
    }
    over = true;
  })();
  for (let i = 0; i < 10_000; i++) {
    await turn();
    if (over) break;
    if (clock.timers > 0) clock.advance(step);
  }
  await reading;
  return { items, error, ended: clock.now() - start };
}

async function errorOf(input: TranscriptInput): Promise<TranscriptError> {
  const error: unknown = await collect(replay(input, { speed: Infinity })).catch((reason: unknown) => reason);
  if (error instanceof TranscriptError) return error;
  throw new Error("expected a TranscriptError", { cause: error });
}

describe("replayModel", () => {
  test.each([
    ["no chunk", 1],
    ["a chunk without content", {}],
    ["a block without a type", { content: [{ text: "a" }] }],
    ["a text without a string", { content: [{ type: "text" }] }],
  ])("refuses a transcript with %s", async (_, value) => {
    const lines = [header, JSON.stringify({ t: 0, value }), '{"t":0,"end":true}'];
    const error: unknown = await collect(replayModel(lines, { speed: Infinity }).stream("")).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ name: "MessageError", code: "invalid_chunk" });
  });

  test.each([
    [1, [100, 250], 250],
    [2, [50, 125], 125],
    [0.5, [200, 500], 500],
    [100, [1, 3], 3], // the clock moves by whole milliseconds
    [Infinity, [0, 0], 0],
  ])("plays at speed %d", async (speed, times, end) => {
    const clock = manualClock();
    clock.advance(7);
    const { items, ended } = await played(replayModel(hello, { speed, clock }).stream("Hi"), clock);
    expect(items.map(({ t }) => t)).toEqual(times);
    expect(items.map(({ item }) => textOf(item))).toEqual(["Hel", "lo"]);
    expect(ended).toBe(end);
    expect(clock.timers).toBe(0);
  });

  test("plays at the recorded speed by default, and adds no chunks", async () => {
    const clock = manualClock();
    const { items } = await played(replayModel(hello, { clock }).stream("Hi"), clock, 50);
    expect(items.map(({ t }) => t)).toEqual([100, 250]);
  });

  test("does not delay items that are already due", async () => {
    const clock = manualClock();
    const stream = replayModel(hello, { clock }).stream("Hi")[Symbol.asyncIterator]();
    const first = stream.next();
    await turn();
    clock.advance(100);
    await first;
    clock.advance(1000); // a slow consumer
    expect(await stream.next()).toMatchObject({ done: false });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(clock.timers).toBe(0);
  });

  test("plays from the start with each call, even from a stream that can be read once", async () => {
    const input = new Response(hello.join("\n")).body as ReadableStream<Uint8Array>;
    const model = replayModel(input, { speed: Infinity });
    const both = await Promise.all([1, 2].map(() => last(pipe(model.stream("Hi"), mergeChunks()))));
    expect(both.map((message) => message && textOf(message))).toEqual(["Hello", "Hello"]);
    expect(model.calls.map(({ messages }) => messages.map(textOf))).toEqual([["Hi"], ["Hi"]]);
  });

  test("has default names and capabilities, which options override", () => {
    expect(replayModel(hello)).toMatchObject({ provider: "replay", model: "replay" });
    expect(replayModel(hello).profile.structuredOutput).toBe(true);
    const options = { provider: "p", model: "m", profile: { structuredOutput: false } };
    expect(replayModel(hello, options)).toMatchObject({ ...options, profile: { toolCalling: true } });
  });

  test("ends at once on abort, and leaves no timer or listener", async () => {
    const clock = manualClock();
    const controller = new AbortController();
    const stream = replayModel(hello, { clock }).stream("Hi", { signal: controller.signal });
    const outcome = collect(stream).catch((reason: unknown) => reason);
    await turn();
    expect(clock.timers).toBe(1);
    controller.abort(new Error("enough"));
    expect(await outcome).toBe(controller.signal.reason);
    expect(clock.timers).toBe(0);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  test("leaves no timer when its consumer leaves", async () => {
    const clock = manualClock();
    const iterator = replay(hello, { clock })[Symbol.asyncIterator]();
    const next = iterator.next();
    await turn();
    expect(clock.timers).toBe(1);
    await iterator.return?.();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(clock.timers).toBe(0);
  });

  test("throws the recorded error at its time", async () => {
    const clock = manualClock();
    const error = JSON.stringify({ name: "ModelError", code: "cut", message: "Gone.", retryable: true });
    const transcript = [header, line(1, "a"), `{"t":20,"error":${error}}`];
    const outcome = await played(replayModel(transcript, { clock }).stream("Hi"), clock);
    expect(outcome.items).toHaveLength(1);
    expect(outcome.ended).toBe(20);
    expect(outcome.error).toBeInstanceOf(ModelError);
    expect(outcome.error).toMatchObject({ code: "cut", message: "Gone.", retryable: true });
  });

  test("throws an error at the point where the recording's consumer left", async () => {
    const clock = manualClock();
    const transcript = [header, line(1, "a"), '{"t":2,"left":true}'];
    const { items, error } = await played(replayModel(transcript, { clock }).stream("Hi"), clock);
    expect(items).toHaveLength(1);
    expect(error).toMatchObject({ name: "ModelError", code: "cut" });
    expect((error as Error).message).toContain("reader left");
  });

  test.each([0, -1, NaN])("rejects the speed %d", (speed) => {
    expect(() => replayModel(hello, { speed })).toThrow(RangeError);
  });
});

describe("a recording is played unchanged", () => {
  const item = fc.record({ chunk: anyChunk, wait: fc.nat(40) });

  test("recording a replay gives the same transcript", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 6 }),
        fc.constantFrom("end", "error"),
        fc.constantFrom(1, 2, 0.5),
        async (items, ending, speed) => {
          const clock = manualClock();
          const source = (async function* () {
            for (const { chunk, wait } of items) {
              clock.advance(wait * 2);
              yield chunk;
            }
            await Promise.resolve();
            if (ending === "error") throw new ModelError("cut", "Gone.", { retryable: true });
          })();
          const first: string[] = [];
          const write = (stream: AsyncIterable<MessageChunk>, into: string[]) =>
            pipe(stream, record<MessageChunk>((text) => into.push(text), { clock })); // prettier-ignore
          await collect(write(source, first)).catch(() => {});

          const second: string[] = [];
          const replayed = write(replayModel(first, { speed, clock }).stream("Hi"), second);
          const { items: seen } = await played(replayed, clock);
          expect(seen.map((one) => one.item)).toEqual(items.map((one) => one.chunk));
          const faster = first.map((text) =>
            text.replace(/^\{"t":(\d+)/, (_, t: string) => `{"t":${Number(t) / speed}`),
          );
          expect(second).toEqual(faster);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("a transcript is read from", () => {
  const expected = [text("Hel"), text("lo")];
  const read = (input: TranscriptInput): Promise<unknown[]> => collect(replay(input, { speed: Infinity }));

  test("text, with any line breaks", async () => {
    expect(await read(hello.join("\n"))).toEqual(expected);
    expect(await read(`${hello.join("\r\n")}\r\n\n`)).toEqual(expected);
    expect(await read(`\uFEFF${hello.join("\n")}`)).toEqual(expected);
  });

  test("lines, with or without their line breaks", async () => {
    expect(await read(hello)).toEqual(expected);
    expect(await read(hello.join("\n").split(/(?<=\n)/).map((part) => part.trimEnd()))).toEqual(expected); // prettier-ignore
  });

  test("a stream of text or bytes, split anywhere", async () => {
    const whole = [header, line(0, "é😀"), '{"t":0,"end":true}'].join("\n");
    const bytes = new TextEncoder().encode(whole);
    expect(await read(new Blob([whole]).stream())).toEqual([text("é😀")]);
    for (const pieces of everyWay(whole, { count: 5 })) {
      expect(await read(streamOf(pieces))).toEqual([text("é😀")]);
    }
    for (const pieces of everyWay(bytes, { count: 5 })) {
      expect(await read(streamOf(pieces))).toEqual([text("é😀")]);
    }
  });

  async function* streamOf<T>(pieces: readonly T[]): AsyncGenerator<T> {
    for (const piece of pieces) yield Promise.resolve(piece);
  }

  test.each([
    ["empty text", "", "not_a_transcript", 1],
    ["prose", "Hello", "not_a_transcript", 1],
    ["other JSON Lines", '{"a":1}\n{"a":2}', "not_a_transcript", 1],
    ["half a header", '{"millrace":"tra', "not_a_transcript", 1],
    ["a later version", '{"millrace":"transcript","version":2}\n{"t":0,"end":true}', "version", 1],
    ["a header alone", header, "cut", 1],
    ["no end", [header, line(0, "a")].join("\n"), "cut", 2],
    ["an incomplete last line", `${header}\n{"t":0,"val`, "cut", 2],
    ["an incomplete line in the middle", `${header}\n{"t":0,"val\n{"t":0,"end":true}`, "invalid_line", 2],
    ["an unknown line", `${header}\n{"value":1}\n{"t":0,"end":true}`, "invalid_line", 2],
    ["a line without a value", `${header}\n{"t":1}\n{"t":2,"end":true}`, "invalid_line", 2],
    ["a time before the start", `${header}\n{"t":-1,"value":1}\n{"t":2,"end":true}`, "invalid_line", 2],
    ["decreasing times", [header, line(2, "a"), '{"t":1,"end":true}'].join("\n"), "invalid_line", 3],
    ["lines after the end", [...hello, line(300, "!")].join("\n"), "invalid_line", 4],
    ["two transcripts", [...hello, ...hello].join("\n"), "invalid_line", 4],
  ] as const)("a transcript is rejected before the first item: %s", async (_, input, code, at) => {
    const error = await errorOf(input);
    expect(error).toMatchObject({ code, line: at });
    expect(error.message).toMatch(new RegExp(`^Line ${at} `));
  });

  test("an error of the transcript's stream is passed on unchanged", async () => {
    const problem = new Error("no such file");
    const broken = new ReadableStream<string>({
      pull: (controller) => {
        controller.error(problem);
      },
    });
    expect(await read(broken).catch((reason: unknown) => reason)).toBe(problem);
  });
});
