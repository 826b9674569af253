import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import type { JsonObject, JsonValue } from "millrace";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { grammarDialect } from "#src/models/dialect/grammar/schema.js";
import { writeSchema } from "#src/models/dialect/write-schema.js";
import { type SchemaInput, schemaOf } from "#src/schema/schema-of.js";
import { grammarTakes } from "../../support/grammar.js";

type Row = readonly [name: string, schema: object, good: readonly JsonValue[], bad?: readonly JsonValue[]];

const tree: z.ZodType = z.object({
  name: z.string(),
  get children() {
    return z.array(tree);
  },
});
const category: z.ZodType = z.object({
  title: z.string(),
  get sub() {
    return category.optional();
  },
});
const registered = z.object({ x: z.string() }).meta({ id: "A b/c" });
const A = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };

const ofLibraries: readonly Row[] = [
  [
    "object",
    z.object({ a: z.string(), b: z.number().optional() }),
    [{ a: "x" }, { a: "x", b: 1 }],
    [{ b: 1 }, { a: 1 }],
  ],
  ["tuple", z.tuple([z.string(), z.number()]), [["a", 1]], [["a"], [1, "a"], ["a", 1, 2]]],
  ["tupleRest", z.tuple([z.string()], z.number()), [["a", 1, 2], ["a"]], [[]]],
  ["tupleOptional", z.tuple([z.string(), z.number().optional()]), [["a", 1]], [[1]]],
  ["record", z.record(z.string(), z.number()), [{ a: 1 }, {}], [{ a: "b" }]],
  [
    "recordEnum",
    z.record(z.enum(["a", "b"]), z.number()),
    [{ a: 1, b: 2 }],
    [{ a: 1 }, { a: 1, b: 2, c: 3 }],
  ],
  ["partialRecord", z.partialRecord(z.enum(["a", "b"]), z.number()), [{ a: 1 }, {}], [{ c: 3 }]],
  [
    "unknown",
    z.object({ a: z.unknown(), b: z.any() }),
    [
      { a: 1, b: "x" },
      { a: [1], b: {} },
      { a: null, b: true },
    ],
    [{}],
  ],
  ["recordUnknown", z.record(z.string(), z.unknown()), [{ a: 1 }, { b: [] }], [[]]],
  ["loose", z.looseObject({ a: z.string() }), [{ a: "x" }, { a: "x", c: 3 }], [{ c: 1 }]],
  ["catchall", z.object({ a: z.string() }).catchall(z.number()), [{ a: "x", c: 3 }], [{ a: "x", c: "y" }]],
  ["startsEnds", z.string().startsWith("ab").endsWith("yz"), ["abyz", "ab-yz"], ["ab", "yz", "xabyz"]],
  ["startsIncludesEnds", z.string().startsWith("ab").includes("-").endsWith("yz"), ["ab-yz"], ["abyz"]],
  [
    "regexMax",
    z
      .string()
      .regex(/^[a-z]+$/)
      .max(3),
    ["abc"],
    ["abcd", "", "A"],
  ],
  [
    "regexMax2",
    z
      .string()
      .regex(/^#[0-9a-f]{3,8}$/)
      .max(7),
    ["#abc", "#abcdef"],
    ["#abcdef0", "#ab"],
  ],
  ["unanchored", z.string().regex(/\d-\w/), ["x1-a", "1-_"], ["1-", "a-b"]],
  [
    "escapes",
    z.object({ a: z.string().regex(/^[\w.\-]+@[\w\-]+\.\w{2,}$/) }),
    [{ a: "a.b-c@d-e.com" }],
    [{ a: "a@b.c" }, { a: 'a"@b.cc' }],
  ],
  ["spaces", z.string().regex(/^\S+\s\S+$/), ["a b"], ["ab", "a  b"]],
  ["lookahead", z.string().regex(/^(?!x)\d+$/), ["12"], []],
  ["negated", z.string().regex(/^[^@]+@[^@]+$/), ["a@b"], ["a", "@b"]],
  ["dot", z.string().regex(/^a.c$/), ["abc", "aéc"], ["ac"]],
  ["alternatives", z.string().regex(/^cat|dog$/), ["cats", "hotdog"], ["a cat", "dogs"]],
  ["lazy", z.string().regex(/^a+?b??$/), ["aab", "a"], ["b"]],
  ["named", z.string().regex(/^(?<y>\d{4})-(?:0[1-9]|1[0-2])$/), ["2024-12"], ["2024-13"]],
  ["quote", z.string().regex(/^"a"$/), ['"a"'], []],
  [
    "phone",
    z.string().regex(/^\+?\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}$/),
    ["+(123) 456-7890", "123-456-7890"],
    ["1234567890"],
  ],
  ["price", z.string().regex(/^\$\d+\.\d{2}$/), ["$12.50"], ["$12", "12.50"]],
  ["unicode", z.string().regex(/^[äöü]é?$/), ["äé", "ö"], ["aé"]],
  ["email", z.email(), ["a.b@c.de"], ["a@b"]],
  ["uuid", z.uuid(), ["123e4567-e89b-12d3-a456-426614174000"], ["123e4567"]],
  ["datetime", z.iso.datetime(), ["2024-02-29T10:00:00Z"], ["2024-02-30T10:00:00Z"]],
  ["date", z.iso.date(), ["2024-02-29"], ["2023-02-29"]],
  ["time", z.iso.time(), ["10:00:00"], ["25:00:00"]],
  ["base64", z.base64(), ["YWI=", ""], ["YWI"]],
  ["ipv4", z.ipv4(), ["1.2.3.255"], ["1.2.3.256"]],
  ["cuid", z.cuid2(), ["abc12"], []],
  ["template", z.templateLiteral(["a-", z.number()]), ["a-1.5", "a--1"], ["a-"]],
  ["int", z.int().min(1).max(10), [1, 10], [0, 11, 1.5]],
  ["intPositive", z.object({ n: z.int().positive() }), [{ n: 1 }], [{ n: 0 }]],
  ["number", z.number().gt(0.5), [0.75], ["a"]],
  ["multiple", z.number().multipleOf(0.5), [1.5], []],
  ["array", z.array(z.string()).min(1).max(3), [["a"], ["a", "b", "c"]], [[], ["a", "b", "c", "d"]]],
  ["hugeArray", z.array(z.string()).max(5000), [["a"]], []],
  ["hugeString", z.string().max(5000), ["a"], []],
  ["string1000", z.string().min(2).max(1000), ["ab"], ["a"]],
  ["union", z.union([z.string(), z.object({ a: z.int() })]), ["x", { a: 1 }], [1]],
  [
    "du",
    z.discriminatedUnion("k", [
      z.object({ k: z.literal("a") }),
      z.object({ k: z.literal("b"), n: z.number() }),
    ]),
    [{ k: "a" }, { k: "b", n: 1 }],
    [{ k: "b" }],
  ],
  [
    "intersection",
    z.intersection(z.object({ a: z.string() }), z.object({ b: z.string().optional() })),
    [{ a: "x", b: "y" }, { a: "x" }],
    [{ b: "y" }],
  ],
  [
    "interUnion",
    z.intersection(
      z.object({ id: z.int() }),
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    ),
    [
      { id: 1, a: "x" },
      { id: 1, b: "x" },
    ],
    [{ id: 1 }, { a: "x" }],
  ],
  [
    "recursive",
    tree,
    [{ name: "a", children: [{ name: "b", children: [] }] }],
    [{ name: "a", children: [{ name: "b" }] }],
  ],
  ["recursiveOptional", category, [{ title: "a", sub: { title: "b" } }], [{ title: "a", sub: {} }]],
  [
    "recursiveInside",
    z.object({ tree, other: category }),
    [{ tree: { name: "a", children: [] }, other: { title: "b" } }],
    [{ tree: {} }],
  ],
  [
    "nullable",
    z.object({ a: z.string().max(3).nullable(), b: z.object({ c: z.string() }).nullable() }),
    [
      { a: null, b: null },
      { a: "abc", b: { c: "d" } },
    ],
    [{ a: "abcd", b: null }],
  ],
  ["literals", z.literal([1, "a", null]), [1, "a", null], [2]],
  ["never", z.object({ a: z.string(), b: z.never().optional() }), [{ a: "x" }], []],
  ["discover", z.json(), [1, { a: [1] }], []],
  [
    "registered",
    z.object({ p: registered, q: registered.meta({ description: "other" }) }),
    [{ p: { x: "1" }, q: { x: "2" } }],
    [{ p: {} }],
  ],
  [
    "v.object",
    v.object({
      a: v.pipe(v.string(), v.minLength(2), v.maxLength(4)),
      b: v.optional(v.picklist(["x", "y"])),
    }),
    [{ a: "ab" }, { a: "abcd", b: "x" }],
    [{ a: "a" }, { a: "ab", b: "z" }],
  ],
  ["v.regex", v.pipe(v.string(), v.regex(/^\d+$/), v.maxLength(3)), ["123"], ["1234", "a"]],
  ["v.tuple", v.strictTuple([v.string(), v.number()]), [["a", 1]], [[1]]],
  ["v.tupleWithRest", v.tupleWithRest([v.string()], v.number()), [["a", 1]], []],
  ["v.record", v.record(v.string(), v.number()), [{ a: 1 }], [{ a: "b" }]],
  [
    "v.variant",
    v.variant("k", [v.object({ k: v.literal("a") }), v.object({ k: v.literal("b"), n: v.number() })]),
    [{ k: "a" }],
    [{ k: "b" }],
  ],
  [
    "v.intersect",
    v.intersect([v.object({ a: v.string() }), v.object({ b: v.number() })]),
    [{ a: "x", b: 1 }],
    [{ a: "x" }],
  ],
  ["v.loose", v.looseObject({ a: v.unknown() }), [{ a: 1 }], []],
  [
    "v.objectWithRest",
    v.objectWithRest({ a: v.string() }, v.number()),
    [{ a: "x", b: 2 }],
    [{ a: "x", b: "y" }],
  ],
  ["v.nullish", v.object({ a: v.nullish(v.string()) }), [{ a: null }, {}, { a: "x" }], [{ a: 1 }]],
  [
    "t.object",
    type({ a: "string", "b?": "number > 0", c: "'x' | 'y'" }),
    [{ a: "s", c: "x" }],
    [{ a: "s", c: "z" }],
  ],
  ["t.index", type({ "[string]": "number" }), [{ a: 1 }], [{ a: "b" }]],
  ["t.pattern", type({ a: "/^\\d{3}$/" }), [{ a: "123" }], [{ a: "12" }]],
  ["t.tuple", type(["string", "number"]), [["a", 1]], [["a", "b"]]],
  ["t.range", type("1 <= number.integer <= 12"), [1, 12], [13]],
  ["t.alias", type({ a: "string.uuid | null" }), [{ a: null }], []],
  ["t.union", type({ a: "string" }).and({ "b?": "unknown" }), [{ a: "x" }, { a: "x", b: [] }], []],
];

