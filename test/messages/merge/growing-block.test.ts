import fc from "fast-check";
import { expect, test } from "vitest";
import { isDelta, joinDelta, type DeltaBlock } from "#src/messages/merge/delta.js";
import { GrowingBlock } from "#src/messages/merge/growing-block.js";
import { anyChunk } from "../chunks.js";

/** Deltas of one type, many of them with nothing but a text. */
const deltas = fc
  .tuple(
    fc.constantFrom("text", "reasoning", "audio", "tool_call_chunk", "server_tool_call_chunk"),
    fc.array(anyChunk, { maxLength: 60 }),
    fc.array(fc.string({ maxLength: 3_000 }), { maxLength: 10 }),
  )
  .map(([type, chunks, texts]) => {
    const any = chunks.flatMap(({ content }) => content.filter(isDelta)).filter((it) => it.type === type);
    const plain = texts.flatMap((text): DeltaBlock[] =>
      type === "text"
        ? [{ type, text }]
        : type === "reasoning"
          ? [{ type, reasoning: text }]
          : type === "audio"
            ? [{ type, data: text.length % 2 === 0 ? Buffer.from(text).toString("base64") : text }]
            : [{ type, args: text }],
    );
    return any.flatMap((delta, i) => [delta, ...plain.slice(i, i + 1)]);
  });

test("a growing block equals its deltas joined one by one, and stays the same object until it grows", () => {
  fc.assert(
    fc.property(deltas, fc.infiniteStream(fc.boolean()), ([first, ...others], looks) => {
      if (first === undefined) return;
      const growing = new GrowingBlock(first);
      let expected = first;
      for (const delta of others) {
        growing.add(delta);
        expected = joinDelta(expected, delta);
        if (looks.next().value !== true) continue;
        const { shown } = growing;
        expect(shown).toEqual(expected);
        expect(growing.shown).toBe(shown);
      }
      expect(growing.shown).toEqual(expected);
    }),
    { numRuns: 1_000 },
  );
});
