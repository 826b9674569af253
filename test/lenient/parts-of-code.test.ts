import { describe } from "vitest";
import { testRepairs } from "../json/support/repair-transcripts.js";

describe("a string of Python", () => {
  testRepairs([
    {
      text: `{u'a': r"\\d", 'b': [b'x', "y"], 'c': 1}`,
      value: { a: "\\d", b: ["x", "y"], c: 1 },
      repairs: [
        ["quote", 1],
        ["quote", 2],
        ["quote", 7],
        ["escape", 9],
        ["quote", 14],
        ["quote", 20],
        ["quote", 21],
        ["quote", 32],
      ],
    },
    {
      text: `{"a": b, "r": u}`,
      value: { a: "b", r: "u" },
      repairs: [
        ["unquoted_value", 6],
        ["unquoted_value", 14],
      ],
    },
    {
      text: `{"a": ("x "\n "y" 'z')}`,
      value: { a: "x yz" },
      repairs: [
        ["parentheses", 6],
        ["concatenation", 10],
        ["concatenation", 15],
      ],
    },
  ]);
});

describe("an escape between tokens", () => {
  testRepairs([
    {
      text: '{\\n"a": "x",\\n"b": [1,\\t2\\r\\n]\\n}',
      value: { a: "x", b: [1, 2] },
      repairs: [
        ["white_space", 1],
        ["white_space", 12],
        ["white_space", 22],
        ["white_space", 25],
        ["white_space", 27],
        ["white_space", 30],
      ],
    },
    {
      text: '[{"a": \\["x"\\]\\}\\]',
      value: [{ a: ["x"] }],
      repairs: [
        ["escape", 7],
        ["escape", 12],
        ["escape", 14],
        ["escape", 16],
      ],
    },
    {
      text: '{"a": "say "x"\\nagain", "b": 1}',
      value: { a: 'say "x"\nagain', b: 1 },
      repairs: [
        ["inner_quote", 11],
        ["inner_quote", 13],
      ],
    },
  ]);
});

describe("a raw string of Python", () => {
  testRepairs([
    {
      text: "{'a': r'\\d\\n', 'b': '\\n'}",
      value: { a: "\\d\\n", b: "\n" },
      repairs: [
        ["quote", 1],
        ["quote", 6],
        ["quote", 7],
        ["escape", 8],
        ["escape", 10],
        ["quote", 15],
        ["quote", 20],
      ],
    },
    {
      text: '[R"\\\\\\u1", br"\\x", "\\t"]',
      value: ["\\\\\\u1", "\\x", "\t"],
      repairs: [
        ["quote", 1],
        ["escape", 3],
        ["escape", 4],
        ["escape", 5],
        ["quote", 11],
        ["escape", 14],
      ],
    },
  ]);
});
