import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeChunk, type MessageChunk, toAssistantMessage } from "millrace";
import { anyChunk, call, merged, text } from "../chunks.js";

describe("mergeChunk", () => {
  // G-models-1
  test("is associative", () => {
    fc.assert(
      fc.property(anyChunk, anyChunk, anyChunk, (a, b, c) => {
        expect(mergeChunk(mergeChunk(a, b), c)).toEqual(mergeChunk(a, mergeChunk(b, c)));
      }),
      { numRuns: 2_000 },
    );
  });

  // G-models-1
  test("mutates neither chunk", () => {
    fc.assert(
      fc.property(anyChunk, anyChunk, (a, b) => {
        const before = JSON.stringify([a, b]);
        mergeChunk(deepFreeze(a), deepFreeze(b));
        expect(JSON.stringify([a, b])).toBe(before);
      }),
    );
  });

  // G-models-1
  test("has the empty chunk as its identity", () => {
    fc.assert(
      fc.property(anyChunk, anyChunk, (a, b) => {
        expect(mergeChunk(mergeChunk(a, { content: [] }), b)).toEqual(mergeChunk(a, b));
        expect(mergeChunk(a, mergeChunk({ content: [] }, b))).toEqual(mergeChunk(a, b));
      }),
    );
  });

  test("gives the same result in any order of merging", async () => {
    const stream = fc.array(anyChunk, { minLength: 1, maxLength: 6 }).map(withEarlyId);
    await fc.assert(
      fc.asyncProperty(stream, fc.nat(5), async (chunks, at) => {
        const [first = { content: [] }, ...rest] = chunks.slice(at);
        const some = [...chunks.slice(0, at), rest.reduce(mergeChunk, first)];
        expect(await merged(some)).toEqual(await merged(chunks));
      }),
      { numRuns: 1_000 },
    );
  });

  test("merges many blocks like few", () => {
    const blocks = fc
      .array(anyChunk, { maxLength: 40 })
      .map((chunks) => chunks.flatMap(({ content }) => content));
    fc.assert(
      fc.property(blocks, blocks, (a, b) => {
        const oneByOne = b.reduce<MessageChunk>((whole, block) => mergeChunk(whole, { content: [block] }), {
          content: a,
        });
        expect(mergeChunk({ content: a }, { content: b })).toEqual(oneByOne);
      }),
    );
  });

  test("joins a name cut in two", () => {
    const whole = mergeChunk(
      call({ id: "1", name: "get_", args: "" }),
      call({ name: "weather", args: "{}" }),
    );
    expect(whole.content).toEqual([{ type: "tool_call_chunk", id: "1", name: "get_weather", args: "{}" }]);
  });

  test("keeps the repairs of all deltas, as the message does", async () => {
    const repairs = [0, 5, 9].map((offset) => ({ kind: "quote" as const, offset }));
    const args = ["{", "}", ""];
    const chunks = repairs.map((repair, at) =>
      call({ ...(at === 0 && { id: "1", name: "pay" }), args: args[at] ?? "", repairs: [repair] }),
    );
    const message = await merged(chunks);
    expect(message.content).toMatchObject([{ type: "tool_call", repairs }]);
    expect(toAssistantMessage(chunks.reduce(mergeChunk))).toEqual(message);
  });

  // G-models-3
  test("keeps two calls apart that share an index but not an id", () => {
    const both = mergeChunk(call({ index: 0, id: "1", args: "{}" }), call({ index: 0, id: "2", args: "{" }));
    expect(mergeChunk(both, call({ index: 0, args: "}" })).content).toEqual([
      { type: "tool_call_chunk", index: 0, id: "1", args: "{}" },
      { type: "tool_call_chunk", index: 0, id: "2", args: "{}" },
    ]);
  });

  test("keeps a text and a call apart that share index 0", () => {
    const both = mergeChunk(text("a", 0), call({ index: 0, id: "1", args: "{" }));
    expect(mergeChunk(both, text("b", 0)).content).toEqual([
      { type: "text", text: "ab", index: 0 },
      { type: "tool_call_chunk", index: 0, id: "1", args: "{" },
    ]);
  });

  test("does not repeat the finish reason", () => {
    const stop: MessageChunk = { content: [], finishReason: "stop", providerFinishReason: "stop" };
    expect(mergeChunk(stop, stop)).toEqual(stop);
  });

  test("takes the later count of each field", () => {
    const early = {
      content: [],
      usage: { inputTokens: 3, outputTokens: 1, details: { cacheReadTokens: 2 } },
    };
    const late = {
      content: [],
      usage: { outputTokens: 7, totalTokens: 10, details: { reasoningTokens: 4 } },
    };
    expect(mergeChunk(early, late).usage).toEqual({
      inputTokens: 3,
      outputTokens: 7,
      totalTokens: 10,
      details: { cacheReadTokens: 2, reasoningTokens: 4 },
    });
  });

  test("adds deltas to the count so far, until a new count arrives", () => {
    const counted = (inputTokens: number): MessageChunk => ({ content: [], usage: { inputTokens } });
    const added = (inputTokens: number): MessageChunk => ({ content: [], usageDelta: { inputTokens } });
    const sum = (...chunks: MessageChunk[]): unknown => toAssistantMessage(chunks.reduce(mergeChunk)).usage;
    expect(sum(added(1), added(2))).toEqual({ inputTokens: 3 });
    expect(sum(counted(5), added(2), added(1))).toEqual({ inputTokens: 8 });
    expect(sum(counted(5), added(2), counted(9), added(1))).toEqual({ inputTokens: 10 });
  });

  test("joins padded pieces of audio", () => {
    const audio = (words: string): MessageChunk => ({
      content: [{ type: "audio", data: btoa(words), transcript: words, mimeType: "audio/wav" }],
    });
    expect(["a", "bcd", "", "ef"].map(audio).reduce(mergeChunk).content).toEqual([
      { type: "audio", data: btoa("abcdef"), transcript: "abcdef", mimeType: "audio/wav" },
    ]);
  });

  test("joins data that is not base64 as it is", () => {
    const audio = (data: string): MessageChunk => ({ content: [{ type: "audio", data }] });
    const pieces = ["A=", "B", "=", "é="].map(audio);
    const joined = [{ type: "audio", data: "A=B=é=" }];
    expect(pieces.reduce(mergeChunk).content).toEqual(joined);
    expect(toAssistantMessage(...pieces).content).toEqual(joined);
  });

  test("appends annotations and lets later metadata win by key", () => {
    const piece = (words: string, url: string, metadata: Record<string, number>): MessageChunk => ({
      content: [{ type: "text", text: words, annotations: [{ type: "citation", url }], metadata }],
    });
    expect(mergeChunk(piece("a", "1", { x: 1, y: 1 }), piece("b", "2", { y: 2 })).content).toEqual([
      {
        type: "text",
        text: "ab",
        annotations: [
          { type: "citation", url: "1" },
          { type: "citation", url: "2" },
        ],
        metadata: { x: 1, y: 2 },
      },
    ]);
  });

  test("concatenates lists under any key", () => {
    const lists = (json: string): MessageChunk => ({
      content: [],
      metadataDelta: JSON.parse(json) as Record<string, number[]>,
    });
    const both = mergeChunk(lists('{"a": [1]}'), lists('{"a": [2], "__proto__": [3]}'));
    expect(JSON.stringify(both.metadataDelta)).toBe('{"a":[1,2],"__proto__":[3]}');
  });

  // G-models-2
  test("costs the number of blocks, not the length: 100,000 one-character deltas", () => {
    let whole: MessageChunk = { content: [] };
    for (let i = 0; i < 100_000; i++) whole = mergeChunk(whole, text("x"));
    expect(whole.content).toEqual([{ type: "text", text: "x".repeat(100_000) }]);
  });
});

/** The id of a call without one depends on the id of its message, if that is known. */
function withEarlyId(chunks: readonly MessageChunk[]): readonly MessageChunk[] {
  return chunks.map((chunk, at) => (at === 0 ? { ...chunk, id: "m" } : chunk));
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
