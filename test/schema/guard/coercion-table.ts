import type { JsonObject, JsonValue } from "millrace";
import type { JsonCoercionKind } from "millrace/json";
import type { InWords } from "../../support/parser-of.js";

/** A text that a schema does not allow as written, and its meaning. */
export interface AcceptedText {
  readonly name: string;
  readonly schema: JsonObject;
  readonly text: string;
  readonly options?: InWords;
  readonly value: JsonValue;
  readonly coercions: readonly (readonly [JsonCoercionKind, string])[];
}

/** A text whose meaning is uncertain, or that the schema does not allow. */
export interface RefusedText extends Omit<AcceptedText, "value" | "coercions"> {
  readonly pointer: string;
}

function object(properties: Record<string, JsonObject>, more: JsonObject = {}): JsonObject {
  return { type: "object", properties, required: Object.keys(properties), ...more };
}

const number = { type: "number" };
const integer = { type: "integer" };
const text = { type: "string" };
const boolean = { type: "boolean" };
const colour = { enum: ["red", "dark red", "blue"] };
const list = (items: JsonObject): JsonObject => ({ type: "array", items });
const either = (...anyOf: JsonObject[]): JsonObject => ({ anyOf });

const intFirst = object({ a: integer, b: text });
const textFirst = object({ a: text, b: integer });

const options = list({ enum: ["tea", "milk", "oat milk"] });
const lists: readonly (readonly [string, JsonObject, JsonValue[], "number" | "boolean" | ""])[] = [
  ["1, 2,", list(integer), [1, 2], "number"],
  ["1,000, 2,000", list(integer), [1000, 2000], "number"],
  ["1,5; 2,5", list(number), [1.5, 2.5], "number"],
  ["1,2", list(number), [1, 2], "number"],
  ["100\n200", list(integer), [100, 200], "number"],
  ["(1, 2)", list(integer), [1, 2], ""],
  ["{'x', \"y\"}", list(text), ["x", "y"], ""],
  ["('x', 'y')", list(text), ["x", "y"], ""],
  ["'x', 'y'", list(text), ["x", "y"], ""],
  ["yes, no", list(boolean), [true, false], "boolean"],
  ["tea, milk", options, ["tea", "milk"], ""],
  ["'oat milk'，'tea'", options, ["oat milk", "tea"], ""],
  ['{"a": 1}, {"a": 2}', list(object({ a: integer })), [{ a: 1 }, { a: 2 }], ""],
];
const listsInStrings = lists.map(([written, schema, value, kind]): AcceptedText => {
  const parts = kind === "" ? [] : value.map((_, i) => [kind, `/a/${i}`] as const);
  const coercions = [["document", "/a"], ...parts] as const;
  const text = JSON.stringify({ a: written });
  return {
    name: `a list in a string: ${written}`,
    schema: object({ a: schema }),
    text,
    value: { a: value },
    coercions,
  };
});
const textsInStrings = ["x, y", "(see below)", "{x, y}", "'Tis, 'twas", '"Yes", he said'].map(
  (written): AcceptedText => ({
    name: `a text where a list of texts is expected: ${written}`,
    schema: object({ a: list(text) }),
    text: JSON.stringify({ a: written }),
    value: { a: [written] },
    coercions: [["list", "/a"]],
  }),
);

