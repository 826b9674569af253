import type { ContentBlock } from "millrace";
import { everyCut } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { expectBlocks, readBlocks } from "./support/read-calls.js";

/** A call that can be read in two ways, or of which a repair drops a part, is invalid: its tool does not run. */

const numbers = { type: "array", items: { type: "number" } };
const parameters = {
  type: "object",
  properties: {
    amount: { type: ["number", "null"] },
    city: { type: "string" },
    ids: numbers,
    place: { type: "object" },
  },
};
const tools = [
  { name: "pay", parameters },
  { name: "refund", parameters },
];

const json = (args: string): string => `<tool_call>\n{"name": "pay", "arguments": ${args}}\n</tool_call>`;
const xml = (key: string, value: string): string =>
  `<tool_call>\n<function=pay>\n<parameter=${key}>\n${value}\n</parameter>\n</function>\n</tool_call>`;

const twofold: Readonly<Record<string, string>> = {
  "a missing value": json('{"amount": , "city": "Oslo"}'),
  "a missing value at the end": json('{"amount": }'),
  "a part that is escaped": json('{"place": {\\"a\\": 1}}'),
  "an ellipsis": json('{"ids": [1, 2, ...]}'),
  "an ellipsis as a member": json('{"amount": 1, ...}'),
  "words between members": json('{"amount": 1, OR MAYBE "city": "Oslo"}'),
  "a call of a function": json('{"amount": abs(-5)}'),
  "a call of a method": json('{"city": x.upper("Oslo")}'),
  "a key in a list": json('{"ids": ["a": 1]}'),
  "a comma in a key": json('{"amount",: 12, "city": "Oslo"}'),
  "a bracket in a key": json('{"place": {"a"]: 1, "b": 2}}'),
  "a comma in a key without its quote": json('{"amount,: 12, "city": "Oslo"}'),
  "an argument in a text": json('{"city": "Oslo": "ids": [1], "amount": 2}'),
  "a text without its key": json('{"city": "a", "b", "amount": 2}'),
  NaN: json('{"amount": NaN}'),
  "minus Infinity": json('{"amount": -Infinity}'),
  "a number that becomes infinite": json('{"amount": 1e400}'),
  "an integer beyond 2 to the power of 53": json('{"amount": 9007199254740993}'),
  "such an integer in a list": json('{"ids": [1, 9007199254740993]}'),
  "such an integer with grouped digits": json('{"amount": 9_007_199_254_740_993}'),
  "such an integer with a sign": json('{"amount": +9007199254740993}'),
  "such an integer with a point": json('{"amount": 9007199254740993.}'),
  "such an integer in hexadecimal digits": json('{"amount": 0x20000000000001}'),
  "such an integer in digits of full width": json('{"amount": ９００７１９９２５４７４０９９３}'),
  "such an integer with decimals": json('{"amount": 9007199254740993.5}'),
  "such an integer with an exponent": json('{"amount": 900719925474099301e-1}'),
  "a key that occurs twice": json('{"amount": 1, "amount": 2}'),
  "a key that occurs twice, deep": json("{'place': {'a': {'b': 1}, 'a': {'b': 2}}}"),
  "two names": '<tool_call>\n{"name": "pay", "name": "refund", "arguments": {"amount": 1}}\n</tool_call>',
  "two names after the arguments":
    '<tool_call>\n{"arguments": {"amount": 1}, "name": "pay", "name": "refund"}\n</tool_call>',
  "two names with different keys":
    '<tool_call>\n{"name": "pay", "tool": "refund", "arguments": {"amount": 1}}\n</tool_call>',
  "arguments and parameters":
    '<tool_call>\n{"name": "pay", "arguments": {"amount": 1}, "parameters": {"amount": 2}}\n</tool_call>',
  "an argument beside the arguments":
    '<tool_call>\n{"name": "pay", "arguments": {"place": {"a": 1}}, "amount": 2}\n</tool_call>',
  "arguments inside and outside of a function":
    '{"function": {"name": "pay", "arguments": {"amount": 1}}, "arguments": {"amount": 2}}',
  "an integer beyond 2 to the power of 53, after a name":
    '<function=pay>{"amount": 9007199254740993}</function>',
  "an integer beyond 2 to the power of 53, in XML": xml("amount", "9007199254740993"),
  "a key that occurs twice, in XML": xml("place", '{"a": 1, "a": 2}'),
  "an ellipsis in Python": "[pay(ids=[1, 2, ...])]",
  "an ellipsis for a text in Python": "[pay(city=...)]",
  "an expression in a text in Python": "[pay(city=f'{capital} city')]",
  "a condition in Python": '[pay(city="a" if x else "b")]',
  "a condition in a list in Python": `[pay(city="a", ids=['1' if x else '2'])]`,
  "an operator of Python": '[pay(city="a" or "b")]',
  "a comparison in Python": 'pay(city="a" == "b")',
  "quotes without a backslash in Python": 'pay(city="see f("x") now")',
  "back slashes before its quotes in Python": String.raw`["[pay(city=\"Oslo\")]"]`,
  "a condition after it in Python": 'pay(city="Oslo") if x else pay(city="Rome")',
  "a condition after it in Python, and a line": 'pay(city="Oslo") if x else None\nDone.\n',
  "a condition after it in a list in Python": "[pay(amount=1) if x else refund(amount=2)]",
  "a loop after it in Python": "[pay(amount=x) for x in [1, 2]]",
  "a loop on the line after it in Python": "[\n  pay(amount=x)\n  for x in [1, 2]\n]",
  "another method after it in Python": "pay(amount=1).undo()",
  "a string of several lines after a mistake in Python": 'pay(city="x" y """\nrefund(amount=1)\n""")',
  "an integer beyond 2 to the power of 53, in Python": "[pay(amount=9007199254740993)]",
  "such an integer in a tuple in Python": "[pay(ids=(1, 9007199254740993))]",
  "such an integer in parentheses in Python": "[pay(amount=(9007199254740993))]",
  "such an integer with a point in Python": "[pay(amount=9007199254740993.)]",
  "a number that becomes infinite in Python": "[pay(amount=1e400)]",
  "a number with a point that becomes infinite in Python": "[pay(amount=1.5e400)]",
  "a key that occurs twice, in parentheses in Python": "[pay(place=({'a': 1, 'a': 2}))]",
  "a key that occurs twice, in Python": "[pay(place={'a': 1, 'a': 2})]",
  "an integer beyond 2 to the power of 53, in Gemma":
    "<start_function_call>call:pay{amount:9007199254740993}<end_function_call>",
};

