import type { JsonObject, JsonValue } from "millrace";
import { Allow } from "millrace/json";
import { guardOf, SchemaViolation, type SchemaInput } from "millrace/schema";
import { allPartitions, everyCut } from "millrace/testing";
import { describe, expect, test } from "vitest";
import * as v from "valibot";
import { z } from "zod";
import { type InWords, parserOf } from "../../support/parser-of.js";

const object = (properties: Record<string, SchemaInput>, more: object = {}): SchemaInput => ({
  type: "object",
  properties,
  ...more,
});

const unionsOfUnions = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => [
    i,
    { anyOf: [i + 1, i + 1].map((next) => ({ $ref: `#/$defs/${next}` })) },
  ]),
);

/** The last character of `text` is the first invalid one. */
interface Refusal {
  readonly name: string;
  readonly schema: SchemaInput;
  readonly text: string;
  readonly code: SchemaViolation["code"];
  readonly pointer?: string;
  /** Words and values in the message. */
  readonly mentions: readonly string[];
  readonly options?: InWords;
}

const refusals: readonly Refusal[] = [
  {
    name: "a wrong type, at its first character",
    schema: object({ a: { type: "string" } }),
    text: '{"a": 1',
    code: "wrong_type",
    pointer: "/a",
    mentions: ["string", "number"],
  },
  {
    name: "a wrong type, of a container",
    schema: { type: ["string", "null"] },
    text: "[",
    code: "wrong_type",
    mentions: ["string", "null", "array"],
  },
  {
    name: "a wrong literal",
    schema: { const: true },
    text: "f",
    code: "wrong_type",
    mentions: ["true", "false"],
  },
  {
    name: "a fraction for an integer",
    schema: { items: { type: "integer" } },
    text: "[1, 1.5,",
    code: "wrong_type",
    pointer: "/1",
    mentions: ["integer", "1.5"],
  },
  {
    name: "an enum that no longer matches any prefix",
    schema: { enum: ["good", "great", 1] },
    text: '"gx',
    code: "not_in_enum",
    mentions: ['"good"', '"great"', "1", "string", '"gx"'],
  },
  {
    name: "an enum that ends too early",
    schema: { enum: ["good"] },
    text: '"goo"',
    code: "not_in_enum",
    mentions: ['"good"', '"goo"'],
  },
  {
    name: "a number that is not in its enum",
    schema: { items: { enum: [1, 12] } },
    text: "[12, 1, 11]",
    code: "not_in_enum",
    pointer: "/2",
    mentions: ["1", "12", "11"],
  },
  {
    name: "a const that no longer matches",
    schema: z.object({ v: z.literal("v1") }),
    text: '{"v": "v2',
    code: "not_in_enum",
    pointer: "/v",
    mentions: ['"v1"', "string", '"v2"'],
  },
  {
    name: "a string that is too long",
    schema: { maxLength: 3 },
    text: '"a\\u00e9cd',
    code: "too_long",
    mentions: ["string", "3", '"aécd"'],
  },
  {
    name: "a string that is too long in code points",
    schema: { maxLength: 2 },
    text: '"😀😀x',
    code: "too_long",
    mentions: ["string", "2", '"😀😀x"'],
  },
  {
    name: "a string that is too short",
    schema: { minLength: 3 },
    text: '"ab"',
    code: "too_short",
    mentions: ["string", "3", '"ab"'],
  },
  {
    name: "a string that does not match",
    schema: { pattern: "^a" },
    text: '"ba"',
    code: "no_match",
    mentions: ["string", '"ba"'],
  },
  {
    name: "an invalid email address",
    schema: z.email(),
    text: '"ab"',
    code: "no_match",
    mentions: ["string", '"email"', '"ab"'],
  },
  {
    name: "a number out of range",
    schema: object({ n: { minimum: 1, exclusiveMaximum: 6 } }),
    text: '{"n": 6}',
    code: "out_of_range",
    pointer: "/n",
    mentions: ["number", "1", "6"],
  },
  {
    name: "an integer out of a range whose other bound is that of all integers",
    schema: z.object({ n: z.int().max(5) }),
    text: '{"n":6}',
    code: "out_of_range",
    pointer: "/n",
    mentions: ["number", "5", "6"],
  },
  {
    name: "a number between two steps",
    schema: { items: { multipleOf: 0.1 } },
    text: "[0.3, 0.35 ",
    code: "not_a_multiple",
    pointer: "/1",
    mentions: ["0.1", "0.35"],
  },
  {
    name: "an unknown key",
    schema: z.strictObject({ a: z.int(), "b/c": z.int() }),
    text: '{"a": 1, "d"',
    code: "unknown_key",
    pointer: "/d",
    mentions: ['"a"', '"b/c"', '"d"'],
  },
  {
    name: "a key that a pattern does not allow",
    schema: { patternProperties: { "^x-": {} }, additionalProperties: false },
    text: '{"x-a": 1, "y"',
    code: "unknown_key",
    pointer: "/y",
    mentions: ['"y"'],
  },
  {
    name: "a name that is not allowed",
    schema: { propertyNames: { maxLength: 1 } },
    text: '{"a": 1, "bc"',
    code: "unknown_key",
    pointer: "/bc",
    mentions: ['"bc"'],
  },
  ...[z.partialRecord(z.enum(["ab", "cd"]), z.int()), v.record(v.picklist(["ab", "cd"]), v.number())].map(
    (schema) => ({
      name: `a key that a record of ${schema["~standard"].vendor} does not have`,
      schema,
      text: '{"ab": 1, "AB"',
      code: "unknown_key" as const,
      pointer: "/AB",
      mentions: ['only the keys "ab", "cd" at', '"AB"'],
    }),
  ),
  {
    name: "a key that is not in a list of names with other values",
    schema: { propertyNames: { enum: [[Object.create(null)], null, "ab"] } },
    text: '{"cd"',
    code: "unknown_key",
    pointer: "/cd",
    mentions: ['only the key "ab"', '"cd"'],
  },
  {
    name: "too many members",
    schema: { maxProperties: 1 },
    text: '{"a": 1, "a": 2, "b"',
    code: "too_long",
    pointer: "/b",
    mentions: ["object", "1", '"b"'],
  },
  {
    name: "too few members",
    schema: { minProperties: 2 },
    text: '{"a": 1, "a": 2}',
    code: "too_short",
    mentions: ["object", "2"],
  },
  {
    name: "a missing key, when its object ends",
    schema: { items: object({}, { required: ["a", "b", "c"] }) },
    text: '[{"b": 1}',
    code: "missing_key",
    pointer: "/0",
    mentions: ['"a"', '"c"', "object"],
  },
  {
    name: "too many elements",
    schema: { maxItems: 2 },
    text: "[1, 2, 3",
    code: "too_long",
    pointer: "/2",
    mentions: ["array", "2"],
  },
  {
    name: "one element too many, at its first character",
    schema: { maxItems: 0 },
    text: '["',
    code: "too_long",
    pointer: "/0",
    mentions: ["array", "0"],
  },
  {
    name: "an element after those of a tuple",
    schema: { prefixItems: [{}], items: false },
    text: '["a", {',
    code: "unknown_key",
    pointer: "/1",
    mentions: ["array", "1"],
  },
  {
    name: "an element of a tuple",
    schema: { prefixItems: [{ type: "string" }, { type: "boolean" }] },
    text: '["a", n',
    code: "wrong_type",
    pointer: "/1",
    mentions: ["boolean", "null"],
  },
  {
    name: "too few elements",
    schema: { minItems: 2 },
    text: "[1]",
    code: "too_short",
    mentions: ["array", "2", "1"],
  },
  {
    name: "a union without a possible member, for one reason",
    schema: z.union([z.string(), z.array(z.int())]),
    text: '["',
    code: "wrong_type",
    pointer: "/0",
    mentions: ["integer", "a string"],
  },
  {
    name: "a union without a possible member, for several reasons",
    schema: { items: { anyOf: [{ maximum: 1 }, { multipleOf: 7 }, { type: "string" }] } },
    text: "[7, 8]",
    code: "no_union_member",
    pointer: "/1",
    mentions: ["number", "1", "7", "8"],
  },
  {
    name: "a discriminated union, by its discriminator",
    schema: z.discriminatedUnion("t", [z.object({ t: z.literal("a") }), z.object({ t: z.literal("b") })]),
    text: '{"t": "c',
    code: "not_in_enum",
    pointer: "/t",
    mentions: ['"a"', '"b"', "string", '"c"'],
  },
  {
    name: "a union decided by an earlier member",
    schema: z.union([z.object({ a: z.int(), b: z.int() }), z.object({ a: z.string(), b: z.string() })]),
    text: '{"a": "x", "b": 1',
    code: "wrong_type",
    pointer: "/b",
    mentions: ["string", "number"],
  },
  {
    name: "a union decided deep inside",
    schema: {
      anyOf: [
        { properties: { a: { items: { type: "string" } }, b: { const: 1 } } },
        { properties: { a: { items: { type: "number" } }, b: { const: 2 } } },
      ],
    },
    text: '{"a": [1], "b": 1}',
    code: "not_in_enum",
    pointer: "/b",
    mentions: ["2", "1"],
  },
  {
    name: "all of several schemas",
    schema: {
      allOf: [{ type: "string" }, { anyOf: [{ enum: ["ab", "b"] }, { type: "null" }] }],
      maxLength: 1,
    },
    text: '"ab',
    code: "too_long",
    mentions: ["string", "1", '"ab"'],
  },
  {
    name: "a recursive schema, deep inside",
    schema: {
      $ref: "#/$defs/node",
      $defs: { node: object({ v: { type: "string" }, next: { $ref: "#/$defs/node" } }) },
    },
    text: '{"next": {"next": {"v": 1',
    code: "wrong_type",
    pointer: "/next/next/v",
    mentions: ["string", "number"],
  },
  {
    name: "a null where nothing is nullable",
    schema: object({ a: { type: "string" } }),
    text: '{"a": n',
    code: "wrong_type",
    pointer: "/a",
    mentions: ["string", "null"],
  },
  {
    name: "with repair, a word of no allowed kind",
    schema: object({ a: { type: "object" } }),
    text: '{"a": t',
    options: { repair: true, coerce: false },
    code: "wrong_type",
    pointer: "/a",
    mentions: ["object", "string", "true"],
  },
];

