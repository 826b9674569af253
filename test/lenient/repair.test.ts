import fc from "fast-check";
import type { JsonValue } from "millrace";
import { JsonParseError } from "millrace/json";
import { everyWay, fixedSizes } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { jsonText } from "../json/support/arbitraries.js";
import { applyPatch } from "../json/support/apply-patch.js";
import { type RepairTranscript, testRepairs } from "../json/support/repair-transcripts.js";
import { runs } from "../json/support/runs.js";
import { parserOf } from "../support/parser-of.js";

const transcripts: readonly RepairTranscript[] = [
  { text: "[1, 2,]", value: [1, 2], repairs: [["trailing_comma", 6]] },
  { text: '{"a": 1, }', value: { a: 1 }, repairs: [["trailing_comma", 9]] },
  { text: "[1,,2]", value: [1, 2], repairs: [["extra_comma", 3]] },
  { text: "[,1]", value: [1], repairs: [["extra_comma", 1]] },
  { text: '{"a": 1,, "b": 2}', value: { a: 1, b: 2 }, repairs: [["extra_comma", 8]] },
  { text: '{"a": "x",, "b": 1}', value: { a: "x", b: 1 }, repairs: [["extra_comma", 10]] },
  { text: '{,"a":1}', value: { a: 1 }, repairs: [["extra_comma", 1]] },
  { text: "[1 2]", value: [1, 2], repairs: [["missing_comma", 3]] },
  {
    text: "[[1][2]{}]",
    value: [[1], [2], {}],
    repairs: [
      ["missing_comma", 4],
      ["missing_comma", 7],
    ],
  },
  { text: '["a" "b"]', value: ["a", "b"], repairs: [["missing_comma", 5]] },
  { text: '{"a": 1 "b": 2}', value: { a: 1, b: 2 }, repairs: [["missing_comma", 8]] },
  { text: '{"a": "x"\n"b": "y"}', value: { a: "x", b: "y" }, repairs: [["missing_comma", 10]] },
  { text: '{"a": "x" "b": "y"}', value: { a: "x", b: "y" }, repairs: [["missing_comma", 10]] },
  {
    text: '{"a": "x"\n b: 1}',
    value: { a: "x", b: 1 },
    repairs: [
      ["missing_comma", 11],
      ["unquoted_key", 11],
    ],
  },
  { text: "[1, // one\n2]", value: [1, 2], repairs: [["comment", 4]] },
  { text: "[1 # one\n, 2]", value: [1, 2], repairs: [["comment", 3]] },
  {
    text: "/* a * b ** / */[1/**/]",
    value: [1],
    repairs: [
      ["comment", 0],
      ["comment", 18],
    ],
  },
  { text: '{"a" /* key */ : 1}', value: { a: 1 }, repairs: [["comment", 5]] },
  { text: "[1# one\n]", value: [1], repairs: [["comment", 2]] },
  { text: "[true# one\n]", value: [true], repairs: [["comment", 5]] },
  { text: '["a" # one\n]', value: ["a"], repairs: [["comment", 5]] },
  { text: "[1 /*/ 2 */]", value: [1], repairs: [["comment", 3]] },
  { text: "[1] // done", value: [1], repairs: [["comment", 4]] },
  {
    text: "{'a': 'b'}",
    value: { a: "b" },
    repairs: [
      ["quote", 1],
      ["quote", 6],
    ],
  },
  {
    text: "{“a”: “b”}",
    value: { a: "b" },
    repairs: [
      ["quote", 1],
      ["quote", 6],
    ],
  },
  {
    text: "[‘a’, `b`, „c“]",
    value: ["a", "b", "c"],
    repairs: [
      ["quote", 1],
      ["quote", 6],
      ["quote", 11],
    ],
  },
  {
    text: "[”a”, ’b’, ‚c‘]",
    value: ["a", "b", "c"],
    repairs: [
      ["quote", 1],
      ["quote", 6],
      ["quote", 11],
    ],
  },
  {
    text: "['it's \"so\"', 1]",
    value: ['it\'s "so"', 1],
    repairs: [
      ["quote", 1],
      ["inner_quote", 4],
    ],
  },
  {
    text: "['it\\'s']",
    value: ["it's"],
    repairs: [
      ["quote", 1],
      ["escape", 4],
    ],
  },
  {
    text: "{name: 1, $x_2 : 2}",
    value: { name: 1, $x_2: 2 },
    repairs: [
      ["unquoted_key", 1],
      ["unquoted_key", 10],
    ],
  },
  {
    text: "{a: hello big world , b: /usr/bin}",
    value: { a: "hello big world", b: "/usr/bin" },
    repairs: [
      ["unquoted_key", 1],
      ["unquoted_value", 4],
      ["unquoted_key", 22],
      ["unquoted_value", 25],
    ],
  },
  { text: "[/usr/bin]", value: ["/usr/bin"], repairs: [["unquoted_value", 1]] },
  {
    text: "[one\n two]",
    value: ["one", "two"],
    repairs: [
      ["unquoted_value", 1],
      ["missing_comma", 6],
      ["unquoted_value", 6],
    ],
  },
  {
    text: "[2024-01-05, 12:30, 1.2.3, 007]",
    value: ["2024-01-05", "12:30", "1.2.3", "007"],
    repairs: [
      ["unquoted_value", 1],
      ["unquoted_value", 13],
      ["unquoted_value", 20],
      ["unquoted_value", 27],
    ],
  },
  {
    text: "[+123, .52, +1e5, +1E-12, 12.e+34, 12x]",
    value: [123, 0.52, 1e5, 1e-12, 12e34, "12x"],
    repairs: [
      ["number", 1],
      ["number", 7],
      ["number", 12],
      ["number", 18],
      ["number", 26],
      ["unquoted_value", 35],
    ],
  },
  {
    text: "[True, False, None]",
    value: [true, false, null],
    repairs: [
      ["literal", 1],
      ["literal", 7],
      ["literal", 14],
    ],
  },
  {
    text: "[undefined, NaN, Infinity, -Infinity]",
    value: [null, null, null, null],
    repairs: [
      ["literal", 1],
      ["literal", 12],
      ["literal", 17],
      ["literal", 27],
    ],
  },
  {
    text: "[none, nullish, tru]",
    value: [null, "nullish", "tru"],
    repairs: [
      ["literal", 1],
      ["unquoted_value", 7],
      ["unquoted_value", 16],
    ],
  },
  {
    text: "[+1, .5, 5., -.5, +1.5e3]",
    value: [1, 0.5, 5, -0.5, 1500],
    repairs: [
      ["number", 1],
      ["number", 5],
      ["number", 9],
      ["number", 13],
      ["number", 18],
    ],
  },
  {
    text: '["a\nb\tc"]',
    value: ["a\nb\tc"],
    repairs: [
      ["control_character", 3],
      ["control_character", 5],
    ],
  },
  {
    text: "['a\nb\tc']",
    value: ["a\nb\tc"],
    repairs: [
      ["quote", 1],
      ["control_character", 3],
      ["control_character", 5],
    ],
  },
  {
    text: '["\\d \\H \\u12x \\xe9"]',
    value: ["\\d \\H \\u12x \\xe9"],
    repairs: [
      ["escape", 2],
      ["escape", 5],
      ["escape", 8],
      ["escape", 14],
    ],
  },
  { text: '["C:\\Users"]', value: ["C:\\Users"], repairs: [["escape", 4]] },
  {
    text: '["he said "hi" to me"]',
    value: ['he said "hi" to me'],
    repairs: [
      ["inner_quote", 10],
      ["inner_quote", 13],
    ],
  },
  {
    text: '{"a": "he said "hi", then left", "b": 1}',
    value: { a: 'he said "hi", then left', b: 1 },
    repairs: [
      ["inner_quote", 15],
      ["inner_quote", 18],
    ],
  },
  {
    text: '{"a": "hi", then left", "b": 1}',
    value: { a: 'hi", then left', b: 1 },
    repairs: [["inner_quote", 9]],
  },
  {
    text: '{"a": "x"\n: y", "b": 1}',
    value: { a: 'x"\n: y', b: 1 },
    repairs: [
      ["inner_quote", 8],
      ["control_character", 9],
    ],
  },
  {
    text: '{"a": "x"y"z"}',
    value: { a: 'x"y"z' },
    repairs: [
      ["inner_quote", 8],
      ["inner_quote", 10],
    ],
  },
  {
    text: '{"a": "he said "hi" to me"}',
    value: { a: 'he said "hi" to me' },
    repairs: [
      ["inner_quote", 15],
      ["inner_quote", 18],
    ],
  },
  {
    text: '["a""b"]',
    value: ['a""b'],
    repairs: [
      ["inner_quote", 3],
      ["inner_quote", 4],
    ],
  },
  {
    text: '{"the "key"": 1}',
    value: { 'the "key"': 1 },
    repairs: [
      ["inner_quote", 6],
      ["inner_quote", 10],
    ],
  },
  {
    text: '{a: "x", b: "y"}',
    value: { a: "x", b: "y" },
    repairs: [
      ["unquoted_key", 1],
      ["unquoted_key", 9],
    ],
  },
  { text: '{{"a": 1}}', value: { a: 1 }, repairs: [["doubled_opening", 1]] },
  { text: '{"a": [{"b": "c"', value: { a: [{ b: "c" }] }, repairs: [["missing_closer", 16]] },
  { text: '{"a": true', value: { a: true }, repairs: [["missing_closer", 10]] },
  // The text ahead of a quote.
  { text: '{"a": "x", b: 2}', value: { a: "x", b: 2 }, repairs: [["unquoted_key", 11]] },
  {
    text: '{"sql": "SELECT "id", "name" FROM t", "n": 1}',
    value: { sql: 'SELECT "id", "name" FROM t', n: 1 },
    repairs: [
      ["inner_quote", 16],
      ["inner_quote", 19],
      ["inner_quote", 22],
      ["inner_quote", 27],
    ],
  },
  {
    text: '["say "a", "b""]',
    value: ['say "a", "b"'],
    repairs: [
      ["inner_quote", 6],
      ["inner_quote", 8],
      ["inner_quote", 11],
      ["inner_quote", 13],
    ],
  },
  {
    text: '{"t": "see {"k": "v"}, then", "n": 1}',
    value: { t: 'see {"k": "v"}, then', n: 1 },
    repairs: [
      ["inner_quote", 12],
      ["inner_quote", 14],
      ["inner_quote", 17],
      ["inner_quote", 19],
    ],
  },
  {
    text: '{"t": "a, {"k": 1}, "n": 1}',
    value: { t: 'a, {"k": 1}', n: 1 },
    repairs: [
      ["inner_quote", 11],
      ["inner_quote", 13],
      ["missing_quote", 18],
    ],
  },
  {
    text: '{"city": "New York, "gender": "male"}',
    value: { city: "New York", gender: "male" },
    repairs: [["missing_quote", 18]],
  },
  { text: '["hello,\n"world"]', value: ["hello", "world"], repairs: [["missing_quote", 7]] },
  { text: '{"key: "v"}', value: { key: "v" }, repairs: [["missing_quote", 7]] },
  { text: '{"a": ["b"}', value: { a: ["b"] }, repairs: [["missing_closer", 10]] },
  { text: '{"a": ["b]}', value: { a: ["b"] }, repairs: [["missing_quote", 9]] },
  { text: '{"a": ""b"}', value: { a: "b" }, repairs: [["doubled_quote", 7]] },
  {
    text: '{""a"": ""b""}',
    value: { a: "b" },
    repairs: [
      ["doubled_quote", 2],
      ["doubled_quote", 9],
    ],
  },
  { text: '{"a": "b\n"}', value: { a: "b" }, repairs: [["control_character", 8]] },
  { text: '["a" 2]', value: ["a", 2], repairs: [["missing_comma", 5]] },
  { text: '{"a": "b" + "c"}', value: { a: "bc" }, repairs: [["concatenation", 8]] },
  { text: "[\"a\" +\n 'b']", value: ["ab"], repairs: [["concatenation", 3]] },

  // White space, brackets, and what is missing.
  {
    text: '{"a":\u00a0"x",\u200b"b": 1\ufeff}',
    value: { a: "x", b: 1 },
    repairs: [
      ["white_space", 5],
      ["white_space", 10],
      ["white_space", 17],
    ],
  },
  { text: '[{"b": 2]', value: [{ b: 2 }], repairs: [["missing_closer", 8]] },
  { text: '{"a": [1}', value: { a: [1] }, repairs: [["missing_closer", 8]] },
  { text: '{"a": [1}, "b": 2}', value: { a: [1], b: 2 }, repairs: [["wrong_closer", 8]] },
  {
    text: '{"a": {"b": [1, 2}, "c": 3}',
    value: { a: { b: [1, 2] }, c: 3 },
    repairs: [["missing_closer", 17]],
  },
  { text: "[1}", value: [1], repairs: [["wrong_closer", 2]] },
  { text: '[{"a": 1], {"b": 2}]', value: [{ a: 1 }, { b: 2 }], repairs: [["wrong_closer", 8]] },
  { text: '{"a": [[1}], "b": 2}', value: { a: [[1]], b: 2 }, repairs: [["wrong_closer", 9]] },
  { text: '[{"a": 1}}, 2]', value: [{ a: 1 }, 2], repairs: [["extra_closer", 9]] },
  {
    text: '[{"a": 1 {"a": 2}]',
    value: [{ a: 1 }, { a: 2 }],
    repairs: [
      ["missing_closer", 9],
      ["missing_comma", 9],
    ],
  },
  {
    text: '[{"a": 1, {"a": 2}]',
    value: [{ a: 1 }, { a: 2 }],
    repairs: [
      ["missing_closer", 10],
      ["missing_comma", 10],
    ],
  },
  { text: '{"a": }', value: { a: null }, repairs: [["missing_value", 6]] },
  { text: '{"a": , "b": 1}', value: { a: null, b: 1 }, repairs: [["missing_value", 6]] },
  { text: '{"a" "b"}', value: { a: "b" }, repairs: [["missing_colon", 5]] },
  { text: '{"a" 1}', value: { a: 1 }, repairs: [["missing_colon", 5]] },
  {
    text: "{a 'b'}",
    value: { a: "b" },
    repairs: [
      ["unquoted_key", 1],
      ["missing_colon", 3],
      ["quote", 3],
    ],
  },
  { text: "[1, 2, ...]", value: [1, 2], repairs: [["ellipsis", 7]] },
  { text: "[1, …, 9]", value: [1, 9], repairs: [["ellipsis", 4]] },
  { text: '{"a": 1, ...}', value: { a: 1 }, repairs: [["ellipsis", 9]] },
  {
    text: "[(1, ...), ... (9 more)]",
    value: [[1]],
    repairs: [
      ["parentheses", 1],
      ["ellipsis", 5],
      ["ellipsis", 11],
    ],
  },
  {
    text: '{"a": [1, …\n2], ... and so on}',
    value: { a: [1, 2] },
    repairs: [
      ["ellipsis", 10],
      ["missing_comma", 12],
      ["ellipsis", 16],
    ],
  },
  {
    text: "[... a b, ...c]",
    value: ["...c"],
    repairs: [
      ["ellipsis", 1],
      ["unquoted_value", 10],
    ],
  },
  { text: '{"a": 1, NOTE "b": 2}', value: { a: 1, b: 2 }, repairs: [["stray_text", 9]] },

  // Code, and numbers with more than digits.
  {
    text: '{"id": ObjectId("1"), "n": NumberLong(2)}',
    value: { id: "1", n: 2 },
    repairs: [
      ["call", 7],
      ["call", 27],
    ],
  },
  {
    text: '{"at": (1, 2), "n": (3)}',
    value: { at: [1, 2], n: 3 },
    repairs: [
      ["parentheses", 7],
      ["parentheses", 20],
    ],
  },
  {
    text: '{\\"a\\": \\"b, c}',
    value: { a: "b, c" },
    repairs: [
      ["escaped_document", 1],
      ["missing_quote", 14],
    ],
  },
  { text: '{\\"a\\": \\"b \\\\\\"c\\\\\\"\\"}', value: { a: 'b "c"' }, repairs: [["escaped_document", 1]] },
  // An escaped line break after a quote inside a string with others is part of it.
  {
    text: '{"a": "if x:\\n{ "y"\\n}", "b": 1}',
    value: { a: 'if x:\n{ "y"\n}', b: 1 },
    repairs: [
      ["inner_quote", 16],
      ["inner_quote", 18],
    ],
  },
  { text: '{"a": [1], "b": 2 [3], "c": 1}', value: { a: [1], b: 2, c: 1 }, repairs: [["stray_text", 18]] },
  { text: '{"a": 12 kg}', value: { a: "12 kg" }, repairs: [["unquoted_value", 6]] },
  { text: '{"a": 1/3, "b": 2}', value: { a: "1/3", b: 2 }, repairs: [["unquoted_value", 6]] },
  { text: '{"a": 1,234, "b": 2}', value: { a: "1,234", b: 2 }, repairs: [["unquoted_value", 6]] },
  { text: "[1,234]", value: [1, 234], repairs: [] },
  { text: "[1 / 2]", value: ["1 / 2"], repairs: [["unquoted_value", 1]] },
  {
    text: '{"a": 1_000, "b": -0x10}',
    value: { a: 1000, b: -16 },
    repairs: [
      ["number", 6],
      ["number", 18],
    ],
  },
  { text: '{"a": 12 "b": 1}', value: { a: 12, b: 1 }, repairs: [["missing_comma", 9]] },
  {
    text: '{"a": 12 b: 1}',
    value: { a: 12, b: 1 },
    repairs: [
      ["missing_comma", 9],
      ["unquoted_key", 9],
    ],
  },
  { text: '{"a": f(x, y), "b": 1}', value: { a: "f(x, y)", b: 1 }, repairs: [["unquoted_value", 6]] },
  {
    text: "{a: b, c, d: 1}",
    value: { a: "b, c", d: 1 },
    repairs: [
      ["unquoted_key", 1],
      ["unquoted_value", 4],
      ["unquoted_key", 10],
    ],
  },
  {
    text: '{"a": foo", b": 1}',
    value: { a: "foo", b: 1 },
    repairs: [
      ["unquoted_value", 6],
      ["unquoted_key", 12],
    ],
  },
  {
    text: "{a: b // c\n}",
    value: { a: "b" },
    repairs: [
      ["unquoted_key", 1],
      ["unquoted_value", 4],
      ["comment", 6],
    ],
  },
];