export const accepted: readonly AcceptedText[] = [
  // sets
  {
    name: "a set of texts",
    schema: object({ a: list(text), b: number }),
    text: '{"a": {\'x\', "y z",}, "b": 1}',
    value: { a: ["x", "y z"], b: 1 },
    coercions: [],
  },
  {
    name: "a set of numbers, and one of numbers in strings",
    schema: object({ a: list(list(number)) }),
    text: '{"a": [{1, -2.5},\n{ "3" }]}',
    value: { a: [[1, -2.5], [3]] },
    coercions: [["number", "/a/1/0"]],
  },
  // numbers and integers in strings
  {
    name: "a price",
    schema: object({ a: number }),
    text: '{"a":"$1,234.50"}',
    value: { a: 1234.5 },
    coercions: [["number", "/a"]],
  },
  { name: "an integer", schema: integer, text: '"12"', value: 12, coercions: [["number", ""]] },
  {
    name: "an integer with a fraction of zero",
    schema: integer,
    text: '"12.0"',
    value: 12,
    coercions: [["number", ""]],
  },
  { name: "a percentage", schema: number, text: '"12.5 %"', value: 12.5, coercions: [["number", ""]] },
  {
    name: "a percentage as a ratio",
    schema: { type: "number", maximum: 1 },
    text: '"50%"',
    value: 0.5,
    coercions: [["number", ""]],
  },
  { name: "a fraction", schema: number, text: '"1/5"', value: 0.2, coercions: [["number", ""]] },
  { name: "a decimal comma", schema: number, text: '"3,14"', value: 3.14, coercions: [["number", ""]] },
  {
    name: "an ambiguous number, by its locale",
    schema: number,
    text: '"1.234"',
    options: { locale: "de" },
    value: 1234,
    coercions: [["number", ""]],
  },
  {
    name: "a number among the options of an enum",
    schema: { enum: [1, 2] },
    text: '"2"',
    value: 2,
    coercions: [["option", ""]],
  },
  {
    name: "elements",
    schema: list(integer),
    text: '["1",2,"3"]',
    value: [1, 2, 3],
    coercions: [
      ["number", "/0"],
      ["number", "/2"],
    ],
  },
  // booleans
  { name: "true", schema: boolean, text: '"True"', value: true, coercions: [["boolean", ""]] },
  {
    name: "false, which is not true",
    schema: boolean,
    text: '"false"',
    value: false,
    coercions: [["boolean", ""]],
  },
  {
    name: "yes",
    schema: object({ a: boolean }),
    text: '{"a":"Yes"}',
    value: { a: true },
    coercions: [["boolean", "/a"]],
  },
  { name: "no", schema: boolean, text: '"no"', value: false, coercions: [["boolean", ""]] },
  { name: "a constant", schema: { const: true }, text: '"Yes"', value: true, coercions: [["boolean", ""]] },
  {
    name: "a boolean among options",
    schema: { enum: ["auto", true, false] },
    text: '"no"',
    value: false,
    coercions: [["boolean", ""]],
  },
  { name: "one", schema: boolean, text: "1", value: true, coercions: [["boolean", ""]] },
  // enums and constants
  {
    name: "an option despite case",
    schema: object({ a: colour }),
    text: '{"a":"RED"}',
    value: { a: "red" },
    coercions: [["option", "/a"]],
  },
  {
    name: "the longest option",
    schema: colour,
    text: '"Dark-Red!"',
    value: "dark red",
    coercions: [["option", ""]],
  },
  {
    name: "an option with an explanation",
    schema: colour,
    text: '"Blue: as the sky"',
    value: "blue",
    coercions: [["option", ""]],
  },
  {
    name: "a constant",
    schema: { const: "Crème brûlée" },
    text: '"creme brulee"',
    value: "Crème brûlée",
    coercions: [["option", ""]],
  },
  {
    name: "a word without quotes",
    schema: list(colour),
    text: "[BLUE, red]",
    value: ["blue", "red"],
    coercions: [["option", "/0"]],
  },
  // lists
  {
    name: "a list of one scalar",
    schema: object({ a: list(text) }),
    text: '{"a":"x"}',
    value: { a: ["x"] },
    coercions: [["list", "/a"]],
  },
  {
    name: "a list of one object",
    schema: object({ a: list(object({ b: number })) }),
    text: '{"a":{"b":"1"}}',
    value: { a: [{ b: 1 }] },
    coercions: [
      ["number", "/a/0/b"],
      ["list", "/a"],
    ],
  },
  {
    name: "a list of one at the root",
    schema: list(intFirst),
    text: '{"a":1,"b":"x"}',
    value: [{ a: 1, b: "x" }],
    coercions: [["list", ""]],
  },
  {
    name: "a list of one object, with lists of one object in it",
    schema: list(object({ a: list(object({ b: list(text) })), c: integer })),
    text: '{"A":{"b":["x"]},"c":1}',
    value: [{ a: [{ b: ["x"] }], c: 1 }],
    coercions: [
      ["key", "/0/a"],
      ["list", "/0/a"],
      ["list", ""],
    ],
  },
  {
    name: "a list of one object among text",
    schema: object({ a: either(text, list(object({ b: integer }))), c: text }),
    text: '{"a":{"b":1},"c":"x"}',
    value: { a: [{ b: 1 }], c: "x" },
    coercions: [["list", "/a"]],
  },
  {
    name: "a list of one object that two lists read differently",
    schema: either(list(intFirst), list(textFirst)),
    text: '{"a":"1","b":2}',
    value: [{ a: "1", b: 2 }],
    coercions: [["list", ""]],
  },
  {
    name: "a list of one object with another rule for the list",
    schema: { type: "array", items: object({ a: text }), contains: { required: ["a"] }, maxItems: 1 },
    text: '{"a":"x"}',
    value: [{ a: "x" }],
    coercions: [["list", ""]],
  },
  {
    name: "one value of a list of one",
    schema: object({ a: text }),
    text: '{"a":["x"]}',
    value: { a: "x" },
    coercions: [["single", "/a"]],
  },
  {
    name: "one object of a list of one",
    schema: intFirst,
    text: '[{"a":1,"b":"x"}]',
    value: { a: 1, b: "x" },
    coercions: [["single", ""]],
  },
  {
    name: "one value of a list of one, coerced",
    schema: object({ a: number }),
    text: '{"a":["1"]}',
    value: { a: 1 },
    coercions: [
      ["single", "/a"],
      ["number", "/a"],
    ],
  },
  // null
  {
    name: "a null for an optional member",
    schema: object({ a: text, b: text }, { required: ["a"] }),
    text: '{"b":null,"a":"x"}',
    value: { a: "x" },
    coercions: [["null", "/b"]],
  },
  {
    name: "a Python null for an optional member",
    schema: object({ a: list(text), b: text }, { required: ["b"] }),
    text: '{"a": None, "b": "x"}',
    value: { b: "x" },
    coercions: [["null", "/a"]],
  },
  // keys
  {
    name: "keys despite case",
    schema: intFirst,
    text: '{"A":1,"B":"x"}',
    value: { a: 1, b: "x" },
    coercions: [
      ["key", "/a"],
      ["key", "/b"],
    ],
  },
  {
    name: "keys in camel case",
    schema: object({ first_name: text }),
    text: '{"firstName":"x"}',
    value: { first_name: "x" },
    coercions: [["key", "/first_name"]],
  },
  {
    name: "keys in snake case",
    schema: object({ firstName: text }, { additionalProperties: false }),
    text: '{"first_name":"x"}',
    value: { firstName: "x" },
    coercions: [["key", "/firstName"]],
  },
  {
    name: "keys with spaces",
    schema: object({ firstName: object({ "last-name": number }) }),
    text: '{"First name":{"Last name":"1"}}',
    value: { firstName: { "last-name": 1 } },
    coercions: [
      ["key", "/firstName"],
      ["key", "/firstName/last-name"],
      ["number", "/firstName/last-name"],
    ],
  },
  {
    name: "a key that is not there yet",
    schema: intFirst,
    text: '{"a":1,"A":2,"b":"x"}',
    value: { a: 1, A: 2, b: "x" },
    coercions: [],
  },
  // documents
  {
    name: "an object in a string",
    schema: object({ a: intFirst }),
    text: JSON.stringify({ a: '{"a": "1", "B": "x"}' }),
    value: { a: { a: 1, b: "x" } },
    coercions: [
      ["document", "/a"],
      ["number", "/a/a"],
      ["key", "/a/b"],
    ],
  },
  {
    name: "an array in a string",
    schema: object({ a: list(text) }),
    text: JSON.stringify({ a: '["x", "y"]' }),
    value: { a: ["x", "y"] },
    coercions: [["document", "/a"]],
  },
  {
    name: "a repaired object in a string",
    schema: object({ a: intFirst }),
    text: `{"a":"{a: 1, b: 'x'}"}`,
    value: { a: { a: 1, b: "x" } },
    coercions: [["document", "/a"]],
  },
  {
    name: "text in brackets",
    schema: object({ a: list(text) }),
    text: '{"a":"[see below]"}',
    value: { a: ["[see below]"] },
    coercions: [["list", "/a"]],
  },
  {
    name: "a repaired array of texts in a string",
    schema: object({ a: list(text) }),
    text: `{"a":"['tea', 'it\\\\'s', \\"milk\\",]"}`,
    value: { a: ["tea", "it's", "milk"] },
    coercions: [["document", "/a"]],
  },
  {
    name: "an array in a string without its closing bracket",
    schema: object({ a: list(text) }),
    text: JSON.stringify({ a: '["tea", "milk"' }),
    value: { a: ["tea", "milk"] },
    coercions: [["document", "/a"]],
  },
  {
    name: "an array in a fence in a string",
    schema: object({ a: list(text) }),
    text: JSON.stringify({ a: '```json\n["tea", "milk"]\n```' }),
    value: { a: ["tea", "milk"] },
    coercions: [["document", "/a"]],
  },
  {
    name: "an array of Python in a string",
    schema: object({ a: list({ type: "boolean" }) }),
    text: JSON.stringify({ a: "[True, False]" }),
    value: { a: [true, false] },
    coercions: [["document", "/a"]],
  },
  {
    name: "an array of words in a string, where texts are options",
    schema: object({ a: list({ enum: ["tea", "milk"] }) }),
    text: JSON.stringify({ a: "[tea, milk]" }),
    value: { a: ["tea", "milk"] },
    coercions: [["document", "/a"]],
  },
  ...listsInStrings,
  ...textsInStrings,
  {
    name: "a text that begins with an apostrophe in brackets",
    schema: object({ a: list(text) }),
    text: JSON.stringify({ a: "['twas the night]" }),
    value: { a: ["['twas the night]"] },
    coercions: [["list", "/a"]],
  },
  // null
  {
    name: "null in quotes",
    schema: object({ a: { type: ["number", "null"] } }),
    text: '{"a":"null"}',
    value: { a: null },
    coercions: [["null", "/a"]],
  },
  {
    name: "null in quotes for a list or null",
    schema: object({ a: either(list(text), { type: "null" }) }),
    text: '{"a":"None"}',
    value: { a: null },
    coercions: [["null", "/a"]],
  },
  {
    name: "an option that is written like null",
    schema: object({ a: either({ enum: ["none", "some"] }, { type: "null" }) }),
    text: '{"a":"None"}',
    value: { a: "none" },
    coercions: [["option", "/a"]],
  },
  {
    name: "null in quotes where text is allowed",
    schema: object({ a: { type: ["string", "null"] } }),
    text: '{"a":"null"}',
    value: { a: "null" },
    coercions: [],
  },
  // dates
  {
    name: "a date",
    schema: object({ a: { type: "string", format: "date" } }),
    text: '{"a":"March 5, 2024"}',
    value: { a: "2024-03-05" },
    coercions: [["date", "/a"]],
  },
  {
    name: "a day after the twelfth",
    schema: { type: "string", format: "date" },
    text: '"13/02/2024"',
    value: "2024-02-13",
    coercions: [["date", ""]],
  },
  {
    name: "a moment",
    schema: { type: "string", format: "date-time" },
    text: '"2024-03-05 14:30 UTC"',
    value: "2024-03-05T14:30:00Z",
    coercions: [["date", ""]],
  },
  // unions
  {
    name: "the member without a coercion",
    schema: either(intFirst, textFirst),
    text: '{"a":"1","b":2}',
    value: { a: "1", b: 2 },
    coercions: [],
  },
  {
    name: "the member without a coercion, in any order",
    schema: either(textFirst, intFirst),
    text: '{"a":"1","b":2}',
    value: { a: "1", b: 2 },
    coercions: [],
  },
  {
    name: "the only possible member",
    schema: either(textFirst, intFirst),
    text: '{"a":"1","b":"x"}',
    value: { a: 1, b: "x" },
    coercions: [["number", "/a"]],
  },
  {
    name: "the member with fewer coercions",
    schema: either(object({ a: number, b: number, c: text }), object({ a: text, b: text, c: number })),
    text: '{"a":"1","b":"2","c":"3"}',
    value: { a: "1", b: "2", c: 3 },
    coercions: [["number", "/c"]],
  },
  {
    name: "a member that a later key decides",
    schema: either(object({ a: number, b: text, c: text }), object({ a: text, b: number, d: text })),
    text: '{"a":"1","b":"2","c":"x"}',
    value: { a: 1, b: "2", c: "x" },
    coercions: [["number", "/a"]],
  },
  {
    name: "a discriminated member, before its discriminator",
    schema: either(object({ a: number, kind: { const: "n" } }), object({ a: text, kind: { const: "t" } })),
    text: '{"a":"1","kind":"N"}',
    value: { a: 1, kind: "n" },
    coercions: [
      ["number", "/a"],
      ["option", "/kind"],
    ],
  },
  {
    name: "a discriminated member, after its discriminator",
    schema: either(object({ kind: { const: "n" }, a: number }), object({ kind: { const: "t" }, a: text })),
    text: '{"kind":"T","a":"1"}',
    value: { kind: "t", a: "1" },
    coercions: [["option", "/kind"]],
  },
  {
    name: "text among a number and text",
    schema: list(either(number, text)),
    text: '["1",2]',
    value: ["1", 2],
    coercions: [],
  },
  {
    name: "a number among a number and null",
    schema: object({ a: either(number, { type: "null" }) }),
    text: '{"a":"1"}',
    value: { a: 1 },
    coercions: [["number", "/a"]],
  },
  {
    name: "members that read a value alike",
    schema: either(object({ a: number, b: text }), object({ a: integer, c: text })),
    text: '{"a":"1","c":"x"}',
    value: { a: 1, c: "x" },
    coercions: [["number", "/a"]],
  },
  {
    name: "lists and values of two members",
    schema: either(object({ a: list(text), b: text }), object({ a: text, b: integer })),
    text: '{"a":["x"],"b":1}',
    value: { a: "x", b: 1 },
    coercions: [["single", "/a"]],
  },
  {
    name: "an object that the members of a union read alike, before a value that they do not",
    schema: either(
      object({ info: object({ tags: either(list(text), { type: "null" }) }), size: number }),
      object({ info: object({ tags: list(text) }), size: text }),
    ),
    text: '{"info":{"tags":["x"]},"size":"12"}',
    value: { info: { tags: ["x"] }, size: "12" },
    coercions: [],
  },
  {
    name: "an array of two members",
    schema: either(list(number), list(boolean)),
    text: '["1","0"]',
    value: [1, 0],
    coercions: [
      ["number", "/0"],
      ["number", "/1"],
    ],
  },
];

