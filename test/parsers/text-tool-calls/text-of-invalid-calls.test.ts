import {
  collect,
  from,
  mergeChunk,
  mergeChunks,
  last,
  type MessageChunk,
  pipe,
  textToolCalls,
  toAssistantMessage,
} from "millrace";
import { everyCut, fixedSizes } from "millrace/testing";
import { describe, expect, test } from "vitest";

const tools = [
  {
    name: "weather",
    parameters: { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } } },
  },
];

/** The text of a call, and the part of it that is its arguments. */
const samples: Readonly<Record<string, readonly [text: string, args: string]>> = {
  "JSON with single quotes that breaks off": [
    "<tool_call>\n{'name': 'weather', 'arguments': {'city': 'Os",
    "{'city': 'Os",
  ],
  "JSON with a mistake": [
    '<tool_call>\n{"name": "weather", "arguments": { "city" : "Oslo", days ] 1 } }\n</tool_call>',
    '{ "city" : "Oslo", days ] 1 } }\n',
  ],
  "a list as the arguments": [
    '<tool_call>\n{"name": "weather", "arguments": [ "Oslo",  1 ]}\n</tool_call>',
    '[ "Oslo",  1 ]',
  ],
  "arguments without a value": [
    '<tool_call>\n{"name": "weather", "arguments": , "id": "a"}\n</tool_call>',
    ', "id": "a"}',
  ],
  "arguments twice": [
    '<tool_call>\n{"name": "weather", "arguments": { "days":  1}, "arguments": {}}\n</tool_call>',
    '{ "days":  1}, "arguments": {}}',
  ],
  "a number as the arguments": [
    '<tool_call>\n{"name": "weather", "arguments": 1, "y": 2}\n</tool_call>',
    "1",
  ],
  "a string as the arguments, and one beside it": [
    '<tool_call>\n{"name": "weather", "arguments": "Oslo", "days": 2}\n</tool_call>',
    '"Oslo", "days": 2}',
  ],
  "a mistake before such a key in the arguments": [
    '<tool_call>\nweather{>, "arguments": {}}\n</tool_call>',
    '{>, "arguments": {}}\n',
  ],
  "no name": ['<tool_call>\n{"arguments": { "days":  1 }}\n</tool_call>', '{ "days":  1 }'],
  "Python with a mistake": ["[weather(city='Oslo', days={1 2})]", "city='Oslo', days={1 2})]"],
  "Python without a comma": ["[weather(days=1 city='Oslo')]", "days=1 city='Oslo')]"],
  "Python without a comma after a call": [
    "[weather(city=where('x', y=2) days=1 + 1)]",
    "city=where('x', y=2) days=1 + 1)]",
  ],
  "a parameter that may be nested": [
    "<tool_call>\n<function=weather>\n<parameter=city>\nsee <parameter=days> for it\n</parameter>\n</function>\n</tool_call>",
    "<parameter=city>\nsee <parameter=days> for it\n</parameter>",
  ],
  "keys and values that break off": [
    "<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>days</arg_key>\n<arg_value>1",
    "<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>days</arg_key>\n<arg_value>1",
  ],
};

function read(chunks: readonly string[]): Promise<MessageChunk[]> {
  return collect(pipe(from(chunks), textToolCalls({ tools, createId: () => "1" })));
}

describe("an invalid call has its arguments as the model wrote them", () => {
  for (const [what, [text, args]] of Object.entries(samples)) {
    test(what, async () => {
      for (const cut of [...everyCut(text), ...fixedSizes(text, [1, 2, 3, 7])]) {
        const chunks = await read(cut);
        const message = toAssistantMessage(...chunks);
        expect(message.content).toMatchObject([{ type: "invalid_tool_call", id: "1", args }]);
        expect(toAssistantMessage(chunks.reduce(mergeChunk))).toEqual(message);
        expect(await last(pipe(from(chunks), mergeChunks()))).toEqual(message);
        expect(toAssistantMessage(...(JSON.parse(JSON.stringify(chunks)) as MessageChunk[]))).toEqual(
          message,
        );
      }
    });
  }

  test("and a valid call has no such text", async () => {
    const chunks = await read(["<tool_call>{'name': 'weather', 'arguments': {'city': 'Oslo',}}</tool_call>"]);
    expect(JSON.stringify(chunks)).not.toContain("raw");
    expect(toAssistantMessage(...chunks).content).toMatchObject([
      { type: "tool_call", args: { city: "Oslo" } },
    ]);
  });
});
