import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type JsonObject, ModelError } from "millrace";
import { writeSchema } from "#src/models/dialect/write-schema.js";
import { geminiSchema } from "#src/models/gemini/schema.js";

const written = (schema: JsonObject): JsonObject => writeSchema(schema, geminiSchema, "x");

describe("a schema is sent to Gemini", () => {
  test("unchanged, if Gemini supports all of it", () => {
    const schema: JsonObject = {
      type: "object",
      title: "Recipe",
      properties: {
        name: { type: ["string", "null"], description: "Of the dish", format: "date" },
        steps: { type: "array", items: { $ref: "#/$defs/step" }, minItems: 1, maxItems: 9 },
        size: { anyOf: [{ type: "integer", minimum: 1, maximum: 8 }, { enum: ["S", "L", 3] }] },
        pair: { type: "array", prefixItems: [{ type: "string" }] },
      },
      required: ["name"],
      additionalProperties: false,
      propertyOrdering: ["name", "steps"],
      $defs: { step: { type: "string" } },
    };
    expect(written(schema)).toEqual(schema);
  });

  const cases: readonly [name: string, schema: JsonObject, expected: JsonObject][] = [
    ["without annotations of this package", { type: "string", stream: "whole" }, { type: "string" }],
    [
      "without annotations",
      { $schema: "x", $comment: "y", type: "string", deprecated: true },
      { type: "string" },
    ],
    ["with const as an enum", { const: "a" }, { enum: ["a"] }],
    [
      "with the const true as a type",
      { const: true, description: "D" },
      { type: "boolean", description: "D (const: true)" },
    ],
    ["with the const null as a type", { type: "null", const: null }, { type: "null" }],
    [
      "with an enum of several types as a union",
      { type: ["string", "null", "boolean"], enum: ["a", 1, true, null] },
      {
        anyOf: [
          { type: "string", enum: ["a"] },
          { type: "number", enum: [1] },
          { type: "boolean", description: "(const: true)" },
          { type: "null" },
        ],
      },
    ],
    ["with true and false as boolean", { enum: [true, false] }, { type: "boolean" }],
    [
      "with exclusive bounds of integers as inclusive ones",
      { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 2.5 },
      { type: "integer", minimum: 1, maximum: 2 },
    ],
    [
      "with the narrower bound",
      { type: "integer", exclusiveMinimum: 0, minimum: 5 },
      { type: "integer", minimum: 5 },
    ],
    [
      "with unsupported keywords in the description",
      { type: "string", description: "A code.", pattern: "^[a-z]+$", minLength: 2, default: "ab" },
      { type: "string", description: 'A code. (pattern: "^[a-z]+$", minLength: 2, default: "ab")' },
    ],
    [
      "with exclusive bounds of numbers in the description",
      { type: "number", exclusiveMinimum: 0 },
      { type: "number", description: "(exclusiveMinimum: 0)" },
    ],
    [
      "with definitions as $defs",
      { $ref: "#/definitions/a", definitions: { a: { const: 1 } } },
      { $ref: "#/$defs/a", $defs: { a: { enum: [1] } } },
    ],
    [
      "with sibling keywords of a $ref",
      { $ref: "#/$defs/a", description: "D", $defs: { a: {} } },
      { anyOf: [{ $ref: "#/$defs/a" }], description: "D", $defs: { a: {} } },
    ],
    [
      "with allOf merged",
      {
        allOf: [
          { type: "object", properties: { a: {} }, required: ["a"] },
          { type: "object", properties: { b: {} }, required: ["b"] },
        ],
        description: "D",
      },
      { type: "object", properties: { a: {}, b: {} }, required: ["a", "b"], description: "D" },
    ],
    ["with tuples as prefixItems", { items: [{ type: "string" }] }, { prefixItems: [{ type: "string" }] }],
    [
      "with propertyNames omitted",
      { propertyNames: { type: "string" }, additionalProperties: { type: "number" } },
      { additionalProperties: { type: "number" } },
    ],
    [
      "with properties named like keywords",
      { properties: { not: { const: 1 }, stream: { type: "string" } } },
      { properties: { not: { enum: [1] }, stream: { type: "string" } } },
    ],
  ];
  test.each(cases)("%s", (_, schema, expected) => {
    expect(written(schema)).toEqual(expected);
  });

  test("that comes from Zod", () => {
    const schema = z.object({
      kind: z.literal("recipe"),
      email: z.email().optional(),
      stars: z.int().positive().max(5),
      tags: z.array(z.enum(["a", "b"])).nullable(),
      more: z.record(z.string(), z.number()),
      shape: z.discriminatedUnion("t", [z.object({ t: z.literal(1) }), z.object({ t: z.literal(2) })]),
    });
    expect(written(z.toJSONSchema(schema) as JsonObject)).toMatchObject({
      properties: {
        kind: { type: "string", enum: ["recipe"] },
        email: { format: "email", description: expect.stringContaining("pattern") as string },
        stars: { type: "integer", minimum: 1, maximum: 5 },
        more: { additionalProperties: { type: "number" } },
      },
      additionalProperties: false,
    });
  });
});