export const refused: readonly RefusedText[] = [
  {
    name: "a number that would be rounded",
    schema: object({ a: integer }),
    text: '{"a":"3.7"}',
    pointer: "/a",
  },
  { name: "an integer that would lose digits", schema: integer, text: '"12345678901234567890"', pointer: "" },
  {
    name: "a number that can be read in two ways",
    schema: object({ a: number }),
    text: '{"a":"1.234"}',
    pointer: "/a",
  },
  { name: "an integer that can be read in two ways", schema: integer, text: '"1.234"', pointer: "" },
  { name: "a number with a unit", schema: number, text: '"12 kg"', pointer: "" },
  { name: "a number of cents", schema: number, text: '"5¢"', pointer: "" },
  { name: "a word for a number", schema: object({ a: number }), text: '{"a":"many"}', pointer: "/a" },
  { name: "a number out of bounds", schema: { type: "number", maximum: 10 }, text: '"12"', pointer: "" },
  { name: "null as 0", schema: object({ a: number }), text: '{"a":null}', pointer: "/a" },
  { name: "null as false", schema: object({ a: boolean }), text: '{"a":null}', pointer: "/a" },
  { name: "a boolean that is not the constant", schema: { const: true }, text: '"no"', pointer: "" },
  { name: "another word for a boolean", schema: boolean, text: '"maybe"', pointer: "" },
  { name: "another number for a boolean", schema: boolean, text: "2", pointer: "" },
  { name: "an option that two are equal to", schema: { enum: ["Red", "RED"] }, text: '"red"', pointer: "" },
  { name: "an option and its negation", schema: colour, text: '"not red"', pointer: "" },
  { name: "an explanation with two options", schema: colour, text: '"Blue: or red"', pointer: "" },
  { name: "a list of two", schema: object({ a: number }), text: '{"a":[1,2]}', pointer: "/a" },
  { name: "an empty list", schema: object({ a: number }), text: '{"a":[]}', pointer: "/a" },
  { name: "a list of two objects", schema: intFirst, text: '[{"a":1,"b":"x"},{"a":2,"b":"y"}]', pointer: "" },
  { name: "a list of lists", schema: list(list(number)), text: "[1,2]", pointer: "/0" },
  {
    name: "a list of objects that would be too short",
    schema: object({ a: { ...list(object({ b: text })), minItems: 2 } }),
    text: '{"a":{"b":"x"}}',
    pointer: "/a",
  },
  {
    name: "an object in a list of lists of objects",
    schema: list(list(object({ b: text }))),
    text: '[{"b":"x"}]',
    pointer: "/0",
  },
  {
    name: "a list that would be too short",
    schema: { type: "array", items: text, minItems: 2 },
    text: '"x"',
    pointer: "",
  },
  { name: "a null for a list", schema: object({ a: list(text) }), text: '{"a":null}', pointer: "/a" },
  { name: "a null for a required member", schema: object({ a: text }), text: '{"a":null}', pointer: "/a" },
  { name: "two keys that would become one", schema: intFirst, text: '{"A":1,"a":2,"b":"x"}', pointer: "/a" },
  {
    name: "a second key that would become one",
    schema: object({ a: text }, { additionalProperties: false }),
    text: '{"a":"x","A":"y"}',
    pointer: "/A",
  },
  {
    name: "a key that may be either of two",
    schema: object({ "a-b": text, a_b: text }, { additionalProperties: false }),
    text: '{"aB":"x"}',
    pointer: "/aB",
  },
  ...["1,000,2", "1, two", "1, , 2"].map((written) => ({
    name: `a text that is no list of numbers: ${written}`,
    schema: object({ a: list(integer) }),
    text: JSON.stringify({ a: written }),
    pointer: "/a",
  })),
  {
    name: "a list in a string that is an element",
    schema: object({ a: list(list(integer)) }),
    text: '{"a":["1, 2"]}',
    pointer: "/a/0",
  },
  { name: "text that is no document", schema: object({ a: intFirst }), text: '{"a":"none"}', pointer: "/a" },
  { name: "a document of another type", schema: object({ a: intFirst }), text: '{"a":"[1]"}', pointer: "/a" },
  {
    name: "a document in a document",
    schema: object({ a: intFirst }),
    text: JSON.stringify({ a: JSON.stringify(JSON.stringify({ a: 1, b: "x" })) }),
    pointer: "/a",
  },
  ...[
    '{"a":1,"a":2}',
    '{"a":,"b":"x"}',
    '{"a":9007199254740993,"b":"x"}',
    "{a: NaN, b: 'x'}",
    "{a: 1, b: 'x', ...}",
  ].map((written) => ({
    name: `a document in a string that can be read in two ways: ${written}`,
    schema: object({ a: object({ a: { type: ["number", "null"] } }) }),
    text: JSON.stringify({ a: written }),
    pointer: "/a",
  })),
  ...["[1, 2, ...]", "[NaN]", "[9007199254740993]"].map((written) => ({
    name: `an array in a string that can be read in two ways: ${written}`,
    schema: object({ a: list({ type: ["number", "null"] }) }),
    text: JSON.stringify({ a: written }),
    pointer: "/a",
  })),
  {
    name: "a number that JavaScript does not have, for an option",
    schema: object({ a: { enum: ["9007199254740992", "x"] } }),
    text: '{"a":9007199254740993}',
    pointer: "/a",
  },
  {
    name: "a date that can be read in two ways",
    schema: object({ a: { type: "string", format: "date" } }),
    text: '{"a":"03/04/2024"}',
    pointer: "/a",
  },
  {
    name: "a moment without a zone",
    schema: { type: "string", format: "date-time" },
    text: '"2024-03-05 14:30"',
    pointer: "",
  },
  {
    name: "two members of a union with as many coercions",
    schema: either(intFirst, textFirst),
    text: '{"a":"1","b":"2"}',
    pointer: "",
  },
  {
    name: "a list in a union whose element lacks a key that each member requires",
    schema: either(
      list({ properties: { c: text }, required: ["a"] }),
      list({ properties: {}, required: ["b"] }),
    ),
    text: '[{"c":null}]',
    pointer: "/0",
  },
  {
    name: "two scalars of a union with as many coercions",
    schema: either({ const: "Red" }, { const: "RED" }),
    text: '"red"',
    pointer: "",
  },
  {
    name: "an object with too few members without a null that was withheld",
    schema: either(
      { ...object({ id: integer }), properties: { id: integer, n: integer }, minProperties: 2 },
      { ...object({ id: text }), properties: { id: text, n: integer }, minProperties: 2 },
    ),
    text: '{"id":"7","n":null}',
    pointer: "",
  },
];
