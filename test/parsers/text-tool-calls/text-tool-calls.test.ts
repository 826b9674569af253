import {
  collect,
  type ContentBlock,
  from,
  type MessageChunk,
  pipe,
  textOf,
  textToolCalls,
  type TextToolCallsOptions,
  toAssistantMessage,
  toolCallsOf,
} from "millrace";
import { everyCut, fixedSizes, operatorLaws } from "millrace/testing";
import { JsonParser } from "millrace/json";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { expectSame } from "../../json/support/same-json.js";

const tools = [
  {
    name: "weather",
    parameters: {
      type: "object",
      properties: {
        city: { type: "string" },
        days: { type: "integer" },
        units: { type: "array", items: { type: "string" } },
        zip: { type: "string" },
      },
    },
  },
  { name: "math.gcd", parameters: { type: "object", properties: { a: {}, b: {} } } },
];

type Options = Omit<TextToolCallsOptions, "createId">;

function read(chunks: readonly (string | MessageChunk)[], options: Options = {}): Promise<MessageChunk[]> {
  let count = 0;
  return collect(pipe(from(chunks), textToolCalls({ ...options, createId: () => `${++count}` })));
}

async function blocksOf(chunks: readonly string[], options: Options): Promise<readonly ContentBlock[]> {
  return toAssistantMessage(...(await read(chunks, options))).content;
}

/** A call as `name` and its arguments; text as it is. */
function short(block: ContentBlock): unknown {
  if (block.type === "text") return block.text;
  if (block.type === "tool_call") return [block.name, block.args];
  if (block.type === "invalid_tool_call") return ["invalid", block.name, block.args];
  return block;
}

interface Sample {
  readonly title: string;
  readonly dialect: NonNullable<Options["dialect"]>;
  readonly text: string;
  readonly blocks: readonly unknown[];
  /** Read without knowing the tools. */
  readonly unknown?: boolean;
}

const oslo = ["weather", { city: "Oslo" }];
const rome = ["weather", { city: "Rome" }];

