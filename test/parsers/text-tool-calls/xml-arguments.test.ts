import { collect, from, pipe, textToolCalls } from "millrace";
import { describe, expect, test } from "vitest";
import { expectBlocks, readBlocks } from "./support/read-calls.js";

const parameters = {
  type: "object",
  properties: {
    path: { type: "string" },
    content: { type: "string" },
    city: { type: "string" },
    days: { type: "integer" },
  },
};
const tools = [{ name: "write", parameters }];

/** A call of Qwen 3 Coder, and the same of GLM 4.5. */
const forms = {
  "qwen-xml": (args: Readonly<Record<string, string>>) =>
    `<tool_call>\n<function=write>\n${Object.entries(args)
      .map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`)
      .join("")}</function>\n</tool_call>`,
  "glm-xml": (args: Readonly<Record<string, string>>) =>
    `<tool_call>write\n${Object.entries(args)
      .map(([key, value]) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>\n`)
      .join("")}</tool_call>`,
};

const values = [
  'print("</parameter>")',
  "end </parameter> here",
  "end </function> here",
  "end </arg_value> here",
  "use </function> and </tool_call> to close",
  "see <parameter=other> for it",
  "a <parameter=city>Oslo</parameter> b",
  "<parameter=city>\nOslo\n</parameter> b".replace("\nOslo", "Oslo"),
  "see\n<parameter=city>\nOslo\n</parameter>\nfor it",
  "a < b && c > d </p> <b>",
  "write <function=...> to call",
  "</parameter>",
  "</arg_value>",
  "a\n</parameter>\nb",
  forms["qwen-xml"]({ path: "a" }),
  `Example:\n${forms["qwen-xml"]({ path: "a", content: "b" })}\nDone`,
  `Two:\n${forms["qwen-xml"]({ days: "1" })}\n${forms["qwen-xml"]({ days: "2" })}\nDone`,
  `Example:\n${forms["glm-xml"]({ path: "a", content: "b" })}\nDone`,
  `Two:\n${forms["glm-xml"]({ days: "1" })}\n${forms["glm-xml"]({ days: "2" })}\nDone`,
  "x\n</parameter>\n</function>\n</tool_call>\nDone",
  "x</arg_value>\n</tool_call>\nDone",
];

describe("a value with tags in it is whole", () => {
  for (const [dialect, write] of Object.entries(forms) as ["qwen-xml", (typeof forms)["qwen-xml"]][]) {
    for (const value of values) {
      test(`${dialect}: ${JSON.stringify(value)}`, async () => {
        const args = { path: "t.md", content: value };
        await expectBlocks(write(args), { dialect, tools }, [["write", args]]);
        await expectBlocks(`I do.\n${write(args)}\n`, { tools }, ["I do.\n", ["write", args]]);
        const first = { content: value, path: "t.md" };
        const two = `${write(first)}\n${write({ path: "b" })}`;
        await expectBlocks(two, { dialect, tools }, [
          ["write", first],
          ["write", { path: "b" }],
        ]);
      });
    }
  }
});

const open = "<tool_call>\n<function=write>\n<parameter=content>\n";
const close = "\n</parameter>\n</function>\n</tool_call>";
const openGlm = "<tool_call>write\n<arg_key>content</arg_key>\n<arg_value>";
const closeGlm = "</arg_value>\n</tool_call>";

const ambiguous = {
  "a parameter that may begin in a value": `${open}see <parameter=city> for it${close}`,
  "a parameter after a value without a closing tag, which may be a mention": `${open}see\n<parameter=city>\nOslo${close}`,
  "a call after a value without a closing tag, which may be nested": `${open}a\n</function>\n${open}b${close}`,
  "a parameter that may be nested or not, and a call after it": `${open}see <parameter=city>${close}\n${open}b${close}`,
  "a parameter twice": `${open}a\n</parameter>\n<parameter=content>\nb${close}`,
  "a parameter after a value that the tool has not": `${open}a\n</parameter>\n<parameter=bogus>\nb${close}`,
  "text between parameters": `${open}a\n</parameter>\nb\n<parameter=city>\nc${close}`,
  "text after the first parameter, and no second end": `${open}a\n</parameter>\nb\n</function>\n</tool_call>`,
  "a closing tag after the call": `${open}a${close}\nb\n</parameter>\n`,
  "a key twice": `${openGlm}a</arg_value>\n<arg_key>content</arg_key><arg_value>b${closeGlm}`,
  "a key after a value that is not closed": `${openGlm}a\n<arg_key>city</arg_key><arg_value>b${closeGlm}`,
  "a key after a value that the tool has not": `${openGlm}a</arg_value><arg_key>bogus</arg_key><arg_value>b${closeGlm}`,
  "a key without a value": "<tool_call>write\n<arg_key>content</arg_key> x</tool_call>",
};

describe("a call whose values can be read in two ways is invalid", () => {
  for (const [what, text] of Object.entries(ambiguous)) {
    test(what, async () => {
      const [whole, ...others] = await readBlocks([text], { tools });
      expect(whole).toMatchObject({ type: "invalid_tool_call", name: "write" });
      expect(others.filter(({ type }) => type !== "text")).toEqual([]);
      for (let size = 1; size < 8; size++) {
        const chunks = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
        expect(await readBlocks(chunks, { tools })).toEqual([whole, ...others]);
      }
    });
  }
});

const inner =
  "\n<tool_call>\n<function=write>\n<parameter=path>\n/a\n</parameter>\n</function>\n</tool_call>";
const invoke = (name: string, value: string): string =>
  `<invoke name="write">\n<parameter name="${name}">${value}</parameter>\n</invoke>`;

describe("calls of which the first may have the others in its value are invalid", () => {
  for (const [what, text] of Object.entries({
    "of Qwen": `${open}page:${close}${inner}\nend${close}`,
    "of Qwen, with two in it": `${open}page:${close}${inner}${inner}\nend${close}`,
    "of Qwen, with text before it": `${open}page:${close}\nNow:${inner}\nend${close}`,
    "of Claude": `<function_calls>\n${invoke("content", `page:</parameter>\n</invoke>\n${invoke("path", "/a")}\n`)}\n</function_calls>`,
    "of Claude, in a line": `<function_calls>\n${invoke("content", `page:</parameter>\n</invoke>\n${invoke("path", "/a")}`)}\n</function_calls>`,
    "of GLM": `${openGlm}page:${closeGlm}\n<tool_call>write\n<arg_key>path</arg_key>\n<arg_value>/a${closeGlm}\nend${closeGlm}`,
  })) {
    test(`${what}, however they are cut`, async () => {
      const whole = await readBlocks([text], { tools });
      expect(whole.filter(({ type }) => type === "tool_call")).toEqual([]);
      const [first] = whole;
      expect(first?.type === "invalid_tool_call" && first.error).toContain('"content"');
      for (let size = 1; size < 8; size++) {
        const chunks = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
        expect(await readBlocks(chunks, { tools })).toEqual(whole);
      }
    });
  }
});

test("the ends of calls that follow each other are withheld, up to a limit", async () => {
  const one = `${open}a${close}\n`;
  for (const [text, ends] of [
    [one + one, 0],
    [one + one + open + "b".repeat(70_000) + close, 2],
  ] as const) {
    const [{ content } = { content: [] }] = await collect(pipe(from([text, "\n"]), textToolCalls({ tools })));
    expect(content.filter((it) => it.type === "tool_call_chunk" && it.args === "}")).toHaveLength(ends);
  }
});

describe("mistakes in the tags of Qwen-XML", () => {
  for (const [what, text] of Object.entries({
    "no closing tag before the end":
      "<function=write>\n<parameter=path>\na\n</parameter>\n<parameter=content>\nb\n</function>",
    "a number in the closing tag":
      "<function=write>\n<parameter=path>\na\n</parameter1>\n<parameter=content>\nb\n</parameter>\n</function>",
    "the name of the parameter in the closing tag":
      "<function=write>\n<parameter=path>\na\n</parameter_path>\n<parameter=content>\nb\n</parameter>\n</function>",
    "the name after an equals sign":
      "<function=write>\n<parameter=path>\na\n</parameter=path>\n<parameter=content>\nb\n</parameter=content>\n</function>",
    "a slash at the end of the closing tag":
      "<function=write>\n<parameter=path>\na\n</parameter/>\n<parameter=content>\nb\n</parameter>\n</function>",
    "no end of the function":
      "<tool_call>\n<function=write>\n<parameter=path>\na\n</parameter>\n<parameter=content>\nb\n</parameter>\n</tool_call>",
  })) {
    test(`${what} is read`, () => expectBlocks(text, { tools }, [["write", { path: "a", content: "b" }]]));
  }
});

test("the space before indented tags is no part of a value", async () => {
  const value = "a\n\n  b\nc";
  const call = forms["qwen-xml"]({ path: "/a", content: value, days: "3" });
  for (const space of ["   ", "\t", "    "]) {
    const text = `1. Write:\n${call.replaceAll(/^/gm, space)}`;
    const before = `1. Write:\n${space}`;
    const args = { path: "/a", content: value, days: 3 };
    await expectBlocks(text, { dialect: "qwen-xml", tools }, [before, ["write", args]]);
    await expectBlocks(text.replaceAll("\n", "\r\n"), { dialect: "qwen-xml", tools }, [
      before.replace("\n", "\r\n"),
      ["write", { ...args, content: value.replaceAll("\n", "\r\n") }],
    ]);
  }
  const own = "<function=write>\n  <parameter=content>\na\n  b\n  </parameter>\n</function>";
  await expectBlocks(own, { tools }, [["write", { content: "a\n  b" }]]);
  const deeper = own.replace("a\n  b", "    a\n    b");
  expect(await readBlocks([deeper], { tools })).toMatchObject([{ type: "invalid_tool_call" }]);
});

test("a list in Python is a list where the tool expects one, and text where it expects a string", async () => {
  const lists = [
    {
      name: "tag",
      parameters: { type: "object", properties: { tags: { type: "array" }, text: { type: "string" } } },
    },
  ];
  const list = "['a', True]";
  const text = `<function=tag>\n<parameter=tags>\n${list}\n</parameter>\n<parameter=text>\n${list}\n</parameter>\n</function>`;
  await expectBlocks(text, { tools: lists }, [["tag", { tags: ["a", true], text: list }]]);
});

test("the text after a call is kept, and a call after it is read", async () => {
  const one = `${open}a${close}`;
  const text = `${one}\nThat was it.\n${one}\nNow wait.`;
  const call = ["write", { content: "a" }];
  await expectBlocks(text, { tools }, [call, "\n\nThat was it.\n", call, "\n\nNow wait."]);
  const long = "b".repeat(30_000);
  await expectBlocks(`${openGlm}a${closeGlm} ${"c".repeat(10)}`, { tools }, [call, `\n ${"c".repeat(10)}`]);
  expect(await readBlocks([one, long, long, "\n</parameter>"], { tools })).toMatchObject([
    { type: "tool_call" },
    { type: "text", text: `\n${long}${long}\n</parameter>` },
  ]);
});

test("a value is shown while it grows", async () => {
  const chunks = [
    "<function=write>\n<parameter=content>\na </parameter",
    "> b < c",
    " d",
    "\n</parameter>\n</function>",
  ];
  const shown: string[] = [];
  for (const { content } of await collect(pipe(from(chunks), textToolCalls({ tools })))) {
    for (const block of content) if (block.type === "tool_call_chunk") shown.push(block.args ?? "");
  }
  expect(shown).toEqual(['{"content":"a ', "</parameter> b < c", " d", '"}']);
});

test("values with many tags are read before the test times out", async () => {
  for (const part of [
    "</parameter>",
    "<parameter=city>",
    "</function>",
    "<function=a>",
    "</parameter>\n</function>\n",
    "</parameter> ",
    "<",
    "\n",
    `${close}\n`,
  ]) {
    const text = open + part.repeat(Math.ceil(200_000 / part.length));
    const chunks = text.match(/[^]{1,3}/g) ?? [];
    expect((await readBlocks(chunks, { tools }))[0]).toMatchObject({ name: "write" });
  }
  for (const part of ["</arg_value>", "<arg_key>", "<tool_call>", "</arg_value>\n</tool_call> "]) {
    const text = openGlm + part.repeat(Math.ceil(200_000 / part.length));
    const chunks = text.match(/[^]{1,3}/g) ?? [];
    expect((await readBlocks(chunks, { tools }))[0]).toMatchObject({ name: "write" });
  }
});
