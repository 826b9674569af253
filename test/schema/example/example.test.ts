import type { JsonValue } from "millrace";
import { schemaOf, type SchemaInput } from "millrace/schema";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { exampleOf } from "#src/schema/example/example.js";

function example(input: SchemaInput): JsonValue | undefined {
  return exampleOf(schemaOf(input));
}

describe("an example of", () => {
  const values: readonly { name: string; schema: SchemaInput; value: JsonValue }[] = [
    {
      name: "an object includes optional members",
      schema: z.object({ name: z.string(), stars: z.int().optional() }),
      value: { name: "text", stars: 1 },
    },
    {
      name: "an object omits optional members that have no valid example",
      schema: { properties: { a: { type: "string" }, b: {} }, required: ["a"], not: { required: ["b"] } },
      value: { a: "text" },
    },
    {
      name: "an object whose required members have no schema",
      schema: { type: "object", required: ["a"], additionalProperties: { type: "number" } },
      value: { a: 1 },
    },
    { name: "an object of any kind", schema: { type: "object" }, value: {} },
    { name: "a record", schema: z.record(z.string(), z.boolean()), value: { key: true } },
    { name: "a record of named keys", schema: z.record(z.enum(["x", "y"]), z.int()), value: { x: 1, y: 1 } },
    {
      name: "a member called __proto__",
      schema: { type: "object", properties: JSON.parse('{"__proto__": {"type": "null"}}') as object },
      value: JSON.parse('{"__proto__": null}') as JsonValue,
    },
    { name: "an array", schema: z.array(z.string()), value: ["text"] },
    { name: "an array with a minimum", schema: z.array(z.int()).min(3), value: [1, 1, 1] },
    { name: "an array that must be empty", schema: z.array(z.int()).max(0), value: [] },
    { name: "an array whose items have no example", schema: z.array(z.string().regex(/^x$/)), value: [] },
    { name: "a tuple", schema: z.tuple([z.string(), z.int()]), value: ["text", 1] },
    {
      name: "a tuple of draft-07",
      schema: {
        $schema: "http://json-schema.org/draft-07/schema#",
        type: "array",
        items: [{ type: "null" }, { type: "boolean" }],
      },
      value: [null, true],
    },
    { name: "a string with bounds", schema: z.string().min(5).max(6), value: "textte" },
    { name: "a short string", schema: z.string().max(2), value: "te" },
    { name: "a format", schema: z.iso.date(), value: "2026-01-31" },
    { name: "an email address", schema: z.email(), value: "ada@example.com" },
    { name: "a pattern that the text matches", schema: z.string().regex(/^[a-z]+$/), value: "text" },
    { name: "an integer with a minimum", schema: z.int().min(7), value: 7 },
    { name: "a number with a maximum below 1", schema: z.number().max(-2), value: -2 },
    { name: "a number between two others", schema: z.number().gt(0).lt(1), value: 0.5 },
    { name: "a multiple", schema: z.number().multipleOf(5).min(7), value: 10 },
    { name: "a number above another", schema: z.int().gt(4), value: 5 },
    { name: "the number below another", schema: z.int().lt(1).gt(-2), value: 0 },
    { name: "a literal", schema: z.literal("tea"), value: "tea" },
    { name: "an enum", schema: z.enum(["tea", "milk"]), value: "tea" },
    { name: "null", schema: z.null(), value: null },
    { name: "a boolean", schema: z.boolean(), value: true },
    { name: "an integer without a minimum", schema: z.int().lt(0), value: -1 },
    { name: "what may be null", schema: { anyOf: [{ type: "null" }, { type: "string" }] }, value: "text" },
    { name: "a union", schema: z.union([z.int(), z.string()]), value: 1 },
    {
      name: "a union whose first member has no example",
      schema: z.union([z.string().regex(/^x$/), z.int()]),
      value: 1,
    },
    {
      name: "an object of an alternative, with its members",
      schema: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("a"), a: z.int() }),
        z.object({ kind: z.literal("b"), b: z.int() }),
      ]),
      value: { kind: "a", a: 1 },
    },
    {
      name: "an object of the second alternative, if the first has no example",
      schema: z.union([
        z.object({ a: z.int(), b: z.string().regex(/^x$/) }),
        z.object({ a: z.string(), b: z.int() }),
      ]),
      value: { a: "text", b: 1 },
    },
    {
      name: "an intersection",
      schema: z.intersection(z.object({ a: z.string() }), z.object({ b: z.int() })),
      value: { a: "text", b: 1 },
    },
    { name: "anything", schema: z.any(), value: "text" },
    { name: "the input of a transform", schema: z.string().transform((it) => it.length), value: "text" },
    {
      name: "a reference",
      schema: { $defs: { n: { examples: [42] } }, properties: { n: { $ref: "#/$defs/n" } } },
      value: { n: 42 },
    },
  ];
  test.each(values)("$name", ({ schema, value }) => {
    expect(example(schema)).toEqual(value);
  });

  test("recursion ends as early as possible", () => {
    const node: z.ZodType = z.lazy(() =>
      z.object({ value: z.int(), next: node.nullable(), children: z.array(node), same: node.optional() }),
    );
    expect(example(node)).toEqual({ value: 1, next: null, children: [] });
  });
});

describe("an example is taken from", () => {
  test("the examples of the schema, at any place", () => {
    const name = z.string().meta({ examples: ["Ada", "Grace"] });
    expect(example(z.object({ name, tags: z.array(z.string()).meta({ examples: [["a", "b"]] }) }))).toEqual({
      ...{ name: "Ada", tags: ["a", "b"] },
    });
    expect(
      example(
        z
          .string()
          .regex(/^[A-Z]{3}$/)
          .meta({ examples: ["ABC"] }),
      ),
    ).toBe("ABC");
    expect(example({ type: "integer", examples: ["one", 1.5, 3] })).toBe(3);
  });

  test("a default that is not empty", () => {
    expect(example(z.string().default("tea"))).toBe("tea");
    expect(example(z.int().default(0))).toBe(0);
    expect(example(z.boolean().default(false))).toBe(false);
    expect(example(z.string().default(""))).toBe("text");
    expect(example(z.array(z.int()).default([]))).toEqual([1]);
    expect(example(z.int().nullable().default(null))).toBe(1);
    expect(example({ enum: ["a", "b"], default: "b", examples: ["c"] })).toBe("a");
  });
});

describe("there is no example", () => {
  const none: readonly { name: string; schema: SchemaInput }[] = [
    { name: "for a pattern without one", schema: z.string().regex(/^[A-Z]{3}$/) },
    { name: "for an object that requires such a string", schema: z.object({ a: z.string().regex(/^x$/) }) },
    { name: "for an array that requires one", schema: z.array(z.string().regex(/^x$/)).min(1) },
    { name: "that the schema's own check accepts", schema: z.string().refine(() => false) },
    { name: "that its transform accepts", schema: z.string().transform((it): unknown => JSON.parse(it)) },
    {
      name: "for an asynchronous check",
      schema: z.string().refine(() => Promise.resolve(true)),
    },
    {
      name: "for a schema that no value satisfies",
      schema: { type: "object", required: ["a"], properties: { a: false } },
    },
    { name: "for unlimited recursion", schema: { properties: { a: { $ref: "#" } }, required: ["a"] } },
    { name: "for an invalid schema", schema: { $ref: "#/nowhere" } },
    { name: "that is small enough", schema: z.array(z.int()).min(1_000_000) },
    { name: "that is short enough", schema: z.string().min(1_000_000) },
  ];
  test.each(none)("$name", ({ schema }) => {
    expect(example(schema)).toBeUndefined();
  });
});