describe("an inexpressible schema is rejected with its place:", () => {
  const node = (required: string[]): JsonObject => ({
    $ref: "#/$defs/node",
    $defs: {
      node: {
        type: "object",
        properties: {
          children: { type: "array", items: { $ref: "#/$defs/node" } },
          next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] },
        },
        required,
      },
    },
  });
  const cases: readonly [name: string, schema: JsonObject, pointer: string][] = [
    ["not", { properties: { "a/b": { not: {} } } }, "/properties/a~1b/not"],
    ["if", { items: { if: {}, then: {} } }, "/items/if"],
    ["patternProperties", { patternProperties: {} }, "/patternProperties"],
    ["propertyNames with a pattern", { propertyNames: { pattern: "a" } }, "/propertyNames"],
    ["contains", { anyOf: [{}, { contains: {} }] }, "/anyOf/1/contains"],
    ["an object in an enum", { enum: [{}, 1] }, "/enum"],
    ["null in an enum beside a union", { enum: [1, null], anyOf: [] }, "/enum"],
    ["a contradicting allOf", { allOf: [{ type: "string" }, { type: "number" }] }, "/allOf/1/type"],
    [
      "allOf with two schemas for one property",
      { properties: { p: { type: "string" } }, allOf: [{ properties: { p: { type: "number" } } }] },
      "/allOf/0/properties/p",
    ],
    ["a $ref beside a union", { $ref: "#", anyOf: [], properties: {} }, "/$ref"],
    ["a $ref to another document", { items: { $ref: "https://example.com/a" } }, "/items/$ref"],
    ["a $ref to an unknown definition", { properties: { a: { $ref: "#/$defs/a" } } }, "/properties/a/$ref"],
    ["a $ref with a wrong escape", { items: { $ref: "#/$defs/a~b" } }, "/items/$ref"],
    ["a recursive required array", node(["children"]), "/$defs/node/properties/children/items/$ref"],
    ["a recursive required nullable property", node(["next"]), "/$defs/node/properties/next/anyOf/0/$ref"],
    ["itself", { $ref: "#" }, "/$ref"],
  ];
  test.each(cases)("%s", (_, schema, pointer) => {
    let error: unknown;
    try {
      written(schema);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ code: "invalid_request" });
    expect((error as Error).message).toContain(` ${pointer}, `);
  });

  test("a recursive optional property is accepted", () => {
    expect(written(node([]))).toEqual(node([]));
  });

  test("references below an optional property are checked", () => {
    const list = { type: "object", properties: { rest: { $ref: "#/$defs/list" } }, required: ["rest"] };
    expect(() => written({ properties: { a: { $ref: "#/$defs/list" } }, $defs: { list } })).toThrow(
      "at /$defs/list/properties/rest/$ref,",
    );
  });
});
