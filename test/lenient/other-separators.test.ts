import { describe } from "vitest";
import { testRepairs } from "../json/support/repair-transcripts.js";

describe("a comma or colon of another script, and a semicolon", () => {
  testRepairs([
    {
      text: '{"a": 1; "b": "x"; }',
      value: { a: 1, b: "x" },
      repairs: [
        ["missing_comma", 7],
        ["missing_comma", 17],
        ["trailing_comma", 19],
      ],
    },
    {
      text: '["a"、"b"，["c"؛ 2]]',
      value: ["a", "b", ["c", 2]],
      repairs: [
        ["missing_comma", 4],
        ["missing_comma", 8],
        ["missing_comma", 13],
      ],
    },
    {
      text: '["a"，"b"，]',
      value: ["a", "b"],
      repairs: [
        ["missing_comma", 4],
        ["missing_comma", 8],
        ["trailing_comma", 9],
      ],
    },
    {
      text: '[1；2،{"x"：true，"y"＝3}]',
      value: [1, 2, { x: true, y: 3 }],
      repairs: [
        ["missing_comma", 2],
        ["missing_comma", 4],
        ["missing_colon", 9],
        ["missing_comma", 14],
        ["missing_colon", 18],
      ],
    },
    {
      text: "{“a”：“茶”，“b”：“水”}",
      value: { a: "茶", b: "水" },
      repairs: [
        ["quote", 1],
        ["missing_colon", 4],
        ["quote", 5],
        ["missing_comma", 8],
        ["quote", 9],
        ["missing_colon", 12],
        ["quote", 13],
      ],
    },
    {
      text: "{名：茶，量：[甲、乙]}",
      value: { 名: "茶", 量: ["甲", "乙"] },
      repairs: [
        ["unquoted_key", 1],
        ["missing_colon", 2],
        ["unquoted_value", 3],
        ["missing_comma", 4],
        ["unquoted_key", 5],
        ["missing_colon", 6],
        ["unquoted_value", 8],
        ["missing_comma", 9],
        ["unquoted_value", 10],
      ],
    },
  ]);
  testRepairs([{ text: 'So: {"a"：1}', value: { a: 1 }, repairs: [["missing_colon", 8]] }], {
    extract: "auto",
  });
});

describe("the same in a text", () => {
  testRepairs([
    { text: '{"a":"x；y，z: 1","b":"p; q"}', value: { a: "x；y，z: 1", b: "p; q" }, repairs: [] },
    {
      text: '{"a": "let s = "x"; t", "b": 1}',
      value: { a: 'let s = "x"; t', b: 1 },
      repairs: [
        ["inner_quote", 15],
        ["inner_quote", 17],
      ],
    },
    {
      text: '["他说"好"，走了", "b"]',
      value: ['他说"好"，走了', "b"],
      repairs: [
        ["inner_quote", 4],
        ["inner_quote", 6],
      ],
    },
    { text: '{"a": ls; rm}', value: { a: "ls; rm" }, repairs: [["unquoted_value", 6]] },
    { text: '{"a": 1，000}', value: { a: "1，000" }, repairs: [["unquoted_value", 6]] },
  ]);
});

describe("another sign between a key and its value", () => {
  testRepairs([
    {
      text: '{"a" -> 1, "b" → -2}',
      value: { a: 1, b: -2 },
      repairs: [
        ["missing_colon", 5],
        ["missing_colon", 15],
      ],
    },
    {
      text: '{a="x", b => "y"; c = [1]}',
      value: { a: "x", b: "y", c: [1] },
      repairs: [
        ["unquoted_key", 1],
        ["missing_colon", 2],
        ["unquoted_key", 8],
        ["missing_colon", 10],
        ["missing_comma", 16],
        ["unquoted_key", 18],
        ["missing_colon", 20],
      ],
    },
    {
      text: '{"a" := "x", "b":: 2}',
      value: { a: "x", b: 2 },
      repairs: [
        ["missing_colon", 6],
        ["missing_colon", 17],
      ],
    },
    { text: '{"a" -1}', value: { a: -1 }, repairs: [["missing_colon", 5]] },
    { text: '{"a": =SUM(A1)}', value: { a: "=SUM(A1)" }, repairs: [["unquoted_value", 6]] },
    { text: '{"a "→ b": 1}', value: { 'a "→ b': 1 }, repairs: [["inner_quote", 4]] },
    {
      text: '{"a": "x = "b", y = "c"", "d": 1}',
      value: { a: 'x = "b", y = "c"', d: 1 },
      repairs: [
        ["inner_quote", 11],
        ["inner_quote", 13],
        ["inner_quote", 20],
        ["inner_quote", 22],
      ],
    },
  ]);
});

describe("quotes and digits of other scripts", () => {
  testRepairs([
    {
      text: "{「名」：『茶』、«b»: ２}",
      value: { 名: "茶", b: 2 },
      repairs: [
        ["quote", 1],
        ["missing_colon", 4],
        ["quote", 5],
        ["missing_comma", 8],
        ["quote", 9],
        ["number", 14],
      ],
    },
    { text: '{"a": 「茶」と「水」}', value: { a: "「茶」と「水」" }, repairs: [["unquoted_value", 6]] },
    { text: '{"a": « oui », "b": 1}', value: { a: "« oui »", b: 1 }, repairs: [["unquoted_value", 6]] },
    { text: '["「茶」", "１２"]', value: ["「茶」", "１２"], repairs: [] },
    {
      text: "[１２，-3．５, ٣٫٥, −1, ００７]",
      value: [12, -3.5, 3.5, -1, "００７"],
      repairs: [
        ["number", 1],
        ["missing_comma", 3],
        ["number", 4],
        ["number", 10],
        ["number", 15],
        ["unquoted_value", 19],
      ],
    },
  ]);
});

describe("a bracket or bar of full width", () => {
  testRepairs([
    {
      text: '{"a"：［1｜"［x］"］，"b"：｛c：真｝｝',
      value: { a: [1, "［x］"], b: { c: "真" } },
      repairs: [
        ["missing_colon", 4],
        ["missing_opening", 5],
        ["missing_comma", 7],
        ["missing_closer", 13],
        ["missing_comma", 14],
        ["missing_colon", 18],
        ["missing_opening", 19],
        ["unquoted_key", 20],
        ["missing_colon", 21],
        ["unquoted_value", 22],
        ["missing_closer", 23],
        ["missing_closer", 24],
      ],
    },
    { text: '{"a": "b"｝', value: { a: "b" }, repairs: [["missing_closer", 9]] },
    {
      text: '["［a "b"］［c］d", "e"]',
      value: ['［a "b"］［c］d', "e"],
      repairs: [
        ["inner_quote", 5],
        ["inner_quote", 7],
      ],
    },
  ]);
  testRepairs(
    [
      {
        text: "［1, 2］",
        value: [1, 2],
        repairs: [
          ["missing_opening", 0],
          ["missing_closer", 5],
        ],
      },
    ],
    { extract: "auto" },
  );
});