const samples: readonly Sample[] = [
  {
    title: "a call after a lone bracket",
    dialect: "auto",
    text: '{\nweather(city="Oslo")',
    blocks: ["{\n", oslo],
  },
  {
    title: "a marker after lone brackets",
    dialect: "auto",
    text: '{{<function_call>weather({"city": "Oslo"})</function_call>',
    blocks: ["{{", oslo],
  },
  {
    title: "Hermes with text before",
    dialect: "hermes",
    text: 'I look.\n<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>\n',
    blocks: ["I look.\n", oslo],
  },
  {
    title: "arguments before the name, in single quotes",
    dialect: "hermes",
    text: `<tool_call>\n{"arguments": {'city': 'Oslo'}, "name": 'weather'}\n</tool_call>`,
    blocks: [oslo],
  },
  {
    title: "two calls and text after them",
    dialect: "hermes",
    text: '<tool_call>{"name":"weather","arguments":{"city":"Oslo"}}</tool_call>\n<tool_call>{"name":"weather","arguments":{"city":"Rome"}}</tool_call> done',
    blocks: [oslo, rome, " done"],
  },
  {
    title: "several documents in one tag",
    dialect: "hermes",
    text: '<tool_call>\n{"name":"weather","arguments":{"city":"Oslo"}}\n{"name":"weather","arguments":{"city":"Rome"}}\n</tool_call>',
    blocks: [oslo, rome],
  },
  {
    title: "a closing tag inside a string",
    dialect: "hermes",
    text: '<tool_call>{"name":"weather","arguments":{"city":"</tool_call> Oslo"}}</tool_call>',
    blocks: [["weather", { city: "</tool_call> Oslo" }]],
  },
  {
    title: "arguments as a string with JSON",
    dialect: "hermes",
    text: String.raw`<tool_call>{"name":"weather","arguments":"{\"city\": \"Oslo\"}"}</tool_call>`,
    blocks: [oslo],
  },
  {
    title: "a tag that is not a call",
    dialect: "hermes",
    text: "Write <tool_call> before a call, as in <tool_call>{…}.",
    blocks: ["Write <tool_call> before a call, as in <tool_call>{…}."],
  },
  {
    title: "calls in the thinking of the model",
    dialect: "hermes",
    text: '<think>maybe <tool_call>{"name":"weather","arguments":{}}</tool_call></think>\n<tool_call>{"name":"weather","arguments":{"city":"Oslo"}}</tool_call>',
    blocks: ['<think>maybe <tool_call>{"name":"weather","arguments":{}}</tool_call></think>\n', oslo],
  },
  {
    title: "Granite without closing tags",
    dialect: "granite",
    text: '<function_call> {"name": "weather", "arguments": {"city": "Oslo"}} <function_call> {"name": "math_gcd", "arguments": {"a": 2, "b": 4}}',
    blocks: [oslo, ["math.gcd", { a: 2, b: 4 }]],
  },
  {
    title: "Mistral with an array",
    dialect: "mistral",
    text: '[TOOL_CALLS] [{"name": "weather", "arguments": {"city": "Oslo"}}, {"name": "weather", "arguments": {"city": "Rome"}}]</s>',
    blocks: [oslo, rome],
  },
  {
    title: "Mistral with names",
    dialect: "mistral",
    text: '[TOOL_CALLS]weather[CALL_ID]a1b2c3[ARGS]{"city": "Oslo"}[TOOL_CALLS]weather[ARGS]{"city": "Rome"}',
    blocks: [oslo, rome],
  },
  {
    title: "Llama with a tag and parameters",
    dialect: "llama",
    text: '<|python_tag|>{"name": "weather", "parameters": {"city": "Oslo"}}; {"name": "weather", "parameters": {"city": "Rome"}}<|eom_id|>',
    blocks: [oslo, rome],
  },
  {
    title: "Llama with a method of a tool",
    dialect: "llama",
    text: '<|python_tag|>weather.call(city="Oslo")<|eom_id|>',
    blocks: [oslo],
  },
  {
    title: "Llama without a tag",
    dialect: "llama",
    text: '{"type": "function", "name": "weather", "parameters": {"city": "Oslo"}}',
    blocks: [oslo],
  },
  {
    title: "GLM",
    dialect: "glm",
    text: 'weather\n{"city": "Oslo"}',
    blocks: [oslo],
  },
  {
    title: "GLM 4.5 with types of the tool",
    dialect: "glm-xml",
    text: 'I look.\n<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>New\nYork</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n<arg_key>units</arg_key>\n<arg_value>["C", "F"]</arg_value>\n<arg_key>zip</arg_key>\n<arg_value>01234</arg_value>\n</tool_call>',
    blocks: ["I look.\n", ["weather", { city: "New\nYork", days: 3, units: ["C", "F"], zip: "01234" }]],
  },
  {
    title: "GLM 4.7 without line breaks, twice, and text after it",
    dialect: "glm-xml",
    text: "<tool_call>weather<arg_key>city</arg_key><arg_value>Oslo</arg_value></tool_call>\n<tool_call>weather<arg_key>city</arg_key><arg_value>Rome</arg_value></tool_call>\nI wait.",
    blocks: [oslo, rome, "\nI wait."],
  },
  {
    title: "GLM 4.5 with spaces between tags, and a line break at the end of a value",
    dialect: "glm-xml",
    text: "<tool_call>math_gcd <arg_key> a </arg_key> <arg_value>if a < b:\n  <b>c</b>\n</arg_value> <arg_key>b</arg_key><arg_value>\n</arg_value> </tool_call>",
    blocks: [["math.gcd", { a: "if a < b:\n  <b>c</b>\n", b: "\n" }]],
  },
  {
    title: "GLM 4.5 without arguments",
    dialect: "glm-xml",
    text: "<tool_call>weather\n</tool_call>",
    blocks: [["weather", {}]],
  },
  {
    title: "GLM 4.5 with the key __proto__",
    dialect: "glm-xml",
    text: "<tool_call>weather<arg_key>__proto__</arg_key><arg_value>x</arg_value></tool_call>",
    blocks: [["weather", JSON.parse('{"__proto__": "x"}')]],
  },
  {
    title: "Qwen-XML with types of the tool",
    dialect: "qwen-xml",
    text: '<tool_call>\n<function=weather>\n<parameter=city>\nNew\nYork\n</parameter>\n<parameter=days>\n3\n</parameter>\n<parameter=units>\n["C", "F"]\n</parameter>\n<parameter=zip>\n01234\n</parameter>\n</function>\n</tool_call>',
    blocks: [["weather", { city: "New\nYork", days: 3, units: ["C", "F"], zip: "01234" }]],
  },
  {
    title: "XML tags in a value of Qwen-XML",
    dialect: "qwen-xml",
    text: "<function=weather>\n<parameter=city>\n<b>Oslo</b> </p>\n</parameter>\n</function>",
    blocks: [["weather", { city: "<b>Oslo</b> </p>" }]],
  },
  {
    title: "line breaks in the tags of Qwen-XML",
    dialect: "qwen-xml",
    text: "<function=\nweather\n>\n<parameter=\ncity\n>\nOslo\n</parameter\n>\n</function\n>",
    blocks: [oslo],
  },
  {
    title: "a function tag with JSON",
    dialect: "llama",
    text: '<function=weather>{"city": "Oslo"}</function>',
    blocks: [oslo],
  },
  {
    title: "Python with all kinds of values",
    dialect: "python",
    text: `[weather(city='O\\'Hare "x"', days=-1_000, units=["C", ('a', 1.5,)], zip=None, extra={'k': True, "n": [{}]})]`,
    blocks: [
      [
        "weather",
        { city: `O'Hare "x"`, days: -1000, units: ["C", ["a", 1.5]], zip: null, extra: { k: true, n: [{}] } },
      ],
    ],
  },
  {
    title: "Python in a fence, with prose that repeats the call",
    dialect: "python",
    text: "```python\n  print(weather(city='Oslo'))  # warm\n```\n\nThe call `weather(city='Rome')`:\nweather(city='Rome')",
    blocks: [
      "```python\n  print(",
      oslo,
      ")  # warm\n```\n\nThe call `weather(city='Rome')`:\nweather(city='Rome')",
    ],
  },
  {
    title: "Python with a dictionary or without names",
    dialect: "python",
    text: `[weather({"city": "Oslo"}), math.gcd(12, 18)]`,
    blocks: [oslo, ["math.gcd", { a: 12, b: 18 }]],
  },
  {
    title: "names that are escaped as in Markdown, and apostrophes in strings",
    dialect: "python",
    text: String.raw`[math\_gcd(a='Men's x\_y', b="It''s")]`,
    blocks: [["math.gcd", { a: "Men's x_y", b: "It''s" }]],
  },
  {
    title: "adjacent strings, which are one",
    dialect: "python",
    text: `weather(city='Os' "lo")`,
    blocks: [oslo],
  },
  {
    title: "calls in quotes and in pairs",
    dialect: "python",
    text: `['weather(city="Oslo")', ('weather', {'city': 'Rome'})]`,
    blocks: [oslo, rome],
  },
  {
    title: "a list of a name and arguments",
    dialect: "python",
    text: "[weather, city='Oslo', days=2]",
    blocks: [["weather", { city: "Oslo", days: 2 }]],
  },
  {
    title: "arithmetic and expressions",
    dialect: "python",
    text: "[math.gcd(a=2 * (3 + 4) ** 2, b=len('x, y'))]",
    blocks: [["math.gcd", { a: 98, b: "len('x, y')" }]],
  },
  {
    title: "strings with a plus, escapes of Python, signs, and a list without its closing bracket",
    dialect: "python",
    text: String.raw`[math.gcd(a="x" + "\d\x41\U0001F600", b=-3*+2), math.gcd(a=[1, 2)]`,
    blocks: [
      ["math.gcd", { a: "x\\dA😀", b: -6 }],
      ["math.gcd", { a: [1, 2] }],
    ],
  },
  {
    title: "text after the comma of a list without its closing bracket",
    dialect: "python",
    text: `[weather(city="Oslo"),\nand more`,
    blocks: [oslo, "\nand more"],
  },
  {
    title: "dates, ranges and numbers of telephones, which are no arithmetic",
    dialect: "python",
    text: "[math.gcd(a=2024-10-15, b=[10/12/2024, 555-1234]), weather(zip=10 - 2, city=2024-01-15, days=9-7)]",
    blocks: [
      ["math.gcd", { a: "2024-10-15", b: ["10/12/2024", "555-1234"] }],
      ["weather", { zip: "10 - 2", city: "2024-01-15", days: 2 }],
    ],
  },
  {
    title: "large numbers, and those that would be rounded or lose their zeros",
    dialect: "python",
    text: "[weather(zip=01234, days=0x1fffffffffffff), math.gcd(a=10**17 + 1 - 10**17, b=1.5e3)]",
    blocks: [
      ["weather", { zip: "01234", days: 9007199254740991 }],
      ["math.gcd", { a: "10**17 + 1 - 10**17", b: 1500 }],
    ],
  },
  {
    title: "words that every object has as keys",
    dialect: "python",
    text: "[math.gcd(a=constructor, b=toString)]",
    blocks: [["math.gcd", { a: "constructor", b: "toString" }]],
  },
  {
    title: "a list that is not a call",
    dialect: "python",
    text: `["a", "b"] and [1, 2](x) and f(x)\n{"a": 1}`,
    blocks: [`["a", "b"] and [1, 2](x) and f(x)\n{"a": 1}`],
  },
  {
    title: "JSON with tool_calls",
    dialect: "json",
    text: '\n{"tool_calls": [{"name": "weather", "arguments": {"city": "Oslo"}}, {"type": "function", "function": {"name": "weather", "arguments": {"city": "Rome"}}}]}',
    blocks: [oslo, rome],
  },
  {
    title: "JSON that names no tool",
    dialect: "json",
    text: '{"name": "Ada", "arguments": {"x": 1}}',
    blocks: ['{"name": "Ada", "arguments": {"x": 1}}'],
  },
  {
    title: "JSON with integer-like keys",
    dialect: "json",
    text: '{"name": "weather", "arguments": {"c": 1, "1": {"x": [1, "é\\u00e9😀"]}, "b": 2}}',
    blocks: [["weather", { "1": { x: [1, "éé😀"] }, c: 1, b: 2 }]],
    unknown: true,
  },
];

