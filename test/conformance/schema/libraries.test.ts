import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import type { JsonValue } from "millrace";
import { guardOf, schemaOf, type SchemaInput } from "millrace/schema";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parserOf } from "../../support/parser-of.js";

/**
 * The guard must accept everything that the library accepts, even if its JSON Schema does not. Both accept `good`
 * values, the guard rejects `bad` ones, and only the library rejects `late` ones.
 */
interface Case {
  readonly name: string;
  readonly schema: SchemaInput;
  readonly good?: readonly JsonValue[];
  readonly bad?: readonly JsonValue[];
  readonly late?: readonly JsonValue[];
}

interface Tree {
  v: string;
  kids: Tree[];
}
const tree: z.ZodType<Tree> = z.object({
  v: z.string(),
  get kids() {
    return z.array(tree);
  },
});

const zod: readonly Case[] = [
  { name: "coerce", schema: z.object({ n: z.coerce.number() }), good: [{ n: "12" }, { n: null }] },
  { name: "coerce in a union", schema: z.union([z.coerce.number(), z.literal("x")]), good: ["5", "x"] },
  { name: "preprocess", schema: z.preprocess(Number, z.number()), good: ["12", true] },
  {
    name: "preprocess, omitted",
    schema: z.object({ n: z.preprocess((x) => x ?? 1, z.number()) }),
    good: [{}],
  },
  { name: "catch", schema: z.object({ n: z.string().catch("x") }), good: [{ n: 1 }, {}] },
  {
    name: "catch with an id",
    schema: z.object({ n: z.string().catch("x").meta({ id: "Caught" }) }),
    good: [{ n: 1 }],
  },
  {
    name: "trim",
    schema: z.object({ s: z.string().trim().max(3) }),
    good: [{ s: " abc " }],
    bad: [{ s: 1 }],
  },
  { name: "trim, then a pattern", schema: z.string().trim().regex(/^a$/), good: [" a "] },
  { name: "trim of keys", schema: z.record(z.string().trim().max(1), z.number()), good: [{ " a ": 1 }] },
  {
    name: "trim, branded",
    schema: z.string().trim().max(2).brand("x").readonly(),
    good: [" ab "],
    bad: [null],
  },
  { name: "round", schema: z.number().overwrite(Math.round).int(), good: [1.5], bad: ["1"] },
  { name: "a flag", schema: z.string().regex(/^a$/i), good: ["a", "A"], late: ["b"] },
  { name: "email", schema: z.email(), good: ["a@b.co"], bad: ["ab"] },
  {
    name: "closed objects, intersected",
    schema: z.intersection(z.strictObject({ a: z.int() }), z.strictObject({ b: z.int() })),
    good: [{ a: 1, b: 2 }],
    bad: [{ a: 1, b: 2, c: 3 }],
  },
  { name: "unknown keys, stripped", schema: z.object({ a: z.int() }), good: [{ a: 1, b: 2 }] },
  {
    name: "defaults",
    schema: z.object({ a: z.int().default(1), b: z.int().optional(), c: z.int().nullish() }),
    good: [{}, { c: null }],
    bad: [{ b: null }],
  },
  {
    name: "records",
    schema: z.record(z.enum(["a", "b"]), z.int()),
    good: [{ a: 1, b: 2 }],
    bad: [{ a: 1 }, { c: 1 }],
  },
  {
    name: "numbers as keys",
    schema: z.record(z.number(), z.string()),
    good: [{ "-2.5": "x" }],
    bad: [{ x: "x" }],
  },
  {
    name: "tuples",
    schema: z.tuple([z.string(), z.int().optional()]),
    good: [["a"], ["a", 1]],
    bad: [[], ["a", 1, 2], ["a", "b"]],
  },
  { name: "steps", schema: z.number().multipleOf(0.1), good: [0.3], bad: [0.35] },
  {
    name: "codecs",
    schema: z.codec(z.string(), z.number(), { decode: Number, encode: String }),
    good: ["12"],
    bad: [12],
  },
  { name: "code points", schema: z.string().max(2), good: ["😀😀"], bad: ["😀😀😀"] },
  {
    name: "recursion",
    schema: tree,
    good: [{ v: "", kids: [{ v: "", kids: [] }] }],
    bad: [{ v: "", kids: [{ v: 1 }] }],
  },
  { name: "json", schema: z.json(), good: [{ a: [1, null, { b: "x" }] }] },
  { name: "refinements", schema: z.string().refine((s) => s === "x"), late: ["y"] },
  { name: "no JSON Schema", schema: z.object({ d: z.date() }), bad: [{ d: 1 }, "x"] },
  {
    name: "a record with a key pattern, intersected",
    schema: z.intersection(z.object({ a: z.int() }), z.record(z.string().regex(/^x-/), z.string())),
    good: [{ a: 1 }, { a: 1, "x-b": "" }, { a: 1, b: 2 }],
    bad: [{ a: "" }, {}],
    late: [{ a: 1, "x-b": 2 }],
  },
  {
    name: "two records with key patterns, intersected",
    schema: z.intersection(
      z.record(z.string().regex(/^a/), z.int()),
      z.record(z.string().regex(/^b/), z.string()),
    ),
    good: [{ a: 1, b: "" }, {}],
    bad: [{ c: 1 }],
    late: [{ a: "" }],
  },
  {
    name: "a record whose members may be undefined",
    schema: z.record(z.enum(["a", "b"]), z.unknown()),
    good: [{ a: 1 }, {}],
    bad: [{ c: 1 }],
  },
  {
    name: "a tuple that may end before a catch",
    schema: z.tuple([z.string(), z.number().catch(0)]),
    good: [["a"], ["a", "b"]],
    bad: [[], ["a", 1, 2]],
  },
  {
    name: "a length of the result of a tuple",
    schema: z.tuple([z.string().default("x")]).check(z.minLength(1)),
    good: [[]],
  },
  {
    name: "text at a position",
    schema: z.string().includes("b", { position: 1 }),
    good: ["ab", "a\nb", "ab.b"],
    bad: ["a"],
    late: ["ba"],
  },
  {
    name: "a catchall and the key __proto__",
    schema: z.object({ a: z.int() }).catchall(z.string()),
    good: [JSON.parse('{"a": 1, "__proto__": 1}') as JsonValue],
    bad: [{ a: 1, b: 1 }],
  },
  {
    name: "metadata that says more than Zod checks",
    schema: z.object({
      n: z.number().meta({ minimum: 5, multipleOf: 7 }),
      s: z
        .string()
        .meta({ maxLength: 1, pattern: "^z", enum: ["z"], type: "number", const: "z", format: "date" }),
      o: z.object({}).meta({ additionalProperties: false, required: ["z"], minProperties: 3, not: {} }),
    }),
    good: [{ n: 1, s: "abc", o: { a: 1 } }],
    bad: [{ n: "" }],
  },
  { name: "keys of every object", schema: z.object({ toString: z.any() }), good: [{}] },
];

