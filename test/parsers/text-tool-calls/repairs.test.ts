import {
  type AssistantMessage,
  createAgent,
  from,
  last,
  mergeChunks,
  pipe,
  textToolCalls,
  tool,
  toolCallsParser,
} from "millrace";
import { everyCut, fixedSizes, scriptedModel } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const tagged = (text: string): string => `<tool_call>\n${text}\n</tool_call>`;

/** The call of each text with the kinds and places of its repairs. */
const calls: Readonly<Record<string, readonly [text: string, repairs: readonly unknown[]]>> = {
  "a comma too much": [
    tagged('{"name": "f", "arguments": {"a": 1,}}'),
    [["f", { a: 1 }, [{ kind: "trailing_comma", offset: 35 }]]],
  ],
  "a repair before the name": [
    tagged('{name: "f", "arguments": {"a": 1}}'),
    [["f", { a: 1 }, [{ kind: "unquoted_key", offset: 1 }]]],
  ],
  "a repair after the arguments": [
    tagged('{"name": "f", "arguments": {"a": 1}'),
    [["f", { a: 1 }, [{ kind: "missing_closer", offset: 36 }]]],
  ],
  "two calls in an array": [
    '[TOOL_CALLS][{"name": "f", "arguments": {a: 1}}, {"name": "g", "arguments": {"b": True}}]',
    [
      ["f", { a: 1 }, [{ kind: "unquoted_key", offset: 29 }]],
      ["g", { b: true }, [{ kind: "literal", offset: 70 }]],
    ],
  ],
  "a name before the JSON": [
    "<function=f>{'a': 1}</function>",
    [["f", { a: 1 }, [{ kind: "quote", offset: 1 }]]],
  ],
  "valid JSON": [tagged('{"name": "f", "arguments": {"a": 1}}'), [["f", { a: 1 }, undefined]]],
  "the keys of Gemma": [
    '<|tool_call>call:f{a:1,b:<|"|>x<|"|>}<tool_call|>',
    [["f", { a: 1, b: "x" }, undefined]],
  ],
};

/** Values of XML are read as JSON where the tool expects it. */
const tools = [
  { name: "f", parameters: { properties: { a: { type: "array" }, b: { type: "object" } } } },
  { name: "g", parameters: { properties: { a: { type: "array" } } } },
];
const inXml: typeof calls = {
  "in a parameter of XML": [
    "<function=f>\n<parameter=a>\n['x', True]\n</parameter>\n<parameter=b>\n{c: 1}\n</parameter>\n</function>",
    [
      [
        "f",
        { a: ["x", true], b: { c: 1 } },
        [
          { kind: "quote", offset: 1 },
          { kind: "literal", offset: 6 },
          { kind: "unquoted_key", offset: 1 },
        ],
      ],
    ],
  ],
  "in a value after its key, and not in the next call": [
    "<tool_call>g<arg_key>a</arg_key><arg_value>[1, 2,]</arg_value></tool_call>\n<tool_call>g<arg_key>a</arg_key><arg_value>[1]</arg_value></tool_call>",
    [
      ["g", { a: [1, 2] }, [{ kind: "trailing_comma", offset: 6 }]],
      ["g", { a: [1] }, undefined],
    ],
  ],
};

async function messageOf(chunks: readonly string[]): Promise<AssistantMessage | undefined> {
  return await last(pipe(from(chunks), textToolCalls({ tools }), mergeChunks()));
}

describe("a call written as text has the repairs of its JSON", () => {
  test.each(Object.entries({ ...calls, ...inXml }))("%s", async (_name, [text, expected]) => {
    for (const chunks of [[text], ...everyCut(text), ...fixedSizes(text, [1, 3])]) {
      const found = (await messageOf(chunks))?.content.map((block) =>
        block.type === "tool_call" ? [block.name, block.args, block.repairs] : block,
      );
      expect(found).toEqual(expected);
    }
  });
});

test("the views of calls report them, and so do agents", async () => {
  const text = tagged('{"name": "f", "arguments": {"a": 1,}}');
  const repairs = [{ kind: "trailing_comma", offset: 35 }];
  const reported: unknown[] = [];
  const parser = toolCallsParser({ onRepair: (repair) => reported.push(repair) });
  await last(pipe(from([text]), textToolCalls(), parser.calls));
  expect(reported).toEqual(repairs);
  const f = tool({ name: "f", description: "", schema: z.object({ a: z.int() }), run: ({ a }) => String(a) });
  const agent = createAgent({
    model: scriptedModel(({ index }) => (index === 0 ? [text] : ["Done."])),
    tools: [f],
    textToolCalls: "hermes",
  });
  const starts: unknown[] = [];
  for await (const event of agent.stream("Go")) if (event.type === "tool_start") starts.push(event.repairs);
  expect(starts).toEqual([repairs]);
});