const invalid: readonly Sample[] = [
  {
    title: "a JSON call that ends early",
    dialect: "hermes",
    text: '<tool_call>{"name": "weather", "arguments": {"city": "Os',
    blocks: [["invalid", "weather", '{"city": "Os']],
  },
  {
    title: "a call without a name",
    dialect: "hermes",
    text: '<tool_call>{"arguments": {"city": "Oslo"}}</tool_call>',
    blocks: [["invalid", undefined, '{"city": "Oslo"}']],
  },
  {
    title: "a Python call that gives a parameter twice",
    dialect: "python",
    text: "weather(city='Oslo', city='Rome')",
    blocks: [["invalid", "weather", "city='Oslo', city='Rome')"]],
  },
  {
    title: "a Python call that gives a parameter by its place and by its name",
    dialect: "python",
    text: "weather('Oslo', city='Rome')",
    blocks: [["invalid", "weather", "'Oslo', city='Rome')"]],
  },
  {
    title: "a Python call with an argument without a name after one with a name",
    dialect: "python",
    text: "weather(city=Oslo, Norway)",
    blocks: [["invalid", "weather", "city=Oslo, Norway)"]],
  },
  {
    title: "a Python call with a list of arguments",
    dialect: "python",
    text: "[weather(days=1), weather(*['Oslo', 3])]",
    blocks: [
      ["weather", { days: 1 }],
      ["invalid", "weather", "*['Oslo', 3])]"],
    ],
  },
  {
    title: "a Python call that ends early",
    dialect: "python",
    text: "[weather(city='Oslo', days=",
    blocks: [["invalid", "weather", "city='Oslo', days="]],
  },
  {
    title: "a Python call with an error",
    dialect: "python",
    text: "[weather(city={1 2})]\nDone.",
    blocks: [["invalid", "weather", "city={1 2})]"], "\nDone."],
  },
  {
    title: "a call of GLM 4.5 that ends early",
    dialect: "glm-xml",
    text: "<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Os",
    blocks: [["invalid", "weather", "<arg_key>city</arg_key>\n<arg_value>Os"]],
  },
  {
    title: "a call of GLM 4.5 that ends inside a key",
    dialect: "glm-xml",
    text: "<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>da",
    blocks: [["invalid", "weather", "<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>da"]],
  },
  {
    title: "a call of GLM 4.5 with a value that is not closed",
    dialect: "glm-xml",
    text: "<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</tool_call>",
    blocks: [["invalid", "weather", "<arg_key>city</arg_key>\n<arg_value>Oslo"]],
  },
  {
    title: "an XML call that ends early",
    dialect: "qwen-xml",
    text: "<function=weather>\n<parameter=city>\nOs",
    blocks: [["invalid", "weather", "<parameter=city>\nOs"]],
  },
  {
    title: "arguments that are a number, and another key after them",
    dialect: "json",
    text: '{"name": "weather", "arguments": 5, "strict": true}',
    blocks: [["invalid", "weather", "5"]],
  },
  {
    title: "a call whose arguments are wrong in the middle",
    dialect: "hermes",
    text: '<tool_call>{"name": "weather", "arguments": {"city": "Oslo", "days" ] x}</tool_call>',
    blocks: [["invalid", "weather", '{"city": "Oslo", "days" ] x}']],
  },
  {
    title: "a call that ends after a number",
    dialect: "hermes",
    text: '<tool_call>{"name": "weather", "arguments": {"days": 1, {"city": "Oslo"',
    blocks: [["invalid", "weather", '{"days": 1, {"city": "Oslo"']],
  },
  {
    title: "an object after a call, which is none",
    dialect: "mistral",
    text: '[TOOL_CALLS] [{"name": "weather", "arguments": {"city": "Oslo"}}, {"city": 1}] x',
    blocks: [oslo, '{"city": 1}] x'],
  },
  {
    title: "a word after a call that is not closed",
    dialect: "mistral",
    text: '[TOOL_CALLS] [{"name": "weather", "arguments": {"city": "Oslo"}}True] x',
    blocks: [oslo, "True] x"],
  },
  {
    title: "a value after a call, at the end",
    dialect: "mistral",
    text: '[TOOL_CALLS] [{"name": "weather", "arguments": {"city": "Oslo"}}, {"na',
    blocks: [oslo, '{"na'],
  },
  ...(
    [
      ['[TOOL_CALLS][{"name":"weather","arguments":"city=Oslo" {', "city=Oslo", "{"],
      ['<tool_call>[{"name":"weather","arguments":"x", {', "x", "{"],
      ['<tool_call>[{"name":"weather","arguments":5, {', "5", "{"],
      ['<tool_call>[{"name":"weather","arguments":"x" {"name":"p', "x", '{"name":"p'],
      ['<tool_call>[{"name":"weather","arguments":"x"\n{"note": 1', "x", '{"note": 1'],
      [
        '[{"name":"weather","arguments":"x"{"name":"weather","arguments":',
        "x",
        '{"name":"weather","arguments":',
      ],
    ] as const
  ).map(([text, args, rest]): Sample => ({
    title: `a call that ends where the next value begins: ${JSON.stringify(text)}`,
    dialect: "auto",
    text,
    blocks: [["invalid", "weather", args], rest],
  })),
  {
    title: "a call without arguments before an object that is no call",
    dialect: "auto",
    text: '[{"name": "weather", {"city": "Oslo"})',
    blocks: [["weather", {}], '{"city": "Oslo"})'],
  },
  {
    title: "a call without arguments that is cut",
    dialect: "auto",
    text: '[({function{name:weather,args:}}"a',
    blocks: ['[({function{name:weather,args:}}"a'],
  },
  {
    title: "a call whose lost quote only the end of the line settles",
    dialect: "llama",
    text: '{"name": "weather", "parameters: {}}\n```',
    blocks: [["weather", {}], "```"],
  },
  {
    title: "the arguments of another call after a call without a value",
    dialect: "json",
    text: '{"tool_calls": [{"name": "weather", "arguments": x({"a":1}{}, {"name": "math.gcd", "arguments": {}}]}',
    blocks: [["invalid", "weather", 'x({"a":1}{}, {"name": "math.gcd", "arguments": {}}]}']],
  },
  {
    title: "an array that a parenthesis closes",
    dialect: "hermes",
    text: '<tool_call>[{"name":"weather","arguments":{"city":"Oslo"}}) and text',
    blocks: [oslo, " and text"],
  },
  {
    title: "a call in Python inside JSON that is no call",
    dialect: "auto",
    text: '<tool_call>{"tool_calls": [weather(city="Oslo")]}</tool_call>',
    blocks: ['<tool_call>{"tool_calls": [weather(city="Oslo")]}</tool_call>'],
  },
];

