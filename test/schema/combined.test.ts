import { describe, expect, test } from "vitest";
import { schemaOf, type SchemaInput, type Schema } from "millrace/schema";
import { Interpreter } from "#src/schema/interpreter/interpreter.js";
import { listOf } from "#src/schema/list-of.js";
import { unionOf } from "#src/schema/union-of.js";
import { z } from "zod";

const node = z.object({
  name: z.string(),
  get inner() {
    return z.array(node);
  },
});
const defined = {
  type: "object",
  properties: { a: { $ref: "#/$defs/short" }, again: { $ref: "#" } },
  required: ["a"],
  $defs: { short: { type: "string", maxLength: 3 } },
} as const;
const old = {
  ...defined,
  properties: { a: { $ref: "#/definitions/short" } },
  definitions: defined.$defs,
  $defs: {},
};

const draft4 = "http://json-schema.org/draft-04/schema#";
const draft7 = "http://json-schema.org/draft-07/schema#";

const read = (input: SchemaInput): Schema<unknown> => schemaOf(input);
/** Whether both JSON Schemas, and the check of the schema, accept the value. */
const accepts = async (schema: Schema<unknown>, value: unknown): Promise<boolean[]> => [
  new Interpreter(schema.jsonSchema).check(value as never).length === 0,
  new Interpreter(schema.streamSchema).check(value as never).length === 0,
  (await schema.validate(value)).issues === undefined,
];
const yes = [true, true, true];
const no = [false, false, false];

describe("a list of elements", () => {
  test.each([
    ["a flat schema", z.object({ a: z.string() }), { a: "x" }, { a: 1 }],
    [
      "a recursive schema",
      node,
      { name: "x", inner: [{ name: "y", inner: [] }] },
      { name: "x", inner: [{ name: 1, inner: [] }] },
    ],
    ["a schema with definitions", defined, { a: "abc", again: { a: "x" } }, { a: "x", again: { a: "abcd" } }],
    ["a schema with the definitions of older drafts", old, { a: "abc" }, { a: "abcd" }],
    [
      "a schema of draft-04 with an id",
      { $schema: draft4, id: "http://example.org/s", ...old, required: ["a"] },
      { a: "abc" },
      { a: "abcd" },
    ],
    [
      "a schema with a part that has an id",
      {
        properties: { a: { $id: "https://example.org/s", ...defined }, b: { $ref: "#/$defs/n" } },
        $defs: { n: { type: "null" } },
      },
      { a: { a: "abc" }, b: null },
      { a: { a: "abcd" }, b: null },
    ],
    ["a schema with an id", { $id: "https://example.org/s", ...defined }, { a: "abc" }, { a: "abcd" }],
  ])("accepts the same elements as %s", async (_, schema: SchemaInput, valid, invalid) => {
    const list = listOf(read(schema));
    expect(await accepts(list, { elements: [valid, valid] })).toEqual(yes);
    expect(await accepts(list, { elements: [] })).toEqual(yes);
    expect(await accepts(list, { elements: [valid, invalid] })).toEqual(no);
    expect(await accepts(list, [valid])).toEqual(no);
  });

  test("validates to the list, with the places of issues in the object", async () => {
    const list = listOf(read(z.object({ n: z.string().transform(Number) })));
    expect(await list.validate({ elements: [{ n: "7" }] })).toEqual({ value: [{ n: 7 }] });
    expect(await list.validate({ elements: [{ n: "7" }, { n: 8 }] })).toMatchObject({
      issues: [{ pointer: "/elements/1/n" }],
    });
    expect(await list.validate(null)).toMatchObject({ issues: [{ pointer: "" }] });
  });

  test("waits for asynchronous checks", async () => {
    const list = listOf(read(z.object({ a: z.string().refine(async (text) => text !== "b") })));
    expect(await list.validate({ elements: [{ a: "a" }] })).toEqual({ value: [{ a: "a" }] });
    expect(await list.validate({ elements: [{ a: "a" }, { a: "b" }] })).toMatchObject({
      issues: [{ pointer: "/elements/1/a" }],
    });
  });
});

describe("a union", () => {
  test("accepts what one of its schemas accepts, whose definitions have the same names", async () => {
    const other = { ...defined, $defs: { short: { type: "integer" } } };
    const union = unionOf([defined, other, node].map(read));
    for (const value of [{ a: "abc" }, { a: 1 }, { name: "x", inner: [{ name: "y", inner: [] }] }])
      expect(await accepts(union, value)).toEqual(yes);
    for (const value of [{ a: "abcd" }, { a: true }, { name: "x", inner: [{ name: 1, inner: [] }] }])
      expect(await accepts(union, value)).toEqual(no);
  });

  test("reads its schemas as their draft, if all are of one", async () => {
    const beside = {
      ...old,
      $schema: draft7,
      properties: { a: { $ref: "#/definitions/short", maxLength: 1 } },
    };
    const union = unionOf([beside, { ...beside, required: ["b"] }].map(read));
    expect(await accepts(union, { a: "abc" })).toEqual(yes);
    expect(await accepts(union, { a: "abcd" })).toEqual(no);
    expect(unionOf([node, z.string()].map(read)).jsonSchema).not.toHaveProperty("$schema");
  });

  test("reports the issues of the schema that fits best", async () => {
    const union = unionOf(
      [z.object({ a: z.string(), b: z.string() }), z.object({ c: z.string(), d: z.int() })].map(read),
    );
    expect(await union.validate({ c: "x", d: "y" })).toMatchObject({ issues: [{ pointer: "/d" }] });
  });

  test("of one schema is that schema", () => {
    const only = read(defined);
    expect(unionOf([only])).toBe(only);
  });
});
