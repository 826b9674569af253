/**
 * `npm run prove:linear -- --minutes 5 [--seed N]` hunts for texts that a parser reads in more than linear time: short
 * patterns that repeat, whole and in chunks of 7 characters. For each it prints the processor time of four lengths, and
 * ends with code 1. The same seed gives the same texts.
 */
import { randomInt } from "node:crypto";
import { z } from "zod";
import {
  collect,
  commaSeparatedListParser,
  from,
  markdownListParser,
  numberedListParser,
  patchLines,
  pipe,
  textToolCalls,
} from "../src/index.js";
import { extract, fast, JsonParser, repair } from "../src/json/index.js";
import { guardOf } from "../src/schema/index.js";
import { XmlParser } from "../src/xml/index.js";
import { randomOf } from "../test/support/random.js";
import { numberOf, scriptOptions } from "../scripts/script-arguments.js";

interface Reader {
  readonly read: (chunks: readonly string[]) => unknown;
  /** What a text may begin with. */
  readonly heads: readonly string[];
  /** What a pattern is made of, besides the characters of all patterns. */
  readonly parts: readonly string[];
}

const schema = z.object({ a: z.union([z.array(z.string()), z.number(), z.object({ b: z.string() })]) });
const jsonHeads = ["", "{", "[", '{"', "{'", '["', "[[", '{"a": ', '{"a": "', "```json\n", "~~~~\n", "text "];
const jsonParts = [
  '": ',
  '", "',
  '"; "',
  "，",
  "：",
  "u'a",
  "\\n",
  "\\]",
  '"a": ',
  "```",
  "~~~",
  "//",
  "/*",
  "*/",
  "null",
  "True",
  'b"c',
  "it's ",
  "\\u",
  '\\"',
  '"</p>',
  '"""',
  '" (a)',
  " - a, ",
  "\\d",
  "\\tau",
  ":\\n",
  "C:\\",
  "a b ",
  '{ "a": ',
  '[\n"',
  "r'\\d",
  "{'a', ",
  "{1, ",
];

const readers: Readonly<Record<string, Reader>> = {
  json: {
    read: (chunks) => readSync(new JsonParser({ repair, fast }), chunks),
    heads: jsonHeads,
    parts: jsonParts,
  },
  "json with a guard": {
    read: (chunks) => {
      const guard = guardOf(schema);
      readSync(new JsonParser({ repair, extract, fast, append: true, guard }), chunks);
    },
    heads: jsonHeads,
    parts: jsonParts,
  },
  "several objects for a list": {
    read: (chunks) => {
      const guard = guardOf(z.array(z.object({ a: z.number(), c: z.array(z.string()) }).partial()));
      readSync(new JsonParser({ repair, extract, fast, append: true, guard }), chunks);
    },
    heads: ["", '{"a": 1}', '```json\n{"a": 1}\n', "- {}\n"],
    parts: [
      '"c": ',
      "{'a', ",
      "'}, ",
      '{"a": 1}',
      "{a: ",
      "{}",
      "- ",
      "1. ",
      "```",
      "json\n",
      ", ",
      "; ",
      "# b\n",
      "/* */",
      '{"b": 1}',
      '"a": ',
      "}",
    ],
  },
  xml: {
    read: (chunks) => readSync(new XmlParser({ repair: true, extract: "auto" }), chunks),
    heads: ["", "<a>", '<a b="', "<a ", "<a><b>", "<!--", "<a>&", "<![CDATA[", "<!DOCTYPE a [", "text <a>"],
    parts: [
      "<a",
      "</a>",
      "<a>",
      "/>",
      "<!--",
      "-->",
      "]]>",
      "&amp;",
      'b="',
      "<?",
      "</think>",
      "<reasoning>",
      "<<a>",
      "(?<a",
      "<a b>",
      "&#",
      'x="1" ',
    ],
  },
  "tool calls": {
    read: (chunks) => collect(pipe(from(chunks), textToolCalls())),
    heads: [
      "",
      "<tool_call>",
      '{"name": "f", "arguments": {"a": "',
      "[TOOL_CALLS] [",
      '[f(a="',
      "<function=f>",
      'a <invoke name="f"><parameter name="a">',
      'For <tool_call>{"name": "f", "arguments": {"a": "',
      '<|tool_call>call:f{a:<|"|>',
      "<｜tool▁calls▁begin｜>f",
    ],
    parts: [
      ...jsonParts,
      "f(",
      "<parameter=a>",
      '</parameter><parameter name="a">',
      '<invoke name="f">',
      "</invoke>",
      '<|"|>',
      "<｜tool▁call▁begin｜>",
      "<|tool_call_begin|>f",
      "a <tool_call>f<arg_key>",
      "<thinking a",
      "</parameter>",
      "a=1",
      "[f(",
      ")]",
      "<think>",
      "</tool_call>",
    ],
  },
  "patch lines": {
    read: (chunks) => collect(pipe(from(chunks), patchLines().patches)),
    heads: [
      "",
      '{"op": "add", "path": "", "value": {}}\n',
      '{"op": "add", "path": "/a", "value": ["',
      "```jsonl\n",
    ],
    parts: [
      ...jsonParts,
      '{"op": "add", "path": "/a/-", "value": 1}\n',
      '{"op": "remove", "path": "/a"}\n',
      "}\n",
    ],
  },
  "markdown list": listReader(markdownListParser),
  "numbered list": listReader(numberedListParser),
  "comma list": listReader(commaSeparatedListParser),
};

