import { describe } from "vitest";
import { testRepairs } from "../json/support/repair-transcripts.js";

describe("a closing tag or fence after a quote in a string", () => {
  testRepairs([
    {
      text: '{"a": "<b>"c"</b> d", "e": 1}',
      value: { a: '<b>"c"</b> d', e: 1 },
      repairs: [
        ["inner_quote", 10],
        ["inner_quote", 12],
      ],
    },
    {
      text: '["<i>"a"</i>", "<i>"b"</i>"]',
      value: ['<i>"a"</i>', '<i>"b"</i>'],
      repairs: [
        ["inner_quote", 5],
        ["inner_quote", 7],
        ["inner_quote", 19],
        ["inner_quote", 21],
      ],
    },
    {
      text: '{"a": {"b": "<u>"c"</u>, <u>"d"</u>"}, "e": 1}',
      value: { a: { b: '<u>"c"</u>, <u>"d"</u>' }, e: 1 },
      repairs: [
        ["inner_quote", 16],
        ["inner_quote", 18],
        ["inner_quote", 28],
        ["inner_quote", 30],
      ],
    },
    {
      text: '{"a": "```sh\n"b"\n```", "c": 1}',
      value: { a: '```sh\n"b"\n```', c: 1 },
      repairs: [
        ["control_character", 12],
        ["inner_quote", 13],
        ["inner_quote", 15],
        ["control_character", 16],
      ],
    },
    {
      text: "{'a': 'b 'c'<|end|>', 'd': 1}",
      value: { a: "b 'c'<|end|>", d: 1 },
      repairs: [
        ["quote", 1],
        ["quote", 6],
        ["inner_quote", 9],
        ["inner_quote", 11],
        ["quote", 22],
      ],
    },
  ]);
});

describe("a closing tag or fence that ends the document", () => {
  testRepairs(
    [
      { text: '{"a": "b"</x> is "c" or "d"', value: { a: "b" }, repairs: [["missing_closer", 9]] },
      {
        text: '{"a": {"b": "c"\n```\nOr "d", "e".',
        value: { a: { b: "c" } },
        repairs: [["missing_closer", 16]],
      },
      {
        text: '["a"</x>\n<x>{"b": "", "c": "d"}</x>',
        value: ["a"],
        repairs: [
          ["missing_closer", 4],
          ["extra_document", 12],
        ],
      },
    ],
    { extract: "auto" },
  );
});

describe("a quotation at the start of a string", () => {
  testRepairs([
    {
      text: '{"a": ""b" c", "d": 1}',
      value: { a: '"b" c', d: 1 },
      repairs: [
        ["inner_quote", 7],
        ["inner_quote", 9],
      ],
    },
    {
      text: '{"a": ""b", c", "d": 1}',
      value: { a: '"b", c', d: 1 },
      repairs: [
        ["inner_quote", 7],
        ["inner_quote", 9],
      ],
    },
    {
      text: '{"a": ""b", "c" e", "d": 1}',
      value: { a: '"b", "c" e', d: 1 },
      repairs: [
        ["inner_quote", 7],
        ["inner_quote", 9],
        ["inner_quote", 12],
        ["inner_quote", 14],
      ],
    },
    {
      text: '[""b" c", "d"]',
      value: ['"b" c', "d"],
      repairs: [
        ["inner_quote", 2],
        ["inner_quote", 4],
      ],
    },
    {
      text: "{'a': ''b' c'}",
      value: { a: "'b' c" },
      repairs: [
        ["quote", 1],
        ["quote", 6],
        ["inner_quote", 7],
        ["inner_quote", 9],
      ],
    },
    // All of it in quotes: they are doubled.
    { text: '{"a": ""b"", "d": 1}', value: { a: "b", d: 1 }, repairs: [["doubled_quote", 7]] },
    { text: '{"a": ""b", "d": 1}', value: { a: "b", d: 1 }, repairs: [["doubled_quote", 7]] },
    {
      text: '{"a": ""b "c" e""}',
      value: { a: 'b "c" e' },
      repairs: [
        ["doubled_quote", 7],
        ["inner_quote", 10],
        ["inner_quote", 12],
      ],
    },
  ]);
});