describe("a call is invalid", () => {
  for (const [kind, text] of Object.entries(twofold)) {
    test(`with ${kind}, however it is cut`, async () => {
      for (const pieces of [[text], ...everyCut(text)]) {
        const blocks = await readBlocks(pieces, { tools });
        expect(blocks.map(({ type }) => type).filter((type) => type !== "text")).toEqual([
          "invalid_tool_call",
        ]);
        expect(blocks).toEqual(await readBlocks([text], { tools }));
      }
    });
  }

  test("but not the next one", async () => {
    const list =
      '[{"name": "pay", "arguments": {"amount": }}, {"name": "refund", "arguments": {"amount": 2}}]';
    const raw = '{"amount": }';
    await expectBlocks(list, { tools }, [
      ["invalid", "pay", raw],
      ["refund", { amount: 2 }],
    ]);
  });
});

function errorsOf(blocks: readonly ContentBlock[]): string {
  return blocks.map((block) => (block.type === "invalid_tool_call" ? block.error : "")).join("");
}

test("the error of an invalid call says what is wrong", async () => {
  for (const [kind, part] of [
    ["a missing value", ', \\"city\\"'],
    ["an ellipsis", "...]"],
    ["words between members", "OR MAYBE"],
    ["minus Infinity", "-Infinity"],
    ["an integer beyond 2 to the power of 53", "9007199254740993"],
    ["two names", '"pay" and "refund"'],
    ["arguments and parameters", '"arguments" and "parameters"'],
    ["an argument beside the arguments", '"amount" beside'],
    ["arguments inside and outside of a function", '"function"'],
    ["an ellipsis in Python", "ids=[1, 2, ...])]"],
  ] as const) {
    const blocks = await readBlocks([twofold[kind] as string], { tools });
    expect(errorsOf(blocks)).toContain(part);
  }
  const tags = xml("city", "x\n</parameter>\n<parameter=city>\ny");
  expect(errorsOf(await readBlocks([tags], { tools }))).toContain('"city"');
});

/** In XML, a value that is nearly JSON and a guess stays text, which the schema of the tool refuses. */
test("a guess in a value of XML stays text", async () => {
  for (const value of ["[1, 2, ...]", "[NaN]", "['a': ]", "[9007199254740993,]"])
    await expectBlocks(xml("ids", value), { tools }, [["pay", { ids: value }]]);
  const twice = "{'a': 1, 'a': 2}";
  await expectBlocks(xml("place", twice), { tools }, [["pay", { place: twice }]]);
});