const jsonSchemas: readonly Row[] = [
  [
    "j.self",
    {
      type: "object",
      properties: { n: { type: "string" }, next: { anyOf: [{ $ref: "#" }, { type: "null" }] } },
      required: ["n", "next"],
      additionalProperties: false,
    },
    [{ n: "a", next: { n: "b", next: null } }],
    [{ n: "a", next: {} }],
  ],
  [
    "j.refBeside",
    {
      $defs: { A },
      type: "object",
      properties: { x: { $ref: "#/$defs/A", required: ["b"], properties: { b: { type: "integer" } } } },
      required: ["x"],
    },
    [{ x: { b: 1, a: "s" } }],
    [{ x: { a: "s" } }, { x: { b: 1 } }],
  ],
  [
    "j.allOfRefs",
    {
      $defs: { A, B: { type: "object", properties: { b: { type: "integer" } } } },
      allOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }],
    },
    [{ a: "s", b: 1 }, { a: "s" }],
    [{ b: 1 }],
  ],
  [
    "j.anyOfRequired",
    {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      anyOf: [{ required: ["a"] }, { required: ["b"] }],
    },
    [{ a: "x" }, { b: "y" }],
    [{}],
  ],
  [
    "j.propsAllOf",
    {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      allOf: [{ properties: { b: { type: "integer" } }, required: ["b"] }],
    },
    [{ a: "x", b: 1 }],
    [{ a: "x" }],
  ],
  [
    "j.samePropsAllOf",
    {
      allOf: [
        { type: "object", properties: { a: { type: "string" } } },
        { type: "object", properties: { a: { minLength: 2 } }, required: ["a"] },
      ],
    },
    [{ a: "xy" }],
    [{ a: "x" }, {}],
  ],
  [
    "j.patternProps",
    { type: "object", patternProperties: { "^x-": { type: "integer" } }, additionalProperties: false },
    [{ "x-a": 1 }],
    [{ "x-a": "b" }],
  ],
  ["j.not", { type: "string", not: { const: "a" } }, ["b"], []],
  [
    "j.if",
    {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      if: { properties: { a: { const: "x" } } },
      then: { required: ["b"] },
    },
    [{ a: "y" }],
    [{}],
  ],
  [
    "j.rootRef",
    {
      $ref: "#/$defs/A",
      $defs: {
        A: { type: "object", properties: { b: { $ref: "#/$defs/B" } }, required: ["b"] },
        B: { type: "object", properties: { c: { type: "integer" } }, required: ["c"] },
      },
    },
    [{ b: { c: 1 } }],
    [{ b: {} }],
  ],
  [
    "j.pointer",
    {
      type: "object",
      properties: {
        a: { type: "object", properties: { "x y": { type: "integer" } }, required: ["x y"] },
        b: { $ref: "#/properties/a/properties/x%20y" },
      },
      required: ["a", "b"],
    },
    [{ a: { "x y": 1 }, b: 2 }],
    [{ a: { "x y": 1 }, b: "c" }],
  ],
  ["j.true", { type: "object", properties: { a: true, b: false }, required: ["a"] }, [{ a: 1 }], [{}]],
  [
    "j.required",
    { type: "object", required: ["a"], additionalProperties: { type: "integer" } },
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ b: 1 }, {}],
  ],
  ["j.requiredOpen", { type: "object", required: ["a"] }, [{ a: 1 }, { a: "x", b: 2 }], [{ b: 1 }, {}]],
  [
    "j.items4",
    { type: "array", items: [{ type: "string" }, { type: "integer" }], additionalItems: false },
    [["a", 1]],
    [[1, "a"]],
  ],
  [
    "j.exclusive",
    { type: "integer", exclusiveMinimum: 0.5, minimum: -3, exclusiveMaximum: 3 },
    [1, 2],
    [0, 3],
  ],
  ["j.fraction", { type: "integer", minimum: 0.5, maximum: 3.7 }, [1, 3], [0, 4]],
  ["j.typeList", { type: ["string", "null"], maxLength: 2, pattern: "^a" }, ["ab", null], ["abc", "b"]],
  [
    "j.recAllOf",
    {
      $defs: {
        T: {
          type: "object",
          properties: {
            v: { type: "integer" },
            next: { allOf: [{ $ref: "#/$defs/T" }], description: "next", required: ["v"] },
          },
        },
      },
      $ref: "#/$defs/T",
    },
    [{ v: 1, next: { v: 2 } }],
    [{ next: {} }],
  ],
  [
    "j.recAnyOf",
    {
      $defs: {
        T: {
          type: "object",
          properties: {
            v: { type: "integer" },
            next: { type: ["object", "null"], anyOf: [{ $ref: "#/$defs/T" }, { type: "null" }] },
          },
          required: ["v"],
        },
      },
      $ref: "#/$defs/T",
    },
    [{ v: 1, next: { v: 2, next: null } }, { v: 1 }],
    [
      { v: 1, next: 2 },
      { v: 1, next: {} },
    ],
  ],
  ["j.empty", {}, [1, "a", {}], []],
];

