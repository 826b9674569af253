import { expect, test } from "vitest";
import { assistant, user, reasoningOf, textOf, toolCallsOf } from "millrace";

const message = assistant([
  { type: "reasoning", reasoning: "two " },
  "4",
  { type: "tool_call", id: "1", name: "f", args: { a: 1 } },
  { type: "reasoning", reasoning: "and two" },
  { type: "text", text: "!" },
  { type: "invalid_tool_call", id: "2", name: "g", args: "{", error: "cut" },
  { type: "tool_call_chunk", id: "3", name: "h", args: "{}", snapshot: {} },
]);

test("textOf joins the text of a message and skips its reasoning", () => {
  expect(textOf(message)).toBe("4!");
  expect(textOf(user([]))).toBe("");
});

test("reasoningOf joins the reasoning of a message and skips its text", () => {
  expect(reasoningOf(message)).toBe("two and two");
});

test("toolCallsOf returns the calls that can be run, not invalid or unfinished ones", () => {
  expect(toolCallsOf(message)).toEqual([{ id: "1", name: "f", args: { a: 1 } }]);
});

test("they also read a chunk", () => {
  const chunk = {
    content: [
      { type: "text", text: "a" },
      { type: "reasoning", reasoning: "b" },
    ],
  } as const;
  expect([textOf(chunk), reasoningOf(chunk), toolCallsOf(chunk)]).toEqual(["a", "b", []]);
});
