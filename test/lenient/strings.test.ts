import { guardOf } from "millrace/schema";
import { everyCut } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { testRepairs } from "../json/support/repair-transcripts.js";
import { parserOf } from "../support/parser-of.js";

describe("a backslash before a line break", () => {
  testRepairs([
    { text: '["a \\\nb"]', value: ["a b"], repairs: [["escape", 4]] },
    {
      text: "['a\\\r\nb\\\rc']",
      value: ["abc"],
      repairs: [
        ["quote", 1],
        ["escape", 3],
        ["escape", 7],
      ],
    },
  ]);
});

describe("words after a string", () => {
  testRepairs([
    {
      text: '["one" two", "three"]',
      value: ["one", "two", "three"],
      repairs: [
        ["missing_comma", 7],
        ["unquoted_value", 7],
      ],
    },
    {
      text: '["one" two, 3]',
      value: ["one", "two", 3],
      repairs: [
        ["missing_comma", 7],
        ["unquoted_value", 7],
      ],
    },
    { text: '{"a": "one" TWO }', value: { a: "one" }, repairs: [["stray_text", 12]] },
    { text: '{"a": [1] note}', value: { a: [1] }, repairs: [["stray_text", 10]] },
    // Inches, and an apostrophe.
    { text: '["a 5" pipe", 1]', value: ['a 5" pipe', 1], repairs: [["inner_quote", 5]] },
    {
      text: "['the boys' room', 1]",
      value: ["the boys' room", 1],
      repairs: [
        ["quote", 1],
        ["inner_quote", 10],
      ],
    },
  ]);
});

describe("a bracket before an inner quotation", () => {
  testRepairs([
    {
      text: '{"a": "[b]("c")" }',
      value: { a: '[b]("c")' },
      repairs: [
        ["inner_quote", 11],
        ["inner_quote", 13],
      ],
    },
  ]);
});

describe("a string without a closing quote at the end of the text", () => {
  testRepairs([
    { text: '["a", "f(3)]', value: ["a", "f(3)"], repairs: [["missing_quote", 11]] },
    {
      text: '{"a: 1}',
      value: { a: 1 },
      repairs: [["missing_quote", 3]],
    },
    {
      text: '{"a" : {"b:c}}',
      value: { a: { b: "c" } },
      repairs: [
        ["missing_quote", 10],
        ["unquoted_value", 11],
      ],
    },
    { text: '["use `a()`", 1]', value: ["use `a()`", 1], repairs: [] },
  ]);
  testRepairs(
    [
      { text: '{"a": "b}```', value: { a: "b" }, repairs: [["missing_quote", 8]] },
      { text: '{"a": {"b": "c}}\n```\n', value: { a: { b: "c" } }, repairs: [["missing_quote", 14]] },
    ],
    { extract: "auto" },
  );
});

describe("a key at the start of an array", () => {
  testRepairs([
    {
      text: '["a": 1, "b": 2]',
      value: [{ a: 1, b: 2 }],
      repairs: [
        ["missing_opening", 1],
        ["missing_closer", 15],
      ],
    },
    { text: '["a":"b"}, {"a": "c"}]', value: [{ a: "b" }, { a: "c" }], repairs: [["missing_opening", 1]] },
    {
      text: "{'k': ['a':{'b': 1}]}",
      value: { k: [{ a: { b: 1 } }] },
      repairs: [
        ["quote", 1],
        ["quote", 7],
        ["missing_opening", 7],
        ["quote", 12],
        ["missing_closer", 19],
      ],
    },
  ]);

  const shown = (text: string, options = {}): unknown => {
    const parser = parserOf({ repair: true, ...options });
    parser.write(text);
    return parser.snapshot();
  };

  test("is not shown as an element before it is known to be one", () => {
    expect(shown('["ab')).toEqual([]);
    expect(shown('["ab c')).toEqual(["ab c"]);
    expect(shown('["ab", "c')).toEqual(["ab", "c"]);
    expect(shown(`["${"a".repeat(65)}`)).toEqual(["a".repeat(65)]);
  });

  test("is shown at once if the schema allows no object there", () => {
    expect(shown('["ab', { guard: guardOf(z.array(z.string())) })).toEqual(["ab"]);
    expect(shown('["ab', { guard: guardOf(z.array(z.union([z.string(), z.looseObject({})]))) })).toEqual([]);
  });

  test("is kept where the text is truncated", () => {
    const parser = parserOf({ repair: true, onTruncated: "keep" });
    parser.write('["ab');
    parser.end();
    expect(parser.value).toEqual(["ab"]);
  });
});