/** Valibot needs its own converter. */
function asInput(schema: object): SchemaInput {
  const isValibot = "kind" in schema && schema.kind === "schema" && "~run" in schema;
  return (isValibot ? toStandardJsonSchema(schema as v.GenericSchema) : schema) as SchemaInput;
}

describe("a grammar made of the converted schema takes valid values, and refuses those that it can tell", () => {
  const rows = [...ofLibraries, ...jsonSchemas].map(([name, schema, good, bad = []]) => {
    return { name, schema, good, bad };
  });
  test.each(rows)("$name", ({ schema, good, bad }) => {
    const { jsonSchema } = schemaOf(asInput(schema));
    const written = writeSchema(jsonSchema, grammarDialect("llama.cpp"), "x");
    expect({
      taken: good.filter((value) => grammarTakes(written, value)),
      refused: bad.filter((value) => !grammarTakes(written, value)),
    }).toEqual({ taken: good, refused: bad });
  });
});

describe("what a grammar cannot say is described:", () => {
  const note = (description: string): JsonObject => ({ description: `(${description})` });
  test.each<readonly [JsonObject, JsonObject]>([
    [
      { type: "string", not: { const: "a" } },
      { type: "string", ...note('not: {"const":"a"}') },
    ],
    [
      { type: "string", pattern: "^(?!a)" },
      { type: "string", ...note('pattern: "^(?!a)"') },
    ],
    [
      { type: "string", pattern: "^a()*$" },
      { type: "string", ...note('pattern: "^a()*$"') },
    ],
    [
      { type: "string", pattern: "^()a*$", minLength: 2 },
      { type: "string", pattern: "^()a{2,}$" },
    ],
    [
      { type: "string", pattern: "^a+b+$", maxLength: 9 },
      { type: "string", pattern: "^a+b+$", ...note("maxLength: 9") },
    ],
    [
      { type: "string", maxLength: 2_000 },
      { type: "string", ...note("maxLength: 2000") },
    ],
    [
      { type: "number", minimum: 1 },
      { type: "number", ...note("minimum: 1") },
    ],
    [
      { type: "object", patternProperties: { "^a": { type: "string" } }, additionalProperties: false },
      {
        type: "object",
        additionalProperties: { type: "string" },
        ...note('patternProperties: {"^a":{"type":"string"}}'),
      },
    ],
    [
      { type: "string", description: "A name.", allOf: [{ pattern: "^a+$" }, { pattern: "^b+$" }] },
      { type: "string", description: 'A name. (pattern: "^b+$")', pattern: "^a+$" },
    ],
  ])("%j", (schema, expected) => {
    expect(writeSchema(schema, grammarDialect("llama.cpp"), "x")).toEqual(expected);
  });
});

