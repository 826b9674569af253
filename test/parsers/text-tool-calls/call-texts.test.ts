import { collect, from, pipe, textToolCalls, toAssistantMessage, toolCallsOf } from "millrace";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  callTexts,
  toolCallInstructions,
  type WrittenCall,
} from "#src/parsers/text-tool-calls/call-texts.js";
import { dialects } from "./support/dialects.js";

const tools = [
  {
    name: "search",
    description: "Finds something.",
    parameters: {
      type: "object",
      properties: { text: { type: "string" }, count: { type: "integer" }, options: { type: "object" } },
    },
  },
  { name: "now", parameters: { type: "object", properties: {} } },
];

const args = fc.record(
  {
    text: fc.string({
      unit: fc.constantFrom(
        ..."aé'\"\\\n {}[]<>,:()".split(/(?:)/),
        "😀",
        "</b>",
        "x, y",
        "<tool_call>",
        "</tool_call>",
        "[TOOL_CALLS]",
        "<think>",
      ),
    }),
    count: fc.integer(),
    options: fc.dictionary(fc.constantFrom("a", "b c", "1"), fc.jsonValue({ maxDepth: 2 }), {
      noNullPrototype: true,
    }),
  },
  { requiredKeys: [] },
);
const call = fc.oneof(
  fc.record({ name: fc.constant("search"), args }),
  fc.constant({ name: "now", args: {} }),
);

test.each(dialects)("calls written in %s are read as the same calls", async (dialect) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 9 }),
      async (calls, size) => {
        const written = JSON.parse(JSON.stringify(calls)) as WrittenCall[];
        const chunks =
          callTexts(dialect)
            .calls(written)
            .match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
        for (const it of [dialect, "auto"] as const) {
          const message = toAssistantMessage(
            ...(await collect(pipe(from(chunks), textToolCalls({ dialect: it, tools })))),
          );
          const read = toolCallsOf(message).map(({ name, args: found }) => ({ name, args: found }));
          expect(read).toEqual(written);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test.each([...dialects, "auto"] as const)(
  "the instructions of %s have the tools and an example that can be read",
  async (dialect) => {
    const text = toolCallInstructions(tools, dialect, true);
    for (const { name, parameters } of tools) {
      expect(text).toContain(`"${name}"`);
      expect(text).toContain(JSON.stringify(parameters));
    }
    const example = callTexts(dialect).calls([{ name: "function_name", args: { parameter: "value" } }]);
    expect(text).toContain(example);
    const known = [{ name: "function_name" }];
    const message = toAssistantMessage(
      ...(await collect(pipe(from([example]), textToolCalls({ dialect, tools: known })))),
    );
    expect(toolCallsOf(message)).toMatchObject([{ name: "function_name", args: { parameter: "value" } }]);
  },
);