function listReader(parser: typeof markdownListParser | typeof commaSeparatedListParser): Reader {
  return {
    read: (chunks) => collect(pipe(from(chunks), parser().stream)),
    heads: ["", "1. ", "- ", "* a", '"', "```\n", "Text:\n\n"],
    parts: ["\n1. ", "\n- ", "\n  - ", "\n\n", '""', ", ", "\n12) ", "   ", "```", "**", "1.2. "],
  };
}

function readSync(parser: JsonParser | XmlParser, chunks: readonly string[]): void {
  for (const chunk of chunks) {
    parser.write(chunk);
    parser.takePatch();
  }
  parser.end({ truncated: true });
}

const values = scriptOptions({
  seed: { type: "string", default: String(randomInt(2 ** 31 - 1)) },
  minutes: { type: "string", default: "1" },
});
const seed = numberOf("seed", values.seed);
const end = Date.now() + numberOf("minutes", values.minutes) * 60_000;
const characters = Array.from("[]{}()\"':,\\/.-*#<>=&!;_+1ae \n\t“”`…\u00a0");
const random = randomOf(seed);
const any = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
/** The two lengths, and how many times as long the long one may take: eight, and a margin. */
const [short, long, most] = [32_000, 256_000, 14];

console.log(`Seed ${seed}`);
let tried = 0;
for (; Date.now() < end; tried++) {
  const [name, reader] = any(Object.entries(readers));
  const head = any(reader.heads) + (random() < 0.25 ? any(characters) : "");
  const parts = Array.from({ length: 1 + Math.floor(random() * 5) }, () =>
    any(random() < 0.6 ? characters : reader.parts),
  );
  const pattern = parts.join("");
  for (const whole of [true, false]) {
    const timeOf = async (length: number): Promise<number> => {
      const text = head + pattern.repeat(length / pattern.length);
      const chunks = whole ? [text] : (text.match(/[^]{1,7}/g) ?? []);
      const before = process.cpuUsage();
      try {
        await reader.read(chunks);
      } catch {
        // Most of these texts are refused.
      }
      return process.cpuUsage(before).user / 1_000;
    };
    if (!(await growsFaster(timeOf))) continue;
    console.log(`${name}, ${whole ? "one chunk" : "chunks of 7"}: ${JSON.stringify({ head, pattern })}`);
    for (const length of [1, 2, 4, 8].map((times) => times * short))
      console.log(`  ${length} characters: ${(await timeOf(length)).toFixed(0)} ms`);
    process.exitCode = 1;
  }
}
console.log(`${tried} texts`);

/** Measures again what looks slow: the collector and the compiler take time too. */
async function growsFaster(timeOf: (length: number) => Promise<number>): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const first = Math.max(await timeOf(short), 10);
    if ((await timeOf(long)) < most * first) return false;
  }
  return true;
}
