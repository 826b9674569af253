import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonObject, type JsonValue, mergeChunk } from "millrace";
import {
  chatGenerationChunk,
  type ChatGenerationChunk,
  type GenerationChunk,
  mergeGenerationChunks,
} from "millrace/models";
import { anyChunk, text } from "../messages/chunks.js";

/** Values of all kinds under few keys, so that they meet. */
const { value: anyValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, 0, 1, "a", true),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("a", "__proto__"), tie("value"), { noNullPrototype: true }),
  ),
}));
const info = fc.option(fc.dictionary(fc.constantFrom("a", "b"), anyValue, { noNullPrototype: true }), {
  nil: undefined,
});
const chatChunk: fc.Arbitrary<ChatGenerationChunk> = fc
  .tuple(anyChunk, info)
  .map(([chunk, said]) => chatGenerationChunk(chunk, said));
const textChunk: fc.Arbitrary<GenerationChunk> = fc
  .tuple(fc.constantFrom("", "a", "b"), info)
  .map(([text, said]) => (said === undefined ? { text } : { text, info: said }));

describe("mergeGenerationChunks", () => {
  test.each([
    ["of messages", chatChunk],
    ["of texts", textChunk],
  ])("is associative, for chunks %s, one by one and in lists", (_, chunk: fc.Arbitrary<GenerationChunk>) => {
    const merge = mergeGenerationChunks;
    fc.assert(
      fc.property(chunk, chunk, chunk, (a, b, c) => {
        const whole = merge(a, b, c);
        const others = [
          merge(merge(a, b), c),
          merge(a, merge(b, c)),
          merge(a, [b, c]),
          merge(a, [], [b], c),
          merge([a, b, c]),
        ];
        for (const other of others) if (!isDeepStrictEqual(other, whole)) expect(other).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  test("merges the messages as mergeChunk() does, and has the first text block of that", () => {
    fc.assert(
      fc.property(chatChunk, chatChunk, (a, b) => {
        const message = mergeChunk(a.message, b.message);
        const merged = mergeGenerationChunks(a, b);
        expect(merged.message).toEqual(message);
        expect(merged.text).toBe(message.content.find((block) => block.type === "text")?.text ?? "");
      }),
    );
  });

  test("does not add the text of a second block to the first", () => {
    const merged = mergeGenerationChunks(
      chatGenerationChunk(text("a", 0)),
      chatGenerationChunk(text("b", 1)),
      chatGenerationChunk(text("c", 0)),
    );
    expect(merged.text).toBe("ac");
  });

  test("later values of a key win, and the finish reason is not repeated", () => {
    const chunk = (info: Record<string, string>): GenerationChunk => ({ text: "x", info });
    expect(
      mergeGenerationChunks(
        chunk({ finishReason: "stop", model: "m" }),
        { text: "y" },
        chunk({ finishReason: "stop", model: "n" }),
      ),
    ).toEqual({ text: "xyx", info: { finishReason: "stop", model: "n" } });
  });

  test("merges objects at any depth and concatenates lists, so that log probabilities survive", () => {
    const chunk = (info: JsonObject): GenerationChunk => ({ text: "x", info });
    const merged = mergeGenerationChunks(
      chunk({ logprobs: { content: [{ token: "Hel", logprob: -1 }], refusal: null }, seed: 1 }),
      chunk({ logprobs: null }),
      chunk({ logprobs: { content: [{ token: "lo", logprob: -2 }] }, seed: 2, safety: { level: "low" } }),
      chunk({ safety: { blocked: false } }),
    );
    expect(merged.info).toEqual({
      logprobs: {
        content: [
          { token: "Hel", logprob: -1 },
          { token: "lo", logprob: -2 },
        ],
        refusal: null,
      },
      seed: 2,
      safety: { level: "low", blocked: false },
    });
  });

  test("costs linear time with lists, too, and bounds the depth", () => {
    const chunks = Array.from({ length: 50_000 }, (_, i) => ({ text: "x", info: { logprobs: [i] } }));
    expect(mergeGenerationChunks(chunks)?.info?.["logprobs"]).toHaveLength(50_000);
    const deep = {
      text: "x",
      info: JSON.parse(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`) as JsonObject,
    };
    expect(() => mergeGenerationChunks(deep, deep)).not.toThrow();
  });

  test("does not mutate its chunks, and returns a single one unchanged", () => {
    const chunk = { text: "a", info: { k: 1 } };
    expect(mergeGenerationChunks(chunk)).toBe(chunk);
    mergeGenerationChunks(chunk, { text: "b", info: { k: 2 } });
    expect(chunk).toEqual({ text: "a", info: { k: 1 } });
  });

  test("returns undefined for an empty list", () => {
    expect(mergeGenerationChunks([])).toBeUndefined();
  });

  test("throws rather than lose a message", () => {
    const chat: GenerationChunk = chatGenerationChunk(text("a"));
    expect(() => mergeGenerationChunks(chat, { text: "b" })).toThrow(TypeError);
    expect(() => mergeGenerationChunks({ text: "b" }, chat)).toThrow(/has a message/);
  });

  test("costs linear time: 100,000 one-character chunks", () => {
    const chunk = chatGenerationChunk(text("x"));
    const chunks: ChatGenerationChunk[] = Array.from({ length: 100_000 }, () => chunk);
    expect(mergeGenerationChunks(chunks)?.text).toHaveLength(100_000);
  });
});