describe("a string in three quotes", () => {
  testRepairs([
    {
      text: '{"a": """b ""\n}\n""", "c": 1}',
      value: { a: 'b ""\n}\n', c: 1 },
      repairs: [
        ["doubled_quote", 7],
        ["doubled_quote", 8],
        ["inner_quote", 11],
        ["inner_quote", 12],
        ["control_character", 13],
        ["control_character", 15],
      ],
    },
    {
      text: "['''b ', 'c'\n''', 1]",
      value: ["b ', 'c'\n", 1],
      repairs: [
        ["quote", 1],
        ["doubled_quote", 2],
        ["doubled_quote", 3],
        ["inner_quote", 6],
        ["inner_quote", 9],
        ["inner_quote", 11],
        ["control_character", 12],
      ],
    },
    {
      text: '{"a": """\nb = 1\n""", "c": 1}',
      value: { a: "\nb = 1\n", c: 1 },
      repairs: [
        ["doubled_quote", 7],
        ["doubled_quote", 8],
        ["control_character", 9],
        ["control_character", 15],
      ],
    },
    {
      text: `{"a": """b("") ${"c".repeat(260)}"""}`,
      value: { a: `b("") ${"c".repeat(260)}` },
      repairs: [
        ["doubled_quote", 7],
        ["doubled_quote", 8],
        ["inner_quote", 11],
        ["inner_quote", 12],
      ],
    },
    {
      text: `{"a": """, "b": """}`,
      value: { a: "", b: "" },
      repairs: [
        ["doubled_quote", 7],
        ["doubled_quote", 17],
      ],
    },
    {
      text: '{"a": """b", "c": """d"""}',
      value: { a: "b", c: "d" },
      repairs: [
        ["doubled_quote", 7],
        ["doubled_quote", 8],
        ["doubled_quote", 19],
        ["doubled_quote", 20],
      ],
    },
  ]);
});

describe("code with its quotes in a string", () => {
  testRepairs([
    {
      text: '["f(a, "b")", "c"]',
      value: ['f(a, "b")', "c"],
      repairs: [
        ["inner_quote", 7],
        ["inner_quote", 9],
      ],
    },
    {
      text: '{"a": "b "c"\n# d "e"", "f": 1}',
      value: { a: 'b "c"\n# d "e"', f: 1 },
      repairs: [
        ["inner_quote", 9],
        ["inner_quote", 11],
        ["control_character", 12],
        ["inner_quote", 17],
        ["inner_quote", 19],
      ],
    },
    // The first is a prefix of Python.
    { text: '["a", b""]', value: ["a", ""], repairs: [["quote", 6]] },
  ]);
});

describe("JSON with its quotes in a string", () => {
  testRepairs([
    {
      text: '{"a": "{\n  "b": 1,\n  "c": "d"\n}", "e": 2}',
      value: { a: '{\n  "b": 1,\n  "c": "d"\n}', e: 2 },
      repairs: [
        ["control_character", 8],
        ["inner_quote", 11],
        ["inner_quote", 13],
        ["control_character", 18],
        ["inner_quote", 21],
        ["inner_quote", 23],
        ["inner_quote", 26],
        ["inner_quote", 28],
        ["control_character", 29],
      ],
    },
    {
      text: '{"a": "p{b: "c", d:"e"}", "f": 1}',
      value: { a: 'p{b: "c", d:"e"}', f: 1 },
      repairs: [
        ["inner_quote", 12],
        ["inner_quote", 14],
        ["inner_quote", 19],
        ["inner_quote", 21],
      ],
    },
    {
      text: '["so: [ "b", "c" ] ok", "d"]',
      value: ['so: [ "b", "c" ] ok', "d"],
      repairs: [
        ["inner_quote", 8],
        ["inner_quote", 10],
        ["inner_quote", 13],
        ["inner_quote", 15],
      ],
    },
  ]);
});
