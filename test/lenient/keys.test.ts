import { guardOf } from "millrace/schema";
import { everyCut } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { testRepairs } from "../json/support/repair-transcripts.js";
import { parserOf } from "../support/parser-of.js";

const options = { extract: "auto" } as const;

describe("a key without its closing quote", () => {
  testRepairs([
    { text: '{"a: 1, "b": 2}', value: { a: 1, b: 2 }, repairs: [["missing_quote", 3]] },
    { text: '{"a: [1], "b": 2}', value: { a: [1], b: 2 }, repairs: [["missing_quote", 3]] },
    {
      text: '{"a":{"b: {"c": 1}}}',
      value: { a: { b: { c: 1 } } },
      repairs: [["missing_quote", 8]],
    },
    { text: '{"a: true,\n"b":2}', value: { a: true, b: 2 }, repairs: [["missing_quote", 3]] },
    { text: '{"a: 1\n}', value: { a: 1 }, repairs: [["missing_quote", 3]] },
    { text: '{"a: {\n"b": 1}}', value: { a: { b: 1 } }, repairs: [["missing_quote", 3]] },
    { text: '{"a”: 1, "b": 2}', value: { a: 1, b: 2 }, repairs: [["missing_quote", 3]] },
    { text: '{"a: "1", "b": 2}', value: { a: "1", b: 2 }, repairs: [["missing_quote", 5]] },
    { text: '{"a: "1 of 2", "b": 2}', value: { a: "1 of 2", b: 2 }, repairs: [["missing_quote", 5]] },
    { text: '{"a: "null", "b": 2}', value: { a: "null", b: 2 }, repairs: [["missing_quote", 5]] },
    // The keys are odd, but valid.
    { text: '{"a: 1, ": 2}', value: { "a: 1, ": 2 }, repairs: [] },
    { text: '{"a:": ",", "b": 2}', value: { "a:": ",", b: 2 }, repairs: [] },
  ]);
  testRepairs(
    [
      { text: '{"a: "x", "b": [1]}', value: { a: "x", b: [1] }, repairs: [["missing_quote", 5]] },
      { text: '[{"a:1},{"b":2}]', value: [{ a: 1 }, { b: 2 }], repairs: [["missing_quote", 4]] },
    ],
    options,
  );
});

describe("a key with other mistakes", () => {
  testRepairs([
    { text: '{"a"": 1, "b": 2}', value: { a: 1, b: 2 }, repairs: [["doubled_quote", 4]] },
    { text: '{"a""b", "c": 1}', value: { a: "b", c: 1 }, repairs: [["missing_colon", 4]] },
    {
      text: '{"a" => 1, b = 2}',
      value: { a: 1, b: 2 },
      repairs: [
        ["missing_colon", 5],
        ["unquoted_key", 11],
        ["missing_colon", 13],
      ],
    },
    {
      text: '{"""a""": 1}',
      value: { a: 1 },
      repairs: [
        ["doubled_quote", 2],
        ["doubled_quote", 3],
      ],
    },
    { text: '{"a\\_b": 1}', value: { a_b: 1 }, repairs: [["escape", 3]] },
    { text: '{"a\n": 1}', value: { a: 1 }, repairs: [["control_character", 3]] },
    { text: '{"b":1,"a\r\n": 2}', value: { b: 1, a: 2 }, repairs: [["control_character", 9]] },
    { text: '{"a\nb": 1}', value: { "a\nb": 1 }, repairs: [["control_character", 3]] },
    { text: '{"a\t": 1}', value: { "a\t": 1 }, repairs: [["control_character", 3]] },
    // An escaped line break is valid.
    { text: '{"a\\n": 1}', value: { "a\n": 1 }, repairs: [] },
  ]);
  testRepairs([
    { text: "{:}", value: {}, repairs: [["missing_value", 1]] },
    {
      text: '[{ : }, {"a": {:}}]',
      value: [{}, { a: {} }],
      repairs: [
        ["missing_value", 3],
        ["missing_value", 15],
      ],
    },
  ]);
  testRepairs([{ text: "{:}", value: {}, repairs: [["missing_value", 1]] }], options);
});

describe("members without the bracket before them", () => {
  testRepairs(
    [
      { text: '"a": [1, 2]}', value: { a: [1, 2] }, repairs: [["missing_opening", 0]] },
      {
        text: '```json\n"a": 1\n```',
        value: { a: 1 },
        repairs: [
          ["missing_opening", 8],
          ["missing_closer", 15],
        ],
      },
    ],
    options,
  );
});