describe("a string that ends with another quote, or with too many", () => {
  testRepairs([
    { text: `{"a": "b', "c": 1}`, value: { a: "b", c: 1 }, repairs: [["quote", 8]] },
    { text: '{"a": {"b": "c”}, "d": 1}', value: { a: { b: "c" }, d: 1 }, repairs: [["quote", 14]] },
    { text: '["a”, "b"]', value: ["a", "b"], repairs: [["quote", 3]] },
    { text: '{"a": "b”}', value: { a: "b" }, repairs: [["quote", 8]] },
    // The quote before it opened a quotation.
    { text: `["the 'b', "c"]`, value: ["the 'b'", "c"], repairs: [["missing_quote", 9]] },
    { text: '{"a": "b"", "c": 1}', value: { a: "b", c: 1 }, repairs: [["doubled_quote", 9]] },
    // Inches.
    { text: '["a 5"", "c"]', value: ['a 5"', "c"], repairs: [["inner_quote", 5]] },
    {
      text: '{"a": """b "c" d"""}',
      value: { a: 'b "c" d' },
      repairs: [
        ["doubled_quote", 7],
        ["doubled_quote", 8],
        ["inner_quote", 11],
        ["inner_quote", 13],
      ],
    },
  ]);
});

describe("a string whose quotes are missing", () => {
  testRepairs([
    { text: '["a", b", "c"]', value: ["a", "b", "c"], repairs: [["unquoted_value", 6]] },
    { text: '[ "a ]', value: ["a"], repairs: [["missing_quote", 5]] },
    { text: '{"a": "b , "c": 1}', value: { a: "b", c: 1 }, repairs: [["missing_quote", 9]] },
  ]);
});

describe("many spaces before a missing quote", () => {
  const [few, many] = [" ".repeat(256), " ".repeat(257)];
  testRepairs([
    { text: `{"a": "b${few}, "c": 1}`, value: { a: "b", c: 1 }, repairs: [["missing_quote", 264]] },
    { text: `{"a": "b${many}, "c": 1}`, value: { a: `b${many}`, c: 1 }, repairs: [["missing_quote", 265]] },
  ]);

  test("are shown, so they are not read again for each chunk", () => {
    const parser = parserOf({ repair: true });
    parser.write('["a');
    for (let i = 0; i < 1000; i++) parser.write(" ");
    expect(parser.value).toEqual([`a${" ".repeat(1000)}`]);
  });
});

describe("the parts of a string", () => {
  testRepairs([
    {
      text: '{"a": "b "\n"c", "d": 1}',
      value: { a: "b c", d: 1 },
      repairs: [["concatenation", 9]],
    },
    { text: '{"a": "b"\n"c": 1}', value: { a: "b", c: 1 }, repairs: [["missing_comma", 10]] },
  ]);
});

test("other quotes in the first string of an array are read in linear time", () => {
  const text = "x“".repeat(100_000);
  const parser = parserOf({ repair: true });
  parser.write(`[“${text}”]`); // took minutes
  parser.end();
  expect(parser.value).toEqual([text]);
});