describe("textToolCalls", () => {
  for (const { title, dialect, text, blocks, unknown } of [...samples, ...invalid]) {
    test(`reads ${title}, however the text is cut`, async () => {
      const options = { dialect, ...(unknown === true ? {} : { tools }) };
      for (const chunks of [...everyCut(text), ...fixedSizes(text, [1, 2, 3, 7])]) {
        expectSame((await blocksOf(chunks, options)).map(short), blocks);
      }
    });
  }

  test.each(samples.filter(({ text }) => !text.startsWith("[1")))(
    "reads $title with the dialect auto",
    async ({ text, blocks }) => {
      expect((await blocksOf([text], { tools })).map(short)).toEqual(blocks);
    },
  );

  test("reads calls behind a tag without knowing the tools", async () => {
    for (const { dialect, text } of samples.filter(
      ({ text, blocks }) =>
        (text.startsWith("<") || text.startsWith("[T")) && JSON.stringify(blocks) !== '[["weather",{}]]',
    )) {
      const known = toolCallsOf(toAssistantMessage(...(await read([text], { dialect, tools }))));
      const found = toolCallsOf(toAssistantMessage(...(await read([text], { dialect }))));
      expect(found).toHaveLength(known.length);
    }
  });

  test("shows arguments while they grow", async () => {
    const chunks = [
      '<tool_call>{"name": "weather", "arg',
      'uments": {"city": "Os',
      'lo", "da',
      'ys": 3}}',
      "</tool_call>",
    ];
    const args = (await read(chunks, { dialect: "hermes" })).map(({ content }) =>
      content.map((block) => (block.type === "tool_call_chunk" ? (block.args ?? "") : undefined)),
    );
    expect(args).toEqual([['{"city":"Os'], ["lo"], ['","days":3}']]);
  });

  test("passes text on at once", async () => {
    const texts = (await read(["Hel", "lo, <b", ">wor", "ld<too", "l"])).map(textOf);
    expect(texts).toEqual(["Hel", "lo, <b", ">wor", "ld", "<tool"]);
  });

  test("keeps other blocks and fields, and says that the model waits for tools", async () => {
    const chunks: MessageChunk[] = [
      { id: "m", content: [{ type: "reasoning", reasoning: "hm" }], model: "x" },
      { content: [{ type: "text", text: '<tool_call>{"name": "weather", "arguments": {}}</tool_call>' }] },
      { content: [], finishReason: "stop", usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } },
      { content: [], metadata: { a: 1 } },
    ];
    expect(toAssistantMessage(...(await read(chunks)))).toEqual({
      role: "assistant",
      id: "m",
      model: "x",
      content: [
        { type: "reasoning", reasoning: "hm" },
        { type: "tool_call", id: "1", name: "weather", args: {} },
      ],
      finishReason: "tool_calls",
      usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
      metadata: { a: 1 },
    });
  });

  test("keeps citations at their text, after reasoning and after a call", async () => {
    const cite = (url: string): ContentBlock => ({
      type: "text",
      index: 1,
      text: "",
      annotations: [{ type: "citation", url }],
    });
    const say = (text: string): MessageChunk => ({ content: [{ type: "text", index: 1, text }] });
    const chunks: MessageChunk[] = [
      { content: [{ type: "reasoning", index: 0, reasoning: "hm" }] },
      say("Oslo"),
      { content: [cite("a")] },
      say(" is cold.<function_call>weather({})</function_call>"),
      say("Rome"),
      { content: [cite("b")] },
    ];
    expect(toAssistantMessage(...(await read(chunks))).content).toMatchObject([
      { type: "reasoning", reasoning: "hm" },
      { type: "text", text: "Oslo is cold.", annotations: [{ url: "a" }] },
      { type: "tool_call", name: "weather" },
      { type: "text", text: "Rome", annotations: [{ url: "b" }] },
    ]);
  });

  test("does not complete a call that the token limit has cut", async () => {
    const text = '<tool_call>{"name": "weather", "arguments": {"units": ["C"';
    const cut = { content: [{ type: "text", text }], finishReason: "length" } as const;
    const [block] = toAssistantMessage(...(await read([cut]))).content;
    expect(block).toMatchObject({ type: "invalid_tool_call", name: "weather", args: '{"units": ["C"' });
  });

  test("does not run a call that the token limit has cut after its arguments", async () => {
    for (const open of ["<tool_call>", "", "<tool_call>["]) {
      const text = `${open}{"name": "weather", "arguments": {"city": "Oslo"}`;
      for (const end of ["", ",", "}"]) {
        const cut = { content: [{ type: "text", text: text + end }], finishReason: "length" } as const;
        const { content } = toAssistantMessage(...(await read([cut], { tools })));
        const type = end === "}" && !open.endsWith("[") ? "tool_call" : "invalid_tool_call";
        expect(content).toMatchObject([{ type, name: "weather" }]);
      }
    }
  });

  // A quadratic reader needs minutes for each of these.
  test("reads hostile text before the test times out", async () => {
    const hostile = [
      '<tool_call>{"arguments":\n',
      "[[[[",
      '{"name":\n',
      "<tool_call>",
      "weather\n",
      "[weather(",
      "weather(city='",
      "<function=weather><parameter=",
      "<tool_call>   \n",
      "<tool_call>weather<arg_key>",
      "<tool_call>weather<arg_key>a</arg_key><arg_value>\n<",
      "<tool_call>weather<arg_key>a</arg_key>\n",
      '\n{"arguments": {"a": "',
    ];
    for (const part of hostile) {
      const text = part.repeat(Math.ceil(100_000 / part.length));
      const chunks = text.match(/[^]{1,50}/g) ?? [];
      expect(await blocksOf(chunks, { tools })).not.toEqual([]);
    }
  });

  test("reads a call with a name, a key or nesting without end as text or as an invalid call", async () => {
    const long = "a".repeat(1_000_000);
    const deep = "[".repeat(100_000);
    const calls = [
      `<tool_call>${long}`,
      `<tool_call>{"name": "${long}", "arguments": {"a": 1}}</tool_call>`,
      `<tool_call>weather<arg_key>${long}</arg_key><arg_value>x</arg_value></tool_call>`,
      `<function=${long}></function>`,
      `${long}(a=1)`,
      `<tool_call>{"name": "weather", "arguments": {"city": ${deep}}}</tool_call>`,
      `weather(city=${deep}])`,
      `<tool_call>weather<arg_key>units</arg_key><arg_value>${deep}</arg_value></tool_call>`,
    ];
    for (const text of calls) {
      const chunks = text.match(/[^]{1,65536}/g) ?? [];
      const message = toAssistantMessage(...(await read(chunks, { tools })));
      for (const { args } of toolCallsOf(message)) expect(JSON.stringify(args).length).toBeLessThan(200_100);
    }
  });

  test("refuses an unknown dialect", () => {
    expect(() => textToolCalls({ dialect: "klingon" as "json" })).toThrow(TypeError);
  });

  const inputs = ["a <tool_", 'call>{"name": "f", "arguments": {"a": 1', "}}</tool_call>", " b"];
  // G-stream-1
  for (const law of operatorLaws(() => textToolCalls({ createId: () => "1" }), { inputs })) {
    test.concurrent(law.name, () => law.check());
  }
});

