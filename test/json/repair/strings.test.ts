import { describe } from "vitest";
import { testRepairs } from "../support/repair-transcripts.js";

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