describe("a note after a string", () => {
  testRepairs([
    { text: '{"a": "b" (c), "d": 1}', value: { a: "b", d: 1 }, repairs: [["stray_text", 10]] },
    { text: '{"a": "b." - c, d, "e": 1}', value: { a: "b.", e: 1 }, repairs: [["stray_text", 11]] },
    { text: '{"a": "b" — c}', value: { a: "b" }, repairs: [["stray_text", 10]] },
    { text: '{"a": "b" c, "d": 1}', value: { a: "b", d: 1 }, repairs: [["stray_text", 10]] },
    { text: '{"a": "b" [sic], "d": 1}', value: { a: "b", d: 1 }, repairs: [["stray_text", 10]] },
    { text: '{"a": "b" [1], "d": 1}', value: { a: "b", d: 1 }, repairs: [["stray_text", 10]] },
    { text: '{"a": "b."[1, 2] [^3]\n}', value: { a: "b." }, repairs: [["stray_text", 10]] },
    { text: '{"a": 5 [1], "d": 1}', value: { a: 5, d: 1 }, repairs: [["stray_text", 8]] },
    { text: '["a" 【1†b】, "c"]', value: ["a", "c"], repairs: [["stray_text", 5]] },
    { text: '["a" [1]]', value: ["a", [1]], repairs: [["missing_comma", 5]] },
    {
      text: '{"a": "b "c" [d], e", "f": 1}',
      value: { a: 'b "c" [d], e', f: 1 },
      repairs: [
        ["inner_quote", 9],
        ["inner_quote", 11],
      ],
    },
    {
      text: '{"a": "b" (c)\n"d": 1}',
      value: { a: "b", d: 1 },
      repairs: [
        ["stray_text", 10],
        ["missing_comma", 14],
      ],
    },
    {
      text: '["a" (b), "c" - d]',
      value: ["a", "c"],
      repairs: [
        ["stray_text", 5],
        ["stray_text", 14],
      ],
    },
    { text: '{"a": [1] b, "c": 2}', value: { a: [1], c: 2 }, repairs: [["stray_text", 10]] },
    { text: '{"a": 1, B C "d": 2}', value: { a: 1, d: 2 }, repairs: [["stray_text", 9]] },
    { text: '{"a": "b", C D "e": 2}', value: { a: "b", e: 2 }, repairs: [["stray_text", 11]] },
    {
      text: '["a",\n"b" c\n]',
      value: ["a", "b", "c"],
      repairs: [
        ["missing_comma", 10],
        ["unquoted_value", 10],
      ],
    },
    // Inches, and a quotation.
    {
      text: '{"a": "b 12", which is c" }',
      value: { a: 'b 12", which is c' },
      repairs: [["inner_quote", 11]],
    },
    {
      text: '{"a": "b "c" (d), e"}',
      value: { a: 'b "c" (d), e' },
      repairs: [
        ["inner_quote", 9],
        ["inner_quote", 11],
      ],
    },
  ]);
});

test("a number in brackets after a string is a citation where the schema allows no array", () => {
  for (const chunks of everyCut('["a" [1], "b" [2]]')) {
    const parser = parserOf({ repair: true, guard: guardOf(z.array(z.string())) });
    for (const chunk of chunks) parser.write(chunk);
    parser.end();
    expect(parser.value).toEqual(["a", "b"]);
  }
});

test("an array beside the array of a member is no citation", () => {
  const parser = parserOf({ repair: true });
  expect(() => {
    parser.write('{"a": [1, 2] [3], "b": 1}');
  }).toThrow('found "["');
});

describe("strings in parentheses, and escaped line breaks between tokens", () => {
  testRepairs([
    {
      text: '{"a": ("b " "c" \n"d"), "e": 1}',
      value: { a: "b cd", e: 1 },
      repairs: [
        ["parentheses", 6],
        ["concatenation", 10],
        ["concatenation", 14],
      ],
    },
    {
      text: String.raw`{\n"a": "b"\n}`,
      value: { a: "b" },
      repairs: [
        ["white_space", 1],
        ["white_space", 11],
      ],
    },
    {
      text: String.raw`{"a": "{\nb: "c"\n}"}`,
      value: { a: '{\nb: "c"\n}' },
      repairs: [
        ["inner_quote", 13],
        ["inner_quote", 15],
      ],
    },
  ]);
});
