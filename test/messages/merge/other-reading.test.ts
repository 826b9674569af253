import {
  type AssistantMessage,
  createAgent,
  type JsonObject,
  type MessageChunk,
  toAssistantMessage,
  tool,
} from "millrace";
import { everyCut, scriptedModel } from "millrace/testing";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";

/** Arguments that are valid JSON, of which JavaScript keeps only one of two readings. */
const twofold: Readonly<Record<string, string>> = {
  "a key that occurs twice": '{"amount": 1, "amount": 2}',
  "a key that occurs twice, deep": '{"a": [{"b": 1}, {"b": {"c": 1, "c": 1}}]}',
  "a key that occurs twice, once with escapes": '{"amount": 1, "am\\u006funt": 2}',
  "a key that occurs twice, after a string with brackets": '{"a": "}{\\"a\\": 1", "a": 2}',
  "an integer beyond 2 to the power of 53": '{"id": 9007199254740993}',
  "a negative one": '{"id": [-9007199254740993]}',
  "one with zeros after the point": '{"id": 9007199254740993.0}',
  "a number that becomes infinite": '{"amount": 1e400}',
};

const single: Readonly<Record<string, JsonObject>> = {
  '{"a": {"b": 1}, "c": {"b": 1}, "b": [{"b": 1}, {"b": 1}]}': {
    ...{ a: { b: 1 }, c: { b: 1 }, b: [{ b: 1 }, { b: 1 }] },
  },
  '{"a": "9007199254740993", "b": "\\"b\\": 1e400"}': { a: "9007199254740993", b: '"b": 1e400' },
  '{"id": 9007199254740992, "n": -9007199254740991}': { id: 9007199254740992, n: -9007199254740991 },
  '{"e": 1e21, "f": 1.5e-7, "x": 0.1234567890123456789, "zero": 0e5}': {
    ...{ e: 1e21, f: 1.5e-7, x: 0.12345678901234568, zero: 0 },
  },
  '{"a\\\\": "b\\\\", "a": ":"}': { "a\\": "b\\", a: ":" },
};

function chunksOf(pieces: readonly string[]): MessageChunk[] {
  return pieces.map((args, index) => ({
    content: [{ type: "tool_call_chunk", index: 0, ...(index === 0 && { id: "1", name: "pay" }), args }],
  }));
}

function blockOf(pieces: readonly string[]): AssistantMessage["content"][number] | undefined {
  return toAssistantMessage(...chunksOf(pieces)).content[0];
}

describe.each(Object.entries(twofold))("arguments with %s", (_, args) => {
  test("make the call invalid, however they are cut", () => {
    for (const pieces of [[args], ...everyCut(args)]) {
      const block = blockOf(pieces);
      expect(block).toMatchObject({ type: "invalid_tool_call", id: "1", name: "pay", args });
    }
  });

  test("do not reach the tool, and the model is told why", async () => {
    let runs = 0;
    const pay = tool({ name: "pay", schema: z.record(z.string(), z.unknown()), run: () => ++runs });
    const other: MessageChunk = { content: [{ type: "tool_call", id: "2", name: "pay", args: {} }] };
    const model = scriptedModel(({ index }) => (index === 0 ? [...chunksOf([args]), other] : ["Done."]));
    const { messages } = await createAgent({ model, tools: [pay] }).invoke("Pay.");
    expect(runs).toBe(1);
    const answer = messages.find((it) => it.role === "tool" && it.toolCallId === "1");
    expect(JSON.stringify(answer)).toMatch(/twice|too large/);
  });
});

test.each(Object.entries(single))("arguments with one reading make a call: %s", (args, value) => {
  for (const pieces of [[args], ...everyCut(args)])
    expect(blockOf(pieces)).toEqual({ type: "tool_call", id: "1", name: "pay", args: value });
});

test("the check reads long strings and many keys in linear time", () => {
  // Each of these would take minutes if a place was read for each character.
  const texts = [`{"a": "${"\\\\".repeat(500_000)}"}`, `{"a": "${'\\"'.repeat(500_000)}"}`];
  texts.push(`{${Array.from({ length: 100_000 }, (_, index) => `"k${index}"   :   ${index}`).join(",")}}`);
  for (const args of texts) expect(blockOf([args])?.type).toBe("tool_call");
});

test("calls that take turns after their ends are read for it once", () => {
  const list = Array.from({ length: 1_000 }, (_, i) => i);
  const args = JSON.stringify({ list });
  const piece = (index: number, text: string, id?: string): MessageChunk => ({
    content: [{ type: "tool_call_chunk", index, args: text, ...(id !== undefined && { id, name: "pay" }) }],
  });
  const spaces = Array.from({ length: 1_000 }, (_, i) => piece(i % 2, " "));
  const exec = vi.spyOn(RegExp.prototype, "exec");
  const message = toAssistantMessage(piece(0, args, "1"), piece(1, args, "2"), ...spaces);
  const { length } = exec.mock.calls;
  exec.mockRestore();
  expect(message.content).toMatchObject([{ args: { list } }, { args: { list } }]);
  expect(length).toBeLessThan(20 * list.length);
});