function refusal(
  { schema, options }: Pick<Refusal, "schema" | "options">,
  chunks: readonly string[],
): { error: SchemaViolation; read: number } {
  const parser = parserOf({ guard: guardOf(schema), ...options });
  let read = 0;
  try {
    for (const chunk of chunks) {
      read += chunk.length;
      parser.write(chunk);
    }
  } catch (error) {
    if (error instanceof SchemaViolation) return { error, read };
    throw error;
  }
  throw new Error(`Nothing was refused in ${chunks.join("|")}.`);
}

/** Splits by code points, because half of one is not a violation yet. */
function characters(text: string): string[] {
  return Array.from(text);
}

// G-schema-2
describe("a guard rejects, at the first invalid character,", () => {
  test.each(refusals)("$name", (one) => {
    const { error, read } = refusal(one, characters(one.text));
    expect(read).toBe(one.text.length);
    expect({ code: error.code, pointer: error.pointer }).toEqual({
      code: one.code,
      pointer: one.pointer ?? "",
    });
    for (const word of one.mentions) expect(error.message).toContain(word);
    // For every cut, and with more text in the same chunk.
    for (const chunks of everyCut(`${one.text} `)) {
      const { message, value } = refusal(one, chunks).error;
      expect({ message, value }).toEqual({ message: error.message, value: error.value });
    }
  });

  test("also of a long string, with the text before it", () => {
    const one = { schema: { type: "array", items: { maxLength: 3_000 } } };
    const text = `["${"😀".repeat(3_000)}x`;
    for (const chunks of [[text], [`${text}${"y".repeat(2_000)}"]`], [text.slice(0, 50), text.slice(50)]]) {
      const { error } = refusal(one, chunks);
      expect({ code: error.code, value: error.value }).toEqual({
        code: "too_long",
        value: ["😀".repeat(3_000)],
      });
    }
  });

  test("also of a string that allow does not show before its end", () => {
    const one = { schema: { items: { enum: ["good"] } }, options: { allow: Allow.ARR } };
    expect(refusal(one, characters('["go, never'))).toMatchObject({ read: 5, error: { value: [] } });
  });
});