const of = toStandardJsonSchema;
const valibot: readonly Case[] = [
  {
    name: "objects",
    schema: of(v.object({ a: v.string(), b: v.optional(v.number(), 1) })),
    good: [{ a: "" }, { a: "", c: 1 }],
    bad: [{ a: 1 }, {}],
  },
  {
    name: "closed objects",
    schema: of(v.strictObject({ a: v.string() })),
    good: [{ a: "" }],
    bad: [{ a: "", b: 1 }],
  },
  { name: "fallback", schema: of(v.object({ a: v.fallback(v.string(), "x") })), good: [{ a: 1 }, {}] },
  {
    name: "transform",
    schema: of(v.pipe(v.string(), v.transform(Number), v.number())),
    good: ["1"],
    bad: [1],
  },
  { name: "picklist", schema: of(v.picklist(["good", "bad"])), good: ["good"], bad: ["great"] },
  {
    name: "variant",
    schema: of(
      v.variant("t", [v.object({ t: v.literal("a"), x: v.string() }), v.object({ t: v.literal("b") })]),
    ),
    good: [{ t: "a", x: "" }, { t: "b" }],
    bad: [{ t: "c" }, { t: "a", x: 1 }],
  },
  { name: "lengths in UTF-16", schema: of(v.pipe(v.string(), v.minLength(2))), good: ["😀"], bad: ["x"] },
  {
    name: "tuples",
    schema: of(v.tuple([v.string(), v.optional(v.string(), "x")])),
    good: [["a"], ["a", "b", 1]],
    bad: [[]],
  },
  { name: "exact tuples", schema: of(v.strictTuple([v.string()])), good: [["a"]], bad: [["a", "b"]] },
  {
    name: "intersect",
    schema: of(v.intersect([v.object({ a: v.string() }), v.object({ b: v.string() })])),
    good: [{ a: "", b: "" }],
    bad: [{ a: "" }],
  },
  {
    name: "no JSON Schema of its own",
    schema: v.object({ a: v.string() }),
    good: [{ a: "" }],
    bad: [{ a: 1 }],
  },
  {
    name: "an action without JSON Schema",
    schema: of(v.pipe(v.string(), v.minLength(2), v.trim(), v.maxLength(1))),
    good: [" x "],
    bad: [1, "x"],
    late: ["abc"],
  },
  {
    name: "a fallback around a pipe",
    schema: of(v.fallback(v.pipe(v.string(), v.minLength(5)), "x")),
    good: ["a", 1],
  },
  {
    name: "metadata that says more than Valibot checks",
    schema: of(v.pipe(v.string(), v.metadata({ maxLength: 1, enum: ["z"], type: "number" }))),
    good: ["abc"],
    bad: [1],
  },
  {
    name: "entries that are counted after unknown ones were removed",
    schema: of(v.pipe(v.object({ a: v.any() }), v.maxEntries(1))),
    good: [{ a: 1, b: 2 }],
  },
  {
    name: "arrays as objects",
    schema: of(v.object({ a: v.optional(v.string()) })),
    good: [[], {}],
    bad: ["", { a: 1 }],
  },
  { name: "keys of every object", schema: of(v.object({ toString: v.any() })), good: [{}] },
  {
    name: "a getter that sees the input",
    schema: of(v.lazy((input) => (typeof input === "string" ? v.string() : v.number()))),
    good: ["a", 1],
  },
  {
    name: "values that are compared as numbers",
    schema: of(v.pipe(v.number(), v.values([1, 2]), v.value(2))),
    good: [2],
    bad: [1, 3],
  },
];

