import { jsonParser, type Output, textParser, toolCallsParser } from "millrace";
import { describe, expect, test } from "vitest";

const text = '{"a":1}';
const call = { type: "tool_call", id: "1", name: "look", args: { a: 1 } } as const;

describe("parse() takes a whole output as others hand it over:", () => {
  test.each<readonly [string, unknown]>([
    ["a text", text],
    ["a message", { role: "assistant", content: [{ type: "text", text }] }],
    ["a message whose block has no type", { role: "assistant", content: [{ text }] }],
    ["a generation", { text }],
    ["a list of candidates, of which the first counts", [{ text }, { text: "[]" }]],
    [
      "a list of candidates with messages",
      [{ text, message: { role: "assistant", content: [{ type: "text", text }] } }],
    ],
  ])("%s", (_, output) => {
    expect(jsonParser().parse(output as Output)).toEqual({ a: 1 });
    expect(textParser().parse(output as Output)).toBe(text);
  });

  test("the calls of the first candidate", () => {
    const message = { role: "assistant", content: [call] } as const;
    expect(toolCallsParser().parse([{ text: "", message }])).toEqual([{ name: "look", args: { a: 1 } }]);
  });

  test.each([[[]], [[{ type: "text", text }]], [{ content: [{ text }] }], [null]])("but not %j", (output) => {
    expect(() => jsonParser().parse(output as never)).toThrow(TypeError);
  });
});
