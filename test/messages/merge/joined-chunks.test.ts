import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type MessageChunk, toAssistantMessage } from "millrace";
import { JoinedChunks } from "#src/messages/merge/joined-chunks.js";
import { anyChunk, call, text } from "../chunks.js";

describe("joined chunks", () => {
  test("add up to the same message whenever they are read", () => {
    const delta = fc.oneof(
      fc.tuple(fc.constantFrom("a", ""), fc.option(fc.nat(1), { nil: undefined })).map((it) => text(...it)),
      fc.constantFrom("{", "").map((args) => call({ index: 0, args })),
      fc.constant<MessageChunk>({ content: [{ type: "reasoning", reasoning: "r" }] }),
    );
    const chunk = fc.oneof({ weight: 3, arbitrary: delta }, { weight: 1, arbitrary: anyChunk });
    fc.assert(
      fc.property(fc.array(fc.tuple(chunk, fc.boolean()), { maxLength: 20 }), (steps) => {
        const joined = new JoinedChunks();
        const chunks: MessageChunk[] = [];
        for (const [next, look] of steps) {
          joined.add(next);
          chunks.push(next);
          if (look) expect(toAssistantMessage(...joined.all)).toEqual(toAssistantMessage(...chunks));
        }
        expect(toAssistantMessage(...joined.all)).toEqual(toAssistantMessage(...chunks));
      }),
      { numRuns: 1_000 },
    );
  });

  test("are one chunk for each run of deltas, and do not mutate the chunks", () => {
    const chunks: MessageChunk[] = [
      { id: "1", content: [{ type: "text", text: "a", index: 0 }] },
      text("b", 0),
      text("c", 0),
      call({ index: 1, id: "x", name: "f" }),
      call({ index: 1, args: "{" }),
      call({ index: 1, args: "}" }),
      { content: [], finishReason: "stop" },
    ];
    const before = structuredClone(chunks);
    const joined = new JoinedChunks();
    for (const chunk of chunks) joined.add(chunk);
    expect(joined.all).toEqual([
      { id: "1", content: [{ type: "text", text: "abc", index: 0 }] },
      { content: [{ type: "tool_call_chunk", index: 1, id: "x", name: "f", args: "{}" }] },
      { content: [], finishReason: "stop" },
    ]);
    expect(chunks).toEqual(before);
  });
});