const arktype: readonly Case[] = [
  {
    name: "objects",
    schema: type({ a: "string", "b?": "number.integer", c: "number = 1" }),
    good: [{ a: "" }, { a: "", d: 1 }],
    bad: [{ a: "", b: 1.5 }, { a: 1 }, {}],
  },
  {
    name: "closed objects",
    schema: type({ "+": "reject", a: "string" }),
    good: [{ a: "" }],
    bad: [{ a: "", b: 1 }],
  },
  {
    name: "unions",
    schema: type({ t: "'a'", x: "1" }).or({ t: "'b'", y: "string" }),
    good: [{ t: "b", y: "" }],
    bad: [{ t: "c" }, { t: "b", y: 1 }],
  },
  {
    name: "morphs",
    schema: type({ n: "string.numeric.parse" }),
    good: [{ n: "12" }],
    bad: [{ n: 12 }, { n: "x" }],
  },
  { name: "trim", schema: type("string.trim").to("string<=3"), good: ["  abc "], bad: [1] },
  { name: "a flag", schema: type(/^abc$/i), good: ["ABC"], late: ["x"] },
  { name: "ranges", schema: type("0 < number.integer <= 5"), good: [5], bad: [6, 0, 1.5] },
  { name: "arrays as objects", schema: type({ "a?": "string" }), good: [[], {}], bad: ["", { a: 1 }] },
  { name: "unknown keys, removed", schema: type({ "+": "delete", a: "string" }), good: [{ a: "", b: 1 }] },
  {
    name: "keys with a pattern in a closed object",
    schema: type({ "[/^x-/]": "number", "+": "reject" }),
    good: [{ "x-a": 1 }],
    late: [{ y: 1 }, { "x-a": "" }],
  },
  { name: "keys of every object", schema: type({ toString: "unknown" }), good: [{}] },
  {
    name: "metadata that says more than ArkType checks",
    schema: type("string").configure({ maxLength: 1, enum: ["z"] } as object),
    good: ["abc"],
    bad: [1],
  },
];

function violates(schema: SchemaInput, value: JsonValue): boolean {
  const parser = parserOf({ guard: guardOf(schema) });
  try {
    for (const character of JSON.stringify(value)) parser.write(character);
    parser.end();
    return false;
  } catch {
    return true;
  }
}

describe.each([
  { library: "Zod", cases: zod },
  { library: "Valibot", cases: valibot },
  { library: "ArkType", cases: arktype },
])("$library", ({ cases }) => {
  test.each(cases)("$name", async ({ schema, good = [], bad = [], late = [] }) => {
    for (const value of [...good, ...bad, ...late]) {
      const { issues } = await schemaOf(schema).validate(value);
      expect({ value, accepted: issues === undefined }).toEqual({ value, accepted: good.includes(value) });
      expect({ value, guarded: violates(schema, value) }).toEqual({ value, guarded: bad.includes(value) });
    }
  });
});
