import { describe, expect, test } from "vitest";
import { testRepairs } from "../json/support/repair-transcripts.js";
import { parserOf } from "../support/parser-of.js";

describe("a word without quotes", () => {
  testRepairs([
    {
      text: '{2.17: "b",\n 3.5: "c"}',
      value: { "2.17": "b", "3.5": "c" },
      repairs: [
        ["unquoted_key", 1],
        ["unquoted_key", 13],
      ],
    },
    {
      text: "{some key : 1}",
      value: { "some key": 1 },
      repairs: [["unquoted_key", 1]],
    },
    { text: "{si\\u03A3ma: 1}", value: { siΣma: 1 }, repairs: [["unquoted_key", 1]] },
    { text: '{"a": "b, e.g.: c"}', value: { a: "b, e.g.: c" }, repairs: [] },
  ]);
});

describe("a marker or a conjunction before an element", () => {
  testRepairs([
    {
      text: '[\n1. "a",\n2. {"b": 1}]',
      value: ["a", { b: 1 }],
      repairs: [
        ["stray_text", 2],
        ["stray_text", 10],
      ],
    },
    {
      text: '[- "a", -5, 6.]',
      value: ["a", -5, 6],
      repairs: [
        ["stray_text", 1],
        ["number", 12],
      ],
    },
    {
      text: "[- a, 1. b]",
      value: ["- a", "1. b"],
      repairs: [
        ["unquoted_value", 1],
        ["unquoted_value", 6],
      ],
    },
    { text: '["a", "b", and "c"]', value: ["a", "b", "c"], repairs: [["stray_text", 11]] },
    {
      text: '["a "b", and "c"", "d"]',
      value: ['a "b", and "c"', "d"],
      repairs: [
        ["inner_quote", 4],
        ["inner_quote", 6],
        ["inner_quote", 13],
        ["inner_quote", 15],
      ],
    },
    {
      text: '["a", and "b" too", "c"]',
      value: ['a", and "b" too', "c"],
      repairs: [
        ["inner_quote", 3],
        ["inner_quote", 10],
        ["inner_quote", 12],
      ],
    },
  ]);
});

describe("a fence or a closing tag where a value is missing", () => {
  testRepairs([
    // Code in a fence is text.
    {
      text: '{"a":[```b```]}',
      value: { a: ["b"] },
      repairs: [
        ["quote", 6],
        ["doubled_quote", 7],
        ["doubled_quote", 8],
      ],
    },
    {
      text: '{"a":```b```}',
      value: { a: "b" },
      repairs: [
        ["quote", 5],
        ["doubled_quote", 6],
        ["doubled_quote", 7],
      ],
    },
  ]);
  testRepairs(
    [
      {
        text: '{"a":\n```',
        value: { a: null },
        repairs: [
          ["missing_value", 6],
          ["missing_closer", 6],
        ],
      },
      {
        text: '[{"a":\n```\n',
        value: [{ a: null }],
        repairs: [
          ["missing_value", 7],
          ["missing_closer", 7],
        ],
      },
      { text: '{"a": [\n```\n', value: { a: [] }, repairs: [["missing_closer", 8]] },
      { text: '{"a": [\n~~~\nDone.', value: { a: [] }, repairs: [["missing_closer", 8]] },
      { text: '{"a": [</answer>\nDone.', value: { a: [] }, repairs: [["missing_closer", 7]] },
      { text: '{"a": {\n```\nDone.', value: { a: {} }, repairs: [["missing_closer", 8]] },
      { text: '{"a": {<|end|>', value: { a: {} }, repairs: [["missing_closer", 7]] },
      {
        text: '{"a": </answer> Done.',
        value: { a: null },
        repairs: [
          ["missing_value", 6],
          ["missing_closer", 6],
        ],
      },
      {
        text: '{"a":\n~~~\nDone.',
        value: { a: null },
        repairs: [
          ["missing_value", 6],
          ["missing_closer", 6],
        ],
      },
    ],
    { extract: "auto" },
  );
});

describe("a comment", () => {
  testRepairs([
    { text: '["a", <!-- b --> "c"]', value: ["a", "c"], repairs: [["comment", 6]] },
    { text: '{"a": "b", <!--c-->\n"d": 1}', value: { a: "b", d: 1 }, repairs: [["comment", 11]] },
    { text: "[1, <!-- a -- > -->2]", value: [1, 2], repairs: [["comment", 4]] },
    { text: "[1, // a\r2]", value: [1, 2], repairs: [["comment", 4]] },
    // Its line contains the end of the object.
    {
      text: '{"a": {"b": 1 # c }, "d": 2}',
      value: { a: { b: 1 }, d: 2 },
      repairs: [["comment", 14]],
    },
    { text: '{"a": 1 // {b} c }', value: { a: 1 }, repairs: [["comment", 8]] },
    { text: '{"a": 1 // }\n, "b": 2}', value: { a: 1, b: 2 }, repairs: [["comment", 8]] },
    // It has no end.
    {
      text: "[1 /* one",
      value: [1],
      repairs: [
        ["comment", 3],
        ["missing_closer", 9],
      ],
    },
    { text: "[1] /* one", value: [1], repairs: [["comment", 4]] },
  ]);
});

test("a long word in small chunks is read in linear time", () => {
  const word = "e-“)e".repeat(100_000);
  const parser = parserOf({ repair: true });
  for (const chunk of `{"a": ${word}}`.match(/[^]{1,7}/g) ?? []) parser.write(chunk); // took minutes
  parser.end();
  expect(parser.value).toEqual({ a: word });
});