test("a repeated key of the arguments makes an invalid call, not an error", async () => {
  for (const [first, second] of [
    ['"x"', '{"city": "Oslo"}'],
    ['{"days": 1}', '{"city": "Oslo"}'],
    ["1", '["a"]'],
  ] as const) {
    const call = `{"name": "weather", "arguments": ${first}, "arguments": ${second}}`;
    const text = `<tool_call>\n${call}\n</tool_call>`;
    for (const chunks of [[text], ...everyCut(text), ...fixedSizes(text, [1, 2, 3, 7])]) {
      const blocks = await blocksOf(chunks, { dialect: "hermes", tools });
      expect(blocks).toMatchObject([{ type: "invalid_tool_call", name: "weather" }]);
    }
  }
});

test("deep parentheses of Python are no call, and no stack overflows", async () => {
  const deep = `weather(city=${"(".repeat(4000)}1${")".repeat(4000)})`;
  const blocks = await blocksOf([deep], { dialect: "python", tools });
  expect(blocks.every(({ type }) => type !== "tool_call")).toBe(true);
});

test.each(["]", ":", "}\\n", ") ", "}]:"])(
  "a string of arguments full of %j is read in large pieces",
  async (part) => {
    const city = JSON.parse(`"${part.repeat(10_000)}"`) as string;
    const write = vi.spyOn(JsonParser.prototype, "write");
    onTestFinished(() => {
      write.mockRestore();
    });
    const args = { city: `x${city}x` };
    const text = `<tool_call>${JSON.stringify({ name: "weather", arguments: args })}</tool_call>`;
    expect(await blocksOf([text], { dialect: "hermes" })).toMatchObject([{ type: "tool_call", args }]);
    expect(write.mock.calls.length).toBeLessThan(text.length / 20);
  },
);
