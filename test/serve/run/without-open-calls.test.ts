import { withoutOpenCalls } from "#src/serve/run/without-open-calls.js";
import type { InputMessage } from "#src/serve/run/page-messages.js";
import { expect, test } from "vitest";

test("a long request with calls and answers in turn is checked in linear time", () => {
  const messages = Array.from({ length: 60_000 }, (_, i): InputMessage[] => [
    { role: "assistant", content: "", tool_calls: [{ id: `c${i}`, name: "f", args: {} }] },
    { role: "tool", toolCallId: `c${i}`, content: "" },
  ]).flat();
  expect(withoutOpenCalls(messages, false)).toEqual(messages); // took minutes
});
