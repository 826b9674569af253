import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeChunk, type MessageChunk } from "millrace";
import { ChunkFold } from "#src/messages/merge/chunk-fold.js";
import { anyChunk, call, text } from "../chunks.js";

describe("a fold of chunks", () => {
  test("equals mergeChunk() over its chunks whenever it is read", () => {
    const delta = fc.oneof(
      fc.tuple(fc.constantFrom("a", ""), fc.option(fc.nat(1), { nil: undefined })).map((it) => text(...it)),
      fc.constantFrom("{", "").map((args) => call({ index: 0, args })),
      fc.constant<MessageChunk>({ content: [{ type: "reasoning", reasoning: "r" }] }),
    );
    const chunk = fc.oneof({ weight: 3, arbitrary: delta }, { weight: 1, arbitrary: anyChunk });
    fc.assert(
      fc.property(fc.array(fc.tuple(chunk, fc.boolean()), { maxLength: 20 }), (steps) => {
        const fold = new ChunkFold();
        let expected: MessageChunk | undefined;
        for (const [next, look] of steps) {
          fold.add(next);
          expected = expected === undefined ? next : mergeChunk(expected, next);
          if (look) expect(fold.value).toEqual(expected);
        }
        expect(fold.value).toEqual(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  test("does not mutate the chunks", () => {
    const chunks = [text("a", 0), text("b", 0), call({ index: 1, args: "{" }), call({ index: 1, args: "}" })];
    const before = structuredClone(chunks);
    const fold = new ChunkFold();
    for (const chunk of chunks) fold.add(chunk);
    expect(fold.value).toEqual({
      content: [
        { type: "text", text: "ab", index: 0 },
        { type: "tool_call_chunk", args: "{}", index: 1 },
      ],
    });
    expect(chunks).toEqual(before);
  });
});
