import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  chatGenerationChunk,
  type ChatGenerationChunk,
  type GenerationChunk,
  mergeChunk,
  mergeGenerationChunks,
} from "millrace";
import { anyChunk, text } from "../messages/chunks.js";

const info = fc.option(fc.dictionary(fc.constantFrom("a", "b"), fc.nat(3), { noNullPrototype: true }), {
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
        expect(merge(merge(a, b), c)).toEqual(whole);
        expect(merge(a, merge(b, c))).toEqual(whole);
        expect(merge(a, [b, c])).toEqual(whole);
        expect(merge(a, [], [b], c)).toEqual(whole);
        expect(merge([a, b, c])).toEqual(whole);
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
