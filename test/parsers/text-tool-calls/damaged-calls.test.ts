import { expect, test } from "vitest";
import { collect, type ContentBlock, from, pipe, textToolCalls, toAssistantMessage } from "millrace";
import type { ToolCallDialect } from "millrace/models";
import { everyCut, randomPartitions } from "millrace/testing";
import { callTexts } from "#src/parsers/text-tool-calls/call-texts.js";
import { int, list, pick, type Random, randomOf } from "../../support/random.js";
import { dialects } from "./support/dialects.js";

const tools = [
  { name: "weather", parameters: { type: "object", properties: { city: { type: "string" }, days: {} } } },
  { name: "run", parameters: { type: "object", properties: {} } },
];
/** Pieces of text that damage a call. */
const fragments = [
  ...['"', "'", "\\", "\n", "{", "}", "[", "]", "(", ")", ",", ":", "=", "<", ">", "#", "//", "```", "1"],
  ...["<tool_call>", "</tool_call>", "<|im_end|>", "</parameter>", "<think>", "weather(", "[TOOL_CALLS]"],
  ...[
    "`",
    "</function>",
    "<parameter=city>",
    "</arg_value>",
    "<arg_key>",
    "[THINK]",
    "</analysis>",
    "\n```\n",
    "<function=",
  ],
];

async function read(
  chunks: readonly string[],
  dialect: "auto" | ToolCallDialect,
): Promise<readonly ContentBlock[]> {
  let count = 0;
  const stage = textToolCalls({ dialect, tools, createId: () => `${++count}` });
  return toAssistantMessage(...(await collect(pipe(from(chunks), stage)))).content;
}

function damaged(text: string, random: Random): string {
  const at = int(random, 0, text.length);
  switch (int(random, 0, 3)) {
    case 0:
      return text.slice(0, at) + text.slice(at + int(random, 1, 4));
    case 1:
      return text.slice(0, at);
    default:
      return text.slice(0, at) + pick(random, fragments) + text.slice(at);
  }
}

test("damaged calls of all dialects are read alike, however the text is cut", async () => {
  const random = randomOf(21);
  for (let i = 0; i < 250; i++) {
    const dialect = pick(random, dialects);
    const calls = list(int(random, 1, 2), () => ({
      name: pick(random, ["weather", "run"]),
      args: pick(random, [{}, { city: "Oslo" }, { city: pick(random, fragments), days: [1, "a"] }]),
    }));
    let text = `Sure.\n${callTexts(dialect).calls(calls)}${pick(random, ["", "\n", " done", "\n```"])}`;
    for (let n = int(random, 1, 4); n > 0; n--) text = damaged(text, random);
    const reader = pick(random, [dialect, "auto"] as const);
    const whole = await read([text], reader);
    const partitions = [Array.from(text), ...randomPartitions(text, { seed: i + 1, count: 2 })];
    for (const chunks of partitions) {
      const cut = await read(chunks, reader);
      expect({ text, reader, blocks: cut }).toEqual({ text, reader, blocks: whole });
    }
  }
});

test("a call that is cut does not run with a part of its arguments, in any dialect", async () => {
  const args = { city: "Oslo, the city", days: "C" };
  for (const dialect of dialects) {
    const text = callTexts(dialect).calls([{ name: "weather", args }]);
    for (let length = 1; length <= text.length; length++) {
      for (const reader of [dialect, "auto"] as const) {
        for (const block of await read([text.slice(0, length)], reader)) {
          if (block.type === "tool_call")
            expect({ reader, length, args: block.args }).toEqual({ reader, length, args });
        }
      }
    }
  }
});

test.each([
  ["white space before a name of Gemma", "<|tool_call>call: run{}<tool_call|>", "auto"],
  ["white space after json", "<|start|>assistant to=functions.run json <|message|>{}<|call|>", "auto"],
  ["a key of no call after the arguments", '<tool_call>{"arguments": "x", "y"{}}</tool_call>', "hermes"],
] as const)("%s is the same call or text, however the text is cut", async (_, text, dialect) => {
  const types = async (chunks: readonly string[]) => (await read(chunks, dialect)).map(({ type }) => type);
  const whole = await types([text]);
  expect(whole).not.toContain("text");
  for (const chunks of [...everyCut(text), text.split("")]) expect(await types(chunks)).toEqual(whole);
});

test.each([
  ['[{"name": "run", "arguments": {}}, {and "name": "weather", "arguments": {}}]', ["run"]],
  ['[{"name": "run", "arguments": {}, {and "name": "weather", "arguments": {}}]', ["run"]],
  ['[{"name": "run", "arguments": {"a": }}, {and "name": "weather", "arguments": {}}]', []],
  ['[{"name": "run", "arguments": , {"name": "weather", "arguments": {}}]', ["weather"]],
])("a guess refuses the call that it is in, however the text is cut: %s", async (calls, expected) => {
  const text = `[TOOL_CALLS]${calls}`;
  for (const chunks of [...everyCut(text), text.split("")]) {
    const blocks = await read(chunks, "auto");
    expect(blocks).toHaveLength(2);
    expect(blocks.flatMap((it) => (it.type === "tool_call" ? it.name : []))).toEqual(expected);
  }
});

test("a call with a closing tag in a key does not run if it goes on only with a repair, however it is cut", async () => {
  const end = "<｜tool▁call▁end｜>";
  const text = `<｜tool▁call▁begin｜>run<｜tool▁sep｜>{"${end}<｜"b": }${end}${end}\`\`\``;
  for (const chunks of [...everyCut(text), text.split("")])
    expect((await read(chunks, "auto"))[0]?.type).toBe("invalid_tool_call");
});