describe("a call is read", () => {
  for (const [args, value] of [
    ["{'amount': None, 'city': 'Oslo',}", { amount: null, city: "Oslo" }],
    [
      '{"amount": 9007199254740991, "ids": [1e20, 9007199254740992]}',
      { amount: 9007199254740991, ids: [1e20, 9007199254740992] },
    ],
    [
      '{"city": "NaN, ... 9007199254740993", "amount": 1 // one\n}',
      { city: "NaN, ... 9007199254740993", amount: 1 },
    ],
    [
      '{"amount": 9007199254740992, "city": "9007199254740993"}',
      { amount: 9007199254740992, city: "9007199254740993" },
    ],
    [
      "{'amount': 0x20000000000000, 'ids': [1_000.5, 0.1234567890123456789]}",
      { amount: 2 ** 53, ids: [1000.5, 0.12345678901234568] },
    ],
  ] as const)
    test(args, () => expectBlocks(json(args), { tools }, [["pay", value]]));

  test("in a list in Python without its bracket", async () => {
    await expectBlocks("[pay(amount=1)", { tools }, [["pay", { amount: 1 }]]);
    await expectBlocks("[pay(amount=1)\n\nThat pays.", { tools }, [["pay", { amount: 1 }], "That pays."]);
  });

  test("in Python with a part of its result", async () => {
    await expectBlocks("[pay(amount=1)['id']]", { tools }, [["pay", { amount: 1 }], "['id']]"]);
  });

  for (const [args, value] of [
    [
      '{"city": "see {"k": "v"}, then", "place": {"http://a/": 1}}',
      { city: 'see {"k": "v"}, then', place: { "http://a/": 1 } },
    ],
    ['{"city": "set "amount": 1", "amount": 2}', { city: 'set "amount": 1', amount: 2 }],
  ] as const)
    test(`with a quotation in a text: ${args}`, () => expectBlocks(json(args), { tools }, [["pay", value]]));

  test("with other keys beside the arguments", async () => {
    const text =
      '<tool_call>\n{"name": "pay", "arguments": {"amount": 1}, "parameters": {}, "reason": "so"}\n</tool_call>';
    await expectBlocks(text, { tools }, [["pay", { amount: 1 }]]);
  });
});

/** A model may write the end of a call into a string, such as that of a page. It ends the call only as the last text. */
describe("the closing tag of the call in a string", () => {
  const refund =
    '<|tool_call_begin|>functions.refund:1<|tool_call_argument_begin|>{"amount": 2}<|tool_call_end|>';
  const page = `page: }<|tool_call_end|>${refund}`;
  const kimi = (args: string): string =>
    `<|tool_call_begin|>functions.pay:0<|tool_call_argument_begin|>${args}<|tool_call_end|><|tool_calls_section_end|>`;
  const lines = json('{"amount": 1}').replace("pay", "refund");

  test("is part of a string that ends as in JSON", async () => {
    await expectBlocks(kimi(JSON.stringify({ city: page })), { tools }, [["pay", { city: page }]]);
    const gptOss = `page: }<|call|><|channel|>commentary to=functions.refund <|constrain|>json<|message|>{"amount": 2}<|call|>`;
    const call = `<|channel|>commentary to=functions.pay <|constrain|>json<|message|>${JSON.stringify({ city: gptOss })}<|call|>`;
    await expectBlocks(call, { tools }, [["pay", { city: gptOss }]]);
    const city = `page\n</tool_call>\n${lines}\nend`;
    const raw = JSON.stringify({ city }).replaceAll("\\n", "\n");
    await expectBlocks(json(raw), { tools }, [["pay", { city }]]);
  });

  for (const [kind, text] of Object.entries({
    "quotes without a backslash": json(`{"city": "page\n</tool_call>\n${lines}\n"}`),
    "a section of Kimi": kimi(`{"city": "${page}"}`),
    "Gemma's quotes":
      '<|tool_call>call:pay{city:<|"|>a }<tool_call|><|tool_call>call:refund{city:<|"|>b<|"|>}<tool_call|><|"|>}<tool_call|>',
    "arguments before the name": `<tool_call>\n{"arguments": {"city": "page\n</tool_call>\n${lines}\n"}, "name": "pay"}\n</tool_call>`,
    "no quote at its end": json('{"city": "Oslo}').replace("}}", "}\n") + `\n${lines}`,
    "a bracket missing at its end": json('{"city": "a\n</tool_call>\nb"') + `\n${lines}`,
  }))
    test(`runs nothing with ${kind}, however it is cut`, async () => {
      const whole = await readBlocks([text], { tools });
      expect(whole.filter(({ type }) => type === "tool_call")).toEqual([]);
      for (const pieces of everyCut(text)) expect(await readBlocks(pieces, { tools })).toEqual(whole);
    });

  test("ends the call as the last text", async () => {
    const text = '<tool_call>\n{"name": "pay", "arguments": {"city": "Oslo}}\n</tool_call>\n<|im_end|>\n';
    await expectBlocks(text, { tools }, [["pay", { city: "Oslo" }]]);
  });
});