/** Definitions that each name the next one twice, with a rule beside the reference. */
function doubling(levels: number, twice: (reference: JsonObject) => JsonObject): JsonObject {
  const reference = (level: number): JsonObject => ({ $ref: `#/$defs/d${level}`, minProperties: 1 });
  const $defs: JsonObject = { [`d${levels}`]: { type: "object", properties: { leaf: { type: "string" } } } };
  for (let level = 0; level < levels; level++) {
    $defs[`d${level}`] = { type: "object", minProperties: level, ...twice(reference(level + 1)) };
  }
  return { type: "object", properties: { a: reference(0) }, $defs };
}

describe("references that double at each level are written in proportion:", () => {
  test.each<readonly [string, (reference: JsonObject) => JsonObject]>([
    ["properties", (it) => ({ properties: { x: it, y: it } })],
    ["choices", (it) => ({ anyOf: [it, it] })],
    ["elements", (it) => ({ properties: { x: { type: "array", prefixItems: [it, it] } } })],
  ])("%s", (_, twice) => {
    const lengths = [20, 40].map((levels) => {
      const written = writeSchema(doubling(levels, twice), grammarDialect("llama.cpp"), "x");
      expect(grammarTakes(written, { a: {} })).toBe(true);
      return JSON.stringify(written).length;
    });
    expect(Math.max(...lengths)).toBeLessThan(1_000_000);
  });
});