describe("an object that looks odd at its start", () => {
  testRepairs(
    [
      { text: '{"a" /* x */ :[1, 2]}', value: { a: [1, 2] }, repairs: [["comment", 5]] },
      { text: '{\u200b"a":{"b": 1}}', value: { a: { b: 1 } }, repairs: [["white_space", 1]] },
      {
        text: '{\\n\\"a\\":{\\"b\\":1}}',
        value: { a: { b: 1 } },
        repairs: [
          ["white_space", 1],
          ["escaped_document", 3],
        ],
      },
      { text: '{""a"": [1, 2]}', value: { a: [1, 2] }, repairs: [["doubled_quote", 2]] },
    ],
    options,
  );
});

test("a key of many quotes is not searched again for each of them", () => {
  const includes = Object.getOwnPropertyDescriptor(String.prototype, "includes")!.value as (
    this: unknown,
    text: string,
    from?: number,
  ) => boolean;
  let searched = 0;
  const key = "[{'a".repeat(20_000);
  const parser = parserOf({ repair: true });
  try {
    String.prototype.includes = function (text, from) {
      searched += this.length;
      return includes.call(this, text, from);
    };
    parser.write(`{'${key}': 1}`);
    parser.end();
  } finally {
    String.prototype.includes = includes;
  }
  expect(parser.value).toEqual({ [key]: 1 });
  expect(searched).toBeLessThan(100 * key.length);
});

describe("a key without its value", () => {
  testRepairs([
    { text: '{"a":\n"b": 1}', value: { a: null, b: 1 }, repairs: [["missing_value", 6]] },
    {
      text: "{'a':\n 'b':\r\n'c': 3}",
      value: { a: null, b: null, c: 3 },
      repairs: [
        ["quote", 1],
        ["quote", 7],
        ["missing_value", 7],
        ["quote", 13],
        ["missing_value", 13],
      ],
    },
    { text: '{"a":\n"b"}', value: { a: "b" }, repairs: [] },
    { text: '{"a":\n"b c", "d": 1}', value: { a: "b c", d: 1 }, repairs: [] },
  ]);
});

describe("a key and a value with one quote between them", () => {
  testRepairs([
    {
      text: '{"a "b", "c": 1}',
      value: { a: "b", c: 1 },
      repairs: [
        ["missing_quote", 4],
        ["missing_colon", 4],
      ],
    },
    {
      text: '{"a": 1, "b"c d"}',
      value: { a: 1, b: "c d" },
      repairs: [
        ["missing_quote", 11],
        ["missing_colon", 11],
      ],
    },
    { text: '{"a"b": 1}', value: { 'a"b': 1 }, repairs: [["inner_quote", 3]] },
  ]);
});

