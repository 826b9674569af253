import { tool } from "millrace";
import { renderTools, renderToolsWithArgs } from "millrace/agent";
import { expect, test } from "vitest";
import { z } from "zod";

const tools = [
  tool({
    name: "weather",
    description: "How warm it is.",
    schema: z.object({ city: z.string(), user: z.string() }),
    inject: { user: () => "Ann" },
    run: () => "",
  }),
  tool({ name: "ask", run: () => "" }),
  { name: "either", description: "One or the other.", parameters: { anyOf: [{ type: "object" }] } },
];

test("tools are listed one per line, with their arguments", () => {
  expect(renderTools(tools)).toBe("weather: How warm it is.\nask\neither: One or the other.");
  expect(renderToolsWithArgs(tools)).toBe(
    [
      'weather: How warm it is., args: {"city":{"type":"string"}}',
      'ask, args: {"input":{"type":"string"}}',
      'either: One or the other., args: {"anyOf":[{"type":"object"}]}',
    ].join("\n"),
  );
  expect(renderTools([])).toBe("");
});