describe("repair", () => {
  testRepairs(transcripts);

  // Each has the error that shows why it is not repaired, and its position.
  test.each([
    { text: '{"a": [1', code: "unexpected_end", offset: 8, why: "the number may be incomplete" },
    { text: '{"a": "b', code: "unexpected_end", offset: 8, why: "the string is incomplete" },
    { text: '{"a": tru', code: "unexpected_end", offset: 9, why: "the literal is incomplete" },
    { text: '{"a": 1,', code: "unexpected_end", offset: 8, why: "a member is expected" },
    { text: '{"a":', code: "unexpected_end", offset: 5, why: "the value is missing" },
    { text: '{"a": /* b', code: "unexpected_end", offset: 10, why: "the value is missing" },
    { text: '{"a": "b" c", "d', code: "unexpected_end", offset: 16, why: "the quotation has no end" },
    { text: '{"a": [1], [2]}', code: "unexpected_character", offset: 11, why: "the second list has no key" },
    { text: '["a b": 1]', code: "unexpected_character", offset: 6, why: "a list has no keys" },
    {
      text: '{"a": \\"b\\"}',
      code: "unexpected_character",
      offset: 6,
      why: "only a part of it is escaped",
    },
    { text: '{"a": {\\"b\\": 1}}', code: "unexpected_character", offset: 7, why: "only a part is escaped" },
    { text: "{:1}", code: "unexpected_character", offset: 1, why: "the key is missing" },
    { text: "{'a', 'b'}", code: "unexpected_character", offset: 4, why: "it is a set of Python" },
    { text: `{"a": {"b", "c"}, "d": 1}`, code: "unexpected_character", offset: 10, why: "it is a set" },
    {
      text: '{"a": "b, c: 1}',
      code: "unexpected_end",
      offset: 15,
      why: "another member could be in the string",
    },
    { text: '["b, c]', code: "unexpected_end", offset: 7, why: "another element could be in the string" },
    { text: "Sure! {}", code: "unexpected_character", offset: 0, why: "prose needs extract" },
    { text: "{} {}", code: "trailing_text", offset: 3, why: "it has a second document" },
    { text: "{{}}}", code: "trailing_text", offset: 4, why: "there is an extra bracket" },
  ])("rejects $text, because $why", ({ text, code, offset }) => {
    for (const chunks of everyWay(text)) {
      const parser = parserOf({ repair: true });
      expect(() => {
        for (const chunk of chunks) parser.write(chunk);
        parser.end();
      }).toThrow(expect.objectContaining({ code, offset }));
    }
  });

  // G-parsers-5
  test("adds no closing brackets to a truncated text", () => {
    const parser = parserOf({ repair: true });
    parser.write('{"a": ["b"');
    expect(() => {
      parser.end({ truncated: true });
    }).toThrow(expect.objectContaining({ code: "unexpected_end", value: { a: ["b"] } }));
  });

  test("keeps a string open until the following text ends it", () => {
    const parser = parserOf({ repair: true });
    parser.write('{"a": "he said "');
    expect(parser.snapshot()).toEqual({ a: "he said" });
    expect(parser.isComplete("/a")).toBe(false);
    parser.write('hi"');
    expect(parser.snapshot()).toEqual({ a: 'he said "hi' });
    parser.write("}");
    expect(parser.isComplete("/a")).toBe(true);
  });

  // G-parsers-2
  test("reads a key that is the beginning of the key before it, one character at a time", () => {
    for (const text of ['[{"x": 1}, {"": 2}]', '[{"ab": 1}, {"a" : 2, "abc": 3}]']) {
      const parser = parserOf({ repair: true });
      for (const character of text) parser.write(character);
      parser.end();
      expect(parser.snapshot()).toEqual(JSON.parse(text));
    }
  });

  test("reads valid JSON like the strict parser, without repairs", () => {
    fc.assert(
      fc.property(jsonText(), fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (text, sizes) => {
        const strict = parserOf();
        const lenient = parserOf({
          repair: true,
          onRepair: ({ kind, offset }) => {
            throw new Error(`${kind} at ${offset} of ${text}`);
          },
        });
        for (let i = 0; i < text.length;) {
          const chunk = text.slice(i, (i += sizes.next().value as number));
          strict.write(chunk);
          lenient.write(chunk);
        }
        strict.end();
        lenient.end();
        expect(lenient.value).toEqual(strict.value);
        expect(lenient.complete).toBe(true);
      }),
      { numRuns: runs },
    );
  });

  // G-parsers-3
  test("throws only JsonParseError, for any text and any split", () => {
    const pieces = fc.constantFrom(
      ...Array.from("{}[]:,'\"“”`/*#\\\n\t 1a"),
      ...["true", "None", "-.5e", "\\u00", "//", "é", "😀", '",', '"}'],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), fc.boolean(), (texts, truncated) => {
        const outcome = (chunks: readonly string[]): unknown => {
          const repairs: unknown[] = [];
          const parser = parserOf({ repair: true, onRepair: (repair) => repairs.push(repair) });
          try {
            for (const chunk of chunks) parser.write(chunk);
            parser.end({ truncated });
          } catch (error) {
            if (!(error instanceof JsonParseError)) throw error;
            return { code: error.code, offset: error.offset, line: error.line, value: error.value, repairs };
          }
          return { value: parser.value, repairs };
        };
        expect(outcome([...fixedSizes(texts.join(""), [1])].flat())).toEqual(outcome([texts.join("")]));
      }),
      { numRuns: runs * 5 },
    );
  });

  // G-parsers-4
  test("its patches produce its snapshots, also with repairs", () => {
    for (const { text } of transcripts) {
      const parser = parserOf({ repair: true });
      let document: JsonValue = null;
      for (const character of text) {
        parser.write(character);
        document = applyPatch(document, parser.takePatch());
        expect(document).toEqual(parser.snapshot() ?? null);
      }
    }
  });
});