/** The shown value after each piece. */
interface Showing {
  readonly name: string;
  readonly schema: SchemaInput;
  readonly looks: readonly (readonly [piece: string, shown: JsonValue | undefined])[];
  readonly options?: InWords;
}

const discriminated = z.discriminatedUnion("t", [
  z.object({ t: z.literal("a"), x: z.string() }),
  z.object({ t: z.enum(["b", "c"]), x: z.string() }),
]);

const showings: readonly Showing[] = [
  {
    name: "an enum or const only whole",
    schema: z.object({ a: z.enum(["good", "bad"]), b: z.literal("yes"), c: z.string() }),
    looks: [
      ['{"a": "go', {}],
      ['od"', { a: "good" }],
      [', "b": "ye', { a: "good" }],
      ['s", "c": "x', { a: "good", b: "yes", c: "x" }],
    ],
  },
  {
    name: "a format only whole, a pattern as it grows",
    schema: {
      items: { anyOf: [{ type: "string", format: "date" }, { type: "null" }] },
      prefixItems: [{ type: "string", pattern: "^ab?$" }],
    },
    looks: [
      ['["a', ["a"]],
      ['b", "2024-', ["ab"]],
      ['01-01"', ["ab", "2024-01-01"]],
    ],
  },
  {
    name: "a value marked as whole only when it is complete",
    schema: z.object({
      s: z.string().meta({ stream: "whole" }),
      o: z.object({ a: z.array(z.int()) }).meta({ stream: "whole" }),
    }),
    looks: [
      ['{"s": "ab', {}],
      ['c", "o": {"a": [1', { s: "abc" }],
      ["]", { s: "abc" }],
      ["}", { s: "abc", o: { a: [1] } }],
    ],
  },
  {
    name: "an object not before its required field is complete",
    schema: z.array(z.object({ t: z.string(), id: z.string().meta({ stream: "required" }) })),
    looks: [
      ['[{"t": "ab', []],
      ['c", "id": "x', []],
      ['y"', [{ t: "abc", id: "xy" }]],
      [', "z": [1', [{ t: "abc", id: "xy", z: [] }]],
      [']}, {"id"', [{ t: "abc", id: "xy", z: [1] }]],
    ],
  },
  {
    name: "an object whose required field is an object",
    schema: z.object({ id: z.object({ a: z.int() }).meta({ stream: "required" }) }),
    looks: [
      ['{"id": {"a": 1', undefined],
      ["}", { id: { a: 1 } }],
    ],
  },
  {
    name: "an object without its required field when it is complete",
    schema: object({ id: { stream: "required" } }),
    looks: [
      ['{"a": 1', undefined],
      ["}", { a: 1 }],
    ],
  },
  {
    name: "a required field behind a reference or a union",
    schema: object(
      { id: { $ref: "#/$defs/id" } },
      { $defs: { id: { anyOf: [{ type: "null" }, { type: "string", stream: "required" }] } } },
    ),
    looks: [
      ['{"a": 1', undefined],
      [', "id": null', { a: 1, id: null }],
    ],
  },
  {
    name: "a field behind unions that lead to their members on many paths",
    schema: object({ a: { $ref: "#/$defs/0" } }, { $defs: unionsOfUnions }),
    looks: [['{"a": null', { a: null }]],
  },
  {
    name: "a member of a discriminated union not before it is decided",
    schema: z.array(discriminated),
    looks: [
      ['[{"x": "', []],
      ['y", "t": "', []],
      ['a"', [{ x: "y", t: "a" }]],
      [', "z": 1 ', [{ x: "y", t: "a", z: 1 }]],
    ],
  },
  {
    name: "a member of a union that something else has decided not before its discriminator",
    schema: z.union([
      z.object({ t: z.literal("a"), x: z.int() }),
      z.object({ t: z.literal("b"), x: z.string() }),
    ]),
    looks: [
      ['{"x": "', undefined],
      ['y", "t": "', undefined],
      ['b"}', { x: "y", t: "b" }],
    ],
  },
  {
    name: "a member of a plain union as it grows",
    schema: { anyOf: [object({ a: { type: "string" } }), object({ b: { type: "string" } })] },
    looks: [['{"a": "x', { a: "x" }]],
  },
  {
    name: "a string that may be an enum as soon as it cannot be one",
    schema: z.union([z.enum(["auto", "none"]), z.string()]),
    looks: [
      ['"au', undefined],
      ["tu", "autu"],
      ['mn"', "autumn"],
    ],
  },
  {
    name: "a string that turned out to be an enum",
    schema: z.union([z.enum(["auto", "none"]), z.string()]),
    looks: [
      ['"auto', undefined],
      ['"', "auto"],
    ],
  },
  {
    name: "with append, a withheld value at once",
    schema: z.union([z.enum(["auto"]), z.string()]),
    looks: [
      ['"au', undefined],
      ["tu", "autu"],
      ["mn", "autumn"],
    ],
    options: { append: true },
  },
  {
    name: "a union with a marked member, when that member is ruled out",
    schema: {
      anyOf: [{ type: "object", properties: { a: { type: "string" } }, stream: "whole" }, { type: "object" }],
    },
    looks: [
      ['{"b": 1,', undefined],
      ['"a": 1', undefined],
      [',"c": 2 ', { b: 1, a: 1, c: 2 }],
    ],
  },
  {
    name: "no value that allow hides",
    schema: z.array(z.object({ id: z.int().meta({ stream: "required" }) })),
    looks: [
      ['[{"id": 1,', []],
      ['"b": 2}', [{ id: 1, b: 2 }]],
    ],
    options: { allow: Allow.ARR },
  },
  {
    name: "a growing number, but not of an enum",
    schema: { prefixItems: [{ enum: [1, 12] }, {}] },
    looks: [
      ["[1", []],
      ["2, 3", [12, 3]],
      ["4", [12, 34]],
    ],
    options: { allow: Allow.ALL },
  },
];