describe("a key after an array without its closing bracket", () => {
  testRepairs([
    { text: '{"a": [{"b": 1}, "c": 3}', value: { a: [{ b: 1 }], c: 3 }, repairs: [["missing_closer", 17]] },
    {
      text: '{"a": {"b": [[1], "c": {"d": 2}}, "e": 3}',
      value: { a: { b: [[1]], c: { d: 2 } }, e: 3 },
      repairs: [["missing_closer", 18]],
    },
    { text: '{"a": [{}, "b", "c"]}', value: { a: [{}, "b", "c"] }, repairs: [] },
    { text: '{"a": [1, 2, "b": 3}', value: { a: [1, 2], b: 3 }, repairs: [["missing_closer", 13]] },
    { text: '{"a": ["x", "y", "b": 3}', value: { a: ["x", "y"], b: 3 }, repairs: [["missing_closer", 17]] },
    {
      text: '[{"a": [[1], [2, "b": 3}, {"a": ["x", "y z"]}]',
      value: [{ a: [[1], [2]], b: 3 }, { a: ["x", "y z"] }],
      repairs: [["missing_closer", 17]],
    },
    {
      text: '{"a": ["x", b: 3, name: [1]}',
      value: { a: ["x"], b: 3, name: [1] },
      repairs: [
        ["missing_closer", 12],
        ["unquoted_key", 12],
        ["unquoted_key", 18],
      ],
    },
    {
      text: '{"a": [1\nname: 3}',
      value: { a: [1], name: 3 },
      repairs: [
        ["missing_comma", 9],
        ["missing_closer", 9],
        ["unquoted_key", 9],
      ],
    },
    {
      text: '{"a": ["x", y: 1, "z"]}',
      value: { a: ['x", y: 1', "z"] },
      repairs: [
        ["inner_quote", 9],
        ["missing_quote", 16],
      ],
    },
    {
      text: '{"a": [x, n: 1, http://y]}',
      value: { a: ["x", "n: 1", "http://y"] },
      repairs: [
        ["unquoted_value", 7],
        ["unquoted_value", 10],
        ["unquoted_value", 16],
      ],
    },
    {
      text: '{"a": ["x"\n "b": 3}',
      value: { a: ["x"], b: 3 },
      repairs: [
        ["missing_comma", 12],
        ["missing_closer", 12],
      ],
    },
  ]);

  test.each([
    ...['{"a": ["x", "b": 1]}', '{"a": [{}, "b": 1, "c": 2], "d": 3}', '["x", "b": 1]'],
    // A value without a key.
    ...["{=> 1}", '{"a": (b) => 1}', '{"a": [1] = 2}', '{"a": 1, ＝ 2}'],
  ])("%s has no one reading", (text) => {
    for (const chunks of everyCut(text)) {
      const parser = parserOf({ repair: true });
      expect(() => {
        for (const chunk of chunks) parser.write(chunk);
        parser.end();
      }).toThrow("Expected ");
    }
  });

  const schema = z.object({ tags: z.array(z.string()), n: z.number().optional() });

  test("is one that the schema names", () => {
    for (const chunks of everyCut('{"tags": ["x", "y", "n": 3}')) {
      const parser = parserOf({ repair: true, guard: guardOf(schema) });
      for (const chunk of chunks) parser.write(chunk);
      parser.end();
      expect(parser.value).toEqual({ tags: ["x", "y"], n: 3 });
    }
    const parser = parserOf({ repair: true, guard: guardOf(schema) });
    expect(() => {
      parser.write('{"tags": ["x", "y", "o": 3}');
    }).toThrow('found ":"');
  });

  test("is withheld, and an element that no key begins with is not", () => {
    const parser = parserOf({ repair: true, guard: guardOf(schema) });
    parser.write('{"tags": ["x", "n');
    expect(parser.snapshot()).toEqual({ tags: ["x"] });
    parser.write("o");
    expect(parser.snapshot()).toEqual({ tags: ["x", "no"] });
  });
});

test("a key of several words without quotes is one that the schema names", () => {
  const schema = z.object({ "first name": z.string(), last_name: z.string(), n: z.number().optional() });
  for (const chunks of everyCut("{n: 1，first name: A, B c: d, last name: E}")) {
    const parser = parserOf({ repair: true, guard: guardOf(schema), coerce: true });
    for (const chunk of chunks) parser.write(chunk);
    parser.end();
    expect(parser.value).toEqual({ n: 1, "first name": "A, B c: d", last_name: "E" });
  }
});

test("a key that the schema names begins in a string without its closing quote", () => {
  const schema = z.object({ title: z.string(), score: z.number() });
  const read = (text: string): readonly string[] => {
    const values = [...everyCut(text)].map((chunks) => {
      const parser = parserOf({ repair: true, guard: guardOf(schema) });
      for (const chunk of chunks) parser.write(chunk);
      parser.end();
      return JSON.stringify(parser.value);
    });
    return [...new Set(values)];
  };
  const [torn, text] = ['{"title": "The en"score": 3}', '{"title": "The "score": 3 is", "score": 4}'];
  expect(read(torn)).toEqual([JSON.stringify({ title: "The en", score: 3 })]);
  expect(read('{"title": "The end\n"score": 3}')).toEqual([JSON.stringify({ title: "The end", score: 3 })]);
  expect(read('{"title": "The end "score": 3}')).toEqual([JSON.stringify({ title: "The end", score: 3 })]);
  for (const text of ['a {"score": 3} b', 'set "score": 3}', 'say "score": 3, ok', 'a="score": 3']) {
    const written = `{"title": "${text}", "score": 4}`;
    expect(read(written)).toEqual([JSON.stringify({ title: text, score: 4 })]);
  }
  expect(read(text)).toEqual([JSON.stringify({ title: 'The "score": 3 is', score: 4 })]);
});
