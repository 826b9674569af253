import type { JsonValue } from "millrace";
import { Allow, type JsonParseErrorCode } from "millrace/json";
import type { InWords } from "../../support/parser-of.js";

/** An invalid text, and all fields of its error. */
export interface Mistake {
  readonly text: string;
  readonly code: JsonParseErrorCode;
  /** The position: the offset from 0, line and column from 1. */
  readonly at: readonly [offset: number, line: number, column: number];
  readonly pointer: string;
  readonly expected: string;
  readonly found: string | undefined;
  readonly known: JsonValue | undefined;
  readonly options: InWords;
}

function wrong(
  text: string,
  code: JsonParseErrorCode,
  at: Mistake["at"],
  pointer: string,
  expected: string,
  found: string | undefined,
  known: JsonValue | undefined,
  options: InWords = {},
): Mistake {
  return { text, code, at, pointer, expected, found, known, options };
}

const value = "a value";
const string = "the end of the string";
const afterElement = '"," or "]"';
const afterMember = '"," or "}"';
const escape = 'one of " \\ / b f n r t u after the backslash';
const digits = "four hexadecimal digits after \\u";
const nothing = "nothing after the document";
const flat = "a scalar or the end";

export const mistakes: readonly Mistake[] = [
  wrong("x", "unexpected_character", [0, 1, 1], "", value, "x", undefined),
  wrong("\ufeff1", "unexpected_character", [0, 1, 1], "", value, "\ufeff", undefined),
  wrong("]", "unexpected_character", [0, 1, 1], "", value, "]", undefined),
  wrong("[}", "unexpected_character", [1, 1, 2], "", 'a value or "]"', "}", []),
  wrong("[1,]", "unexpected_character", [3, 1, 4], "/1", value, "]", [1]),
  wrong('["a",?', "unexpected_character", [5, 1, 6], "/1", value, "?", ["a"]),
  wrong("[1 2]", "unexpected_character", [3, 1, 4], "", afterElement, "2", [1]),
  wrong("[01]", "unexpected_character", [2, 1, 3], "", afterElement, "1", [0]),
  wrong("[True", "unexpected_character", [1, 1, 2], "", 'a value or "]"', "T", []),
  wrong('{"a":1]', "unexpected_character", [6, 1, 7], "", afterMember, "]", { a: 1 }),
  wrong("{a:1}", "unexpected_character", [1, 1, 2], "", 'a key in double quotes or "}"', "a", {}),
  wrong('{"a":1,}', "unexpected_character", [7, 1, 8], "", "a key in double quotes", "}", { a: 1 }),
  wrong('{"a" 1}', "unexpected_character", [5, 1, 6], "", '":"', "1", {}),
  wrong('{"a":,', "unexpected_character", [5, 1, 6], "/a", value, ",", {}),
  wrong('{"a":[{"b/~":?', "unexpected_character", [13, 1, 14], "/a/0/b~1~0", value, "?", { a: [{}] }),

  wrong("[-01]", "unexpected_character", [3, 1, 4], "", afterElement, "1", [-0]),
  wrong("[1.2.3]", "unexpected_character", [4, 1, 5], "", afterElement, ".", [1.2]),
  wrong("[1-2]", "unexpected_character", [2, 1, 3], "", afterElement, "-", [1]),
  wrong("[1ex5]", "invalid_number", [3, 1, 4], "/0", "a digit", "x", []),
  wrong("[-]", "invalid_number", [2, 1, 3], "/0", "a digit", "]", []),
  wrong("[1.e]", "invalid_number", [3, 1, 4], "/0", "a digit", "e", []),
  wrong('{"n":1e+}', "invalid_number", [8, 1, 9], "/n", "a digit", "}", {}),
  wrong("[1.x]", "invalid_number", [3, 1, 4], "/0", "a digit", "x", [1], { allow: Allow.ALL }),
  wrong("[trux]", "invalid_literal", [4, 1, 5], "/0", '"true"', "x", []),
  wrong("nuLl", "invalid_literal", [2, 1, 3], "", '"null"', "L", undefined),

  wrong('["ab\\H"]', "invalid_escape", [5, 1, 6], "/0", escape, "H", ["ab"]),
  wrong('["ab\\u00g0"]', "invalid_escape", [8, 1, 9], "/0", digits, "g", ["ab"]),
  wrong('{"k\\x":1}', "invalid_escape", [4, 1, 5], "", escape, "x", {}),
  wrong('{"s":"one\ntwo"}', "control_character", [9, 1, 10], "/s", "an escape", "\n", { s: "one" }),
  wrong('["\u0000', "control_character", [2, 1, 3], "/0", "an escape", "\u0000", [""]),
  wrong('{"a\tb":1}', "control_character", [3, 1, 4], "", "an escape", "\t", {}),

  wrong('{"a": 1} trailing', "trailing_text", [9, 1, 10], "", nothing, "t", { a: 1 }),
  wrong("{}{}", "trailing_text", [2, 1, 3], "", nothing, "{", {}),
  wrong("01", "trailing_text", [1, 1, 2], "", nothing, "1", 0),

  wrong("", "empty", [0, 1, 1], "", value, undefined, undefined),
  wrong(" \n ", "empty", [3, 2, 2], "", value, undefined, undefined),
  wrong("[", "unexpected_end", [1, 1, 2], "", 'a value or "]"', undefined, []),
  wrong("[1", "unexpected_end", [2, 1, 3], "/0", "the end of the number", undefined, []),
  wrong("-", "unexpected_end", [1, 1, 2], "", "a digit", undefined, undefined),
  wrong("tr", "unexpected_end", [2, 1, 3], "", '"true"', undefined, undefined),
  wrong('[{"b":"x\\', "unexpected_end", [9, 1, 10], "/0/b", escape, undefined, [{ b: "x" }]),
  wrong('["\ud83d', "unexpected_end", [3, 1, 4], "/0", string, undefined, [""]),
  wrong('{"ke', "unexpected_end", [4, 1, 5], "", string, undefined, {}),
  wrong('{"key"', "unexpected_end", [6, 1, 7], "", '":"', undefined, {}),
  wrong('{"key":\n', "unexpected_end", [8, 2, 1], "/key", value, undefined, {}),

  wrong('{\n "a": 1,\r\n\t"b": [\n2,, 3]}', "unexpected_character", [22, 4, 3], "/b/1", value, ",", {
    a: 1,
    b: [2],
  }),
  wrong("[\n\n 1\n\n 2", "unexpected_character", [8, 5, 2], "", afterElement, "2", [1]),
  wrong("[]\r\n\n x", "trailing_text", [6, 3, 2], "", nothing, "x", []),

  wrong('[{"a":[', "max_depth", [6, 1, 7], "/0/a", flat, "[", [{}], { maxDepth: 2 }),
  wrong("[[]]", "max_depth", [1, 1, 2], "", flat, "[", [], { maxDepth: 1 }),
  wrong('[{"a":1,\n "b":2}]', "max_keys", [10, 2, 2], "/0", "the end of the object", '"', [{ a: 1 }], {
    maxKeys: 1,
  }),
  wrong(
    '{"a":1,"a":2,"b":3,"a":4}',
    "max_keys",
    [19, 1, 20],
    "",
    "the end of the object",
    '"',
    { a: 2, b: 3 },
    {
      maxKeys: 2,
    },
  ),
  wrong('["abcdef"]', "max_length", [5, 1, 6], "/0", "the end of the text", "d", ["abc"], { maxLength: 5 }),
  wrong("[12345]", "max_length", [4, 1, 5], "/0", "the end of the text", "4", [], { maxLength: 4 }),
  wrong("[]    ", "max_length", [3, 1, 4], "", "the end of the text", " ", [], { maxLength: 3 }),

  wrong('{"a":[1,?', "unexpected_character", [8, 1, 9], "/a/1", value, "?", undefined, { allow: Allow.STR }),

  ...(
    [
      ["['ab", "unexpected_end", [4, 1, 5], "/0", string, undefined, ["ab"]],
      ["{na", "unexpected_end", [3, 1, 4], "", '":"', undefined, {}],
      ["[ab", "unexpected_end", [3, 1, 4], "/0", '"," or a closing bracket', undefined, []],
      ["[1, /* a *", "unexpected_end", [10, 1, 11], "/1", value, undefined, [1]],
      ["[1, // x", "unexpected_end", [8, 1, 9], "/1", value, undefined, [1]],
      ['"a",', "unexpected_end", [4, 1, 5], "", string, undefined, 'a",'],
      ['"a" // x', "unexpected_end", [8, 1, 9], "", string, undefined, 'a" // x'],
      ['{"a",: 1}', "unexpected_end", [9, 1, 10], "", string, undefined, {}],
      ['["a\nb\tc",[:', "unexpected_character", [10, 2, 7], "/1", 'a value or "]"', ":", ["a\nb\tc", []]],
      ["['a\nb\tc',[:", "unexpected_character", [10, 2, 7], "/1", 'a value or "]"', ":", ["a\nb\tc", []]],
      ['["a\\\nb\\\tc",[:', "unexpected_character", [12, 2, 8], "/1", 'a value or "]"', ":", ["ab\\\tc", []]],
      ["[1 /*\n\n*/ :", "unexpected_character", [10, 3, 4], "", afterElement, ":", [1]],
      ["[1 //a\n:", "unexpected_character", [7, 2, 1], "", afterElement, ":", [1]],
      ['["a b": 1]', "unexpected_character", [6, 1, 7], "", afterElement, ":", ["a b"]],
      ['["a",\n"b"\n:', "unexpected_character", [10, 3, 1], "", afterElement, ":", ["a", "b"]],
      ["[1, 2\n```", "trailing_text", [6, 2, 1], "", nothing, "`", [1, 2]],
      ['{"a": [1], [2]}', "unexpected_character", [11, 1, 12], "", "a key in double quotes", "[", { a: [1] }],
      ["/x", "unexpected_character", [0, 1, 1], "", value, "/", undefined],
      ["{na}", "unexpected_character", [3, 1, 4], "", '":"', "}", {}],
      ["[\u0001", "unexpected_character", [1, 1, 2], "", 'a value or "]"', "\u0001", []],
      ['{"a":1,{"b":2}}', "unexpected_character", [7, 1, 8], "", "a key in double quotes", "{", { a: 1 }],
      ["{:", "unexpected_character", [1, 1, 2], "", 'a key in double quotes or "}"', ":", {}],
      ['{"a":1{', "unexpected_character", [6, 1, 7], "", afterMember, "{", { a: 1 }],
      ['{{"a":1}x', "trailing_text", [8, 1, 9], "", nothing, "x", { a: 1 }],
    ] satisfies Parameters<typeof wrong>[]
  ).map(([text, code, at, pointer, expected, found, known]) =>
    wrong(text, code, at, pointer, expected, found, known, { repair: true }),
  ),
];