describe("a guard shows", () => {
  test.each(showings)("$name", ({ schema, looks, options }) => {
    const parser = parserOf({ guard: guardOf(schema), ...options });
    for (const [piece, shown] of looks) {
      parser.write(piece);
      expect(parser.snapshot(), piece).toEqual(shown);
      expect(parser.value, piece).toEqual(shown);
    }
  });

  // G-schema-4
  test("no part of an enum, for every split of the text", () => {
    const guard = guardOf(z.object({ m: z.enum(["a", "abc"]) }));
    for (const chunks of allPartitions('{"m":"abc"}')) {
      const parser = parserOf({ guard });
      for (const chunk of chunks) {
        parser.write(chunk);
        expect([undefined, "abc"]).toContain((parser.snapshot() as { m?: string } | undefined)?.m);
      }
    }
  });
});

describe("a guard", () => {
  test("reports the document before the violation", () => {
    const parser = parserOf({ guard: guardOf(z.object({ a: z.string(), b: z.array(z.int()) })) });
    parser.write('{"a": "x", "b": [1, ');
    const before = parser.snapshot();
    expect(() => {
      parser.write('2, "');
    }).toThrow(SchemaViolation);
    expect(parser.snapshot()).toEqual({ a: "x", b: [1, 2] });
    expect(before).toEqual({ a: "x", b: [1] });
    const violation = {
      value: { a: "x", b: [1, 2] },
      expected: "an integer",
      got: expect.stringMatching(/string/) as string,
    };
    expect(() => {
      parser.write("more");
    }).toThrow(expect.objectContaining(violation));
  });

  test("reports withheld values when they are complete", () => {
    const complete: string[] = [];
    const schema = z.object({ o: z.object({ m: z.enum(["good"]) }).meta({ stream: "whole" }) });
    const parser = parserOf({
      guard: guardOf(schema),
      onComplete: (pointer) => complete.push(pointer),
    });
    parser.write('{"o": {"m": "good"');
    expect(complete).toEqual(["/o/m"]);
    expect([parser.isComplete("/o/m"), parser.isComplete("/o")]).toEqual([false, false]);
    parser.write("}");
    expect(complete).toEqual(["/o/m", "/o"]);
    expect([parser.isComplete("/o/m"), parser.isComplete("/o")]).toEqual([true, true]);
  });

  test("checks any number of documents", () => {
    const guard = guardOf(z.object({ a: z.int() }));
    const [one, other] = [parserOf({ guard }), parserOf({ guard })];
    one.write('{"a": ');
    other.write('{"a": 1}');
    expect(() => {
      one.write('"');
    }).toThrow(SchemaViolation);
    other.end();
    expect(other.value).toEqual({ a: 1 });
  });

  test("distinguishes a member of any value from a forbidden one when it is reused", () => {
    const guard = guardOf({
      anyOf: [
        { properties: { a: false, b: {} }, required: ["b", "c"] },
        { properties: { a: false, b: {} }, required: ["b", "d"] },
      ],
    });
    expect(() => {
      parserOf({ guard }).write('{"a": 1');
    }).toThrow(SchemaViolation);
    expect(() => {
      parserOf({ guard }).write('{"b": 1}');
    }).toThrow(SchemaViolation);
  });

  test("rejects an invalid value even if the key may be repeated", () => {
    const parser = parserOf({ guard: guardOf(z.object({ a: z.int() })) });
    expect(() => {
      parser.write('{"a": "x", "a": 1}');
    }).toThrow(SchemaViolation);
  });

  test.each<{ name: string; schema: SchemaInput; text: string }>([
    { name: "a format that is not known", schema: { format: "shoe-size" }, text: '"x"' },
    { name: "a $ref without a target", schema: { $ref: "#/nowhere" }, text: "1" },
    { name: "a $ref to itself", schema: { $ref: "#" }, text: "1" },
    {
      name: "unions that recur at the same place",
      schema: { anyOf: [{ $ref: "#" }, { type: "string" }] },
      text: "1",
    },
    { name: "an invalid pattern", schema: { pattern: "(", properties: { a: {} } }, text: '"x"' },
    {
      name: "keywords of the wrong type",
      schema: { type: "any", enum: 1, minimum: "1", required: true, properties: null, anyOf: [], items: 1 },
      text: "[1]",
    },
    { name: "a limit that makes no sense", schema: { multipleOf: -1 }, text: "0.3 " },
    { name: "a required key that is no text", schema: { required: [true] }, text: "{}" },
    { name: "a list of properties", schema: { properties: [false] }, text: '{"0": 1}' },
    {
      name: "a pattern of keys that is invalid",
      schema: { patternProperties: { "(": {} }, additionalProperties: false },
      text: '{"x": 1}',
    },
    { name: "a number beyond a double", schema: { type: "number", minimum: 0 }, text: "1e400 " },
  ])("leaves to the final check: $name", ({ schema, text }) => {
    const parser = parserOf({ guard: guardOf(schema) });
    for (const character of text) parser.write(character);
    parser.end();
    expect(parser.value).toEqual(JSON.parse(text));
  });

  test.each<{ name: string; schema: JsonObject; text: string; pointer?: string }>([
    { name: "not", schema: { not: { required: ["a"] } }, text: '{"a": 1}' },
    { name: "if", schema: { if: { required: ["a"] }, then: { required: ["b"] } }, text: '{"a": 1}' },
    { name: "else", schema: { if: { required: ["a"] }, else: { required: ["b"] } }, text: '{"c": 1}' },
    { name: "minContains", schema: { contains: { type: "number" }, minContains: 2 }, text: '[1, "x"]' },
    {
      name: "schemas in dependencies",
      schema: { dependencies: { a: { minProperties: 2 } } },
      text: '{"a": 1}',
    },
    { name: "a multiple in decimals", schema: { multipleOf: 0.123456789 }, text: "1e308 " },
    { name: "a const list of a scalar", schema: { const: [false] }, text: "[0]" },
    {
      name: "oneOf",
      schema: { oneOf: [{ required: ["a"] }, { required: ["b"] }] },
      text: '{"a": 1, "b": 1}',
    },
    { name: "contains", schema: { contains: { type: "string" } }, text: "[1, 2]" },
    { name: "maxContains", schema: { contains: { type: "number" }, maxContains: 1 }, text: "[1, 2]" },
    { name: "uniqueItems", schema: { uniqueItems: true }, text: '[{"a": [1]}, {"a": [1]}]' },
    { name: "dependentRequired", schema: { dependentRequired: { a: ["b"] } }, text: '{"a": 1}' },
    { name: "dependentSchemas", schema: { dependentSchemas: { a: { minProperties: 2 } } }, text: '{"a": 1}' },
    { name: "dependencies", schema: { dependencies: { a: ["b"] } }, text: '{"a": 1}' },
    {
      name: "unevaluatedProperties",
      schema: { unevaluatedProperties: false },
      text: '{"a": 1}',
      pointer: "/a",
    },
    {
      name: "unevaluatedItems",
      schema: { prefixItems: [true], unevaluatedItems: false },
      text: "[1, 2]",
      pointer: "/1",
    },
    { name: "format", schema: { format: "email" }, text: '"x"' },
    {
      name: "propertyNames",
      schema: { propertyNames: { not: { const: "a" } } },
      text: '{"a"',
      pointer: "/a",
    },
    { name: "an enum of objects", schema: { enum: [{ a: 1 }, { b: 1 }] }, text: '{"a": 2}' },
    { name: "a const array", schema: { const: [1, [2]] }, text: "[1, [3]]" },
    {
      name: "flags of draft-04",
      schema: {
        $schema: "http://json-schema.org/draft-04/schema#",
        items: { minimum: 1, exclusiveMinimum: true },
      },
      text: "[1]",
      pointer: "/0",
    },
    {
      name: "more alternatives than the limit",
      schema: {
        allOf: Array.from({ length: 12 }, (_, i) => ({
          anyOf: [{ required: [`a${i}`] }, { required: [`b${i}`] }],
        })),
      },
      text: '{"a0": 1, "a1": 1, "a2": 1, "a3": 1, "a4": 1, "a5": 1}',
    },
    {
      name: "more members of a union than the limit",
      schema: { anyOf: Array.from({ length: 200 }, (_, i) => ({ const: `x${i}` })) },
      text: '"y"',
    },
    {
      name: "schemas nested more deeply than it follows",
      schema: Array.from({ length: 3_000 }).reduce<JsonObject>((inner) => ({ allOf: [inner] }), {
        type: "object",
      }),
      text: "[]",
    },
  ])("asks the interpreter about $name when the value is complete", ({ schema, text, pointer = "" }) => {
    const inList = { type: "array", items: { $ref: "#/$defs/it" }, $defs: { it: schema } };
    const full = "$schema" in schema ? { ...schema, items: { items: schema["items"] } } : inList;
    const parser = parserOf({ guard: guardOf(full) });
    const written = `[${text}`;
    for (const character of written.slice(0, -1)) parser.write(character);
    let violation: unknown;
    try {
      parser.write(written.slice(-1));
      parser.write(",");
    } catch (error) {
      violation = error;
    }
    expect(violation).toBeInstanceOf(SchemaViolation);
    expect((violation as SchemaViolation).pointer).toBe(`/0${pointer}`);
  });

  test.each(["1", '"x"', "null", "true", "{", "["])("rejects %s for the schema false at once", (text) => {
    for (const schema of [
      { allOf: [false] },
      { anyOf: [false] },
      { $ref: "#/$defs/no", $defs: { no: false } },
    ]) {
      expect(() => {
        parserOf({ guard: guardOf(schema) }).write(`${text} `);
      }).toThrow(SchemaViolation);
    }
  });

  test("asks about a member of a union, and keeps the other members", () => {
    const member = (kind: string, words: number): JsonObject => ({
      properties: {
        kind: { type: "string" },
        tags: { type: "array", uniqueItems: kind === "set", maxItems: words },
      },
      required: ["kind", "tags"],
    });
    const guard = guardOf({ anyOf: [member("set", 9), member("list", 3)] });
    const parser = parserOf({ guard });
    parser.write('{"tags": [1, 1, 1]');
    parser.write(', "kind": "list"}');
    parser.end();
    expect(() => {
      parserOf({ guard }).write('{"tags": [1, 1, 1, 1]');
    }).toThrow(SchemaViolation);
  });

  test("does not ask about schemas of libraries, which may accept more than their JSON Schema", () => {
    const schema = z.object({ u: z.union([z.email(), z.string().catch("x")]), list: z.array(z.int()) });
    const parser = parserOf({ guard: guardOf(schema) });
    parser.write('{"u": "no email", "list": [1, 1]}');
    parser.end();
    expect(parser.complete).toBe(true);
  });

  test("needs no more memory for deep documents or many keys of a repeating schema", () => {
    const schema = z.json();
    const parser = parserOf({ guard: guardOf(schema) });
    parser.write('{"a": '.repeat(900) + "1" + "}".repeat(900));
    parser.end();
    expect(parser.complete).toBe(true);
  });

  test("accepts repaired values that are still possible", () => {
    const repaired = (schema: SchemaInput, text: string): JsonValue | undefined => {
      const parser = parserOf({ guard: guardOf(schema), repair: true });
      for (const character of text) parser.write(character);
      parser.end();
      return parser.value;
    };
    expect(repaired(object({ a: { type: "null" } }), "{a: -Infinity}")).toEqual({ a: null });
    expect(repaired(object({ a: { type: "string" } }), "{a: 1st place, b: nothing}")).toEqual({
      a: "1st place",
      b: "nothing",
    });
    expect(repaired(object({ a: { type: "boolean" } }), "{'a': True}")).toEqual({ a: true });
    expect(repaired(z.object({ m: z.enum(['a "b"']) }), '{"m": "a "b"" }')).toEqual({ m: 'a "b"' });
  });
});
