import { describe, expect, test } from "vitest";
import { type JsonObject, ModelError } from "millrace";
import { schemaOf } from "millrace/schema";
import { writeSchema } from "#src/models/dialect/write-schema.js";
import { openAIStrict } from "#src/models/openai/schema.js";
import { z } from "zod";

function toOpenAIStrictSchema(schema: JsonObject, subject: string): JsonObject {
  return writeSchema(schema, openAIStrict, subject);
}

/** The converted schema of a required property. */
function inside(schema: JsonObject): unknown {
  const strict = toOpenAIStrictSchema(
    { type: "object", properties: { a: schema }, required: ["a"], $defs: { D: { type: "string" } } },
    "x",
  );
  return (strict["properties"] as JsonObject)["a"];
}

/** The converted schema of an optional property. */
function optional(schema: JsonObject): unknown {
  const strict = toOpenAIStrictSchema({ type: "object", properties: { a: schema } }, "x");
  expect(strict["required"]).toEqual(["a"]);
  return (strict["properties"] as JsonObject)["a"];
}

function problemOf(schema: JsonObject): string {
  try {
    toOpenAIStrictSchema(schema, 'the tool "t"');
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    expect(error.code).toBe("invalid_request");
    return error.message;
  }
  throw new Error("expected an error");
}

describe("every object", () => {
  test("is closed and requires all its properties at any depth", () => {
    const point = { type: "object", properties: { x: { type: "number" }, y: { type: "number" } } };
    const strict = {
      type: "object",
      properties: { x: { type: ["number", "null"] }, y: { type: ["number", "null"] } },
      required: ["x", "y"],
      additionalProperties: false,
    };
    expect(
      toOpenAIStrictSchema(
        {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          title: "Path",
          type: "object",
          properties: {
            points: { type: "array", items: point },
            start: { $ref: "#/$defs/P" },
            end: { anyOf: [point, { type: "null" }] },
          },
          required: ["points", "start", "end"],
          $defs: { P: point },
        },
        "x",
      ),
    ).toEqual({
      title: "Path",
      type: "object",
      properties: {
        points: { type: "array", items: strict },
        start: { $ref: "#/$defs/P" },
        end: { anyOf: [strict, { type: "null" }] },
      },
      required: ["points", "start", "end"],
      additionalProperties: false,
      $defs: { P: strict },
    });
  });

  test("may be empty", () => {
    const empty = { type: "object", properties: {}, required: [], additionalProperties: false };
    expect(toOpenAIStrictSchema({ type: "object", additionalProperties: false }, "x")).toEqual(empty);
    expect(toOpenAIStrictSchema({ type: "object", properties: {} }, "x")).toEqual(empty);
    expect(toOpenAIStrictSchema({ properties: {} }, "x")).toEqual(empty);
  });

  test("the input schema is not modified", () => {
    const schema = Object.freeze({ type: "object", properties: Object.freeze({ a: { type: "string" } }) });
    toOpenAIStrictSchema(schema, "x");
    expect(schema).toEqual({ type: "object", properties: { a: { type: "string" } } });
  });
});

describe("optional properties become nullable:", () => {
  const withNull = { type: "null" };
  test.each([
    ["a type", { type: "string" }, { type: ["string", "null"] }],
    ["types", { type: ["string", "number"] }, { type: ["string", "number", "null"] }],
    ["null already", { type: ["string", "null"] }, { type: ["string", "null"] }],
    ["an enum", { enum: ["a"] }, { anyOf: [{ enum: ["a"], type: "string" }, withNull] }],
    ["an enum with null", { enum: ["a", null] }, { enum: ["a", null], type: ["string", "null"] }],
    ["a const", { const: 1 }, { anyOf: [{ const: 1, type: "number" }, withNull] }],
    ["a const of null", { const: null }, { const: null, type: "null" }],
    [
      "a union",
      { anyOf: [{ type: "string" }, { type: "number" }] },
      { anyOf: [{ type: "string" }, { type: "number" }, withNull] },
    ],
    [
      "a union with null",
      { anyOf: [{ type: "string" }, withNull] },
      { anyOf: [{ type: "string" }, withNull] },
    ],
    ["a reference", { $ref: "#" }, { anyOf: [{ $ref: "#" }, withNull] }],
    ["an array", { items: { type: "string" } }, { items: { type: "string" }, type: ["array", "null"] }],
  ])("%s", (_, schema, expected) => {
    expect(optional(schema)).toEqual(expected);
  });
});

describe("a keyword that strict mode does not support", () => {
  test("moves to the description", () => {
    expect(inside({ type: "string", description: "Its name.", minLength: 3, maxLength: 9 })).toEqual({
      type: "string",
      description: "Its name. (minLength: 3, maxLength: 9)",
    });
    expect(inside({ type: "string", default: "a", format: "uri" })).toEqual({
      type: "string",
      description: '(default: "a", format: "uri")',
    });
  });

  test("is dropped if it is an annotation or an option of this package", () => {
    expect(inside({ type: "string", $comment: "x", deprecated: true, stream: "whole" })).toEqual({
      type: "string",
    });
    expect(
      inside({
        type: "object",
        properties: {},
        propertyNames: { pattern: "a" },
        unevaluatedProperties: false,
      }),
    ).toEqual({ type: "object", properties: {}, required: [], additionalProperties: false });
  });

  test("and supported keywords are kept", () => {
    const number = { type: "number", minimum: 1, exclusiveMaximum: 9, multipleOf: 2 };
    const list = { type: "array", items: number, minItems: 1, maxItems: 3 };
    expect(inside(list)).toEqual(list);
    expect(inside({ type: "string", pattern: "^a+$" })).toEqual({ type: "string", pattern: "^a+$" });
    expect(inside({ type: "string", format: "date-time" })).toEqual({ type: "string", format: "date-time" });
  });

  test("a pattern with lookaround moves to the description, or is covered by its format", () => {
    expect(inside({ type: "string", pattern: "^(?!a)" })).toEqual({
      type: "string",
      description: '(pattern: "^(?!a)")',
    });
    expect(inside({ type: "string", format: "email", pattern: "^(?!\\.)" })).toEqual({
      type: "string",
      format: "email",
    });
  });

  test("oneOf becomes anyOf", () => {
    expect(inside({ oneOf: [{ type: "string" }, { type: "number" }] })).toEqual({
      anyOf: [{ type: "string" }, { type: "number" }],
    });
  });

  test("a $ref has no sibling keywords", () => {
    expect(inside({ $ref: "#/$defs/D", description: "d" })).toEqual({
      description: "d",
      anyOf: [{ $ref: "#/$defs/D" }],
    });
    expect(inside({ allOf: [{ $ref: "#/$defs/D" }], default: 1 })).toEqual({
      description: "(default: 1)",
      anyOf: [{ $ref: "#/$defs/D" }],
    });
  });

  test("allOf is merged into one schema", () => {
    const { jsonSchema } = schemaOf(
      z.object({ both: z.object({ a: z.string() }).and(z.object({ b: z.number().optional() })) }),
    );
    expect((toOpenAIStrictSchema(jsonSchema, "x")["properties"] as JsonObject)["both"]).toEqual({
      type: "object",
      properties: { a: { type: "string" }, b: { type: ["number", "null"] } },
      required: ["a", "b"],
      additionalProperties: false,
    });
    expect(
      inside({ type: "object", properties: { a: { type: "string" } }, allOf: [{ required: ["a"] }] }),
    ).toEqual({
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      additionalProperties: false,
    });
    expect(
      inside({
        type: "number",
        allOf: [
          { type: "number", minimum: 1 },
          { type: "number", maximum: 2 },
        ],
      }),
    ).toEqual({ type: "number", minimum: 1, maximum: 2 });
  });
});

test("a recursive Zod schema has its object at the root", () => {
  const node = z.object({
    name: z.string(),
    get children() {
      return z.array(node);
    },
  });
  expect(toOpenAIStrictSchema(schemaOf(node).jsonSchema, "x")).toMatchObject({
    type: "object",
    properties: { children: { type: "array", items: { $ref: "#" } } },
    required: ["name", "children"],
  });
  const tree = { type: "object", properties: { next: { $ref: "#/$defs/T" } }, required: ["next"] };
  expect(toOpenAIStrictSchema({ $ref: "#/$defs/T", $defs: { T: tree } }, "x")).toMatchObject({
    type: "object",
    properties: { next: { $ref: "#/$defs/T" } },
    $defs: { T: { additionalProperties: false } },
  });
});

test("a root that extends a definition has the properties of both", () => {
  const $defs = { A: { type: "object", properties: { a: { type: "string" } }, required: ["a"] } };
  const schema = { $ref: "#/$defs/A", properties: { b: { type: "string" } }, required: ["b"], $defs };
  expect(toOpenAIStrictSchema(schema, "x")).toMatchObject({
    type: "object",
    properties: { a: { type: "string" }, b: { type: "string" } },
    required: ["a", "b"],
  });
});

describe("a $ref outside the definitions keeps its meaning:", () => {
  const street = { type: "object", properties: { street: { type: "string" } }, required: ["street"] };
  const strict = { ...street, additionalProperties: false };

  test.each<[string, JsonObject, JsonObject, string]>([
    ["to an optional property", { billing: street }, strict, "properties/billing"],
    [
      "to a part of a oneOf",
      { billing: { oneOf: [street, { type: "string" }] } },
      strict,
      "properties/billing/oneOf/0",
    ],
    ["to a part of an allOf", { billing: { allOf: [street] } }, strict, "properties/billing/allOf/0"],
    ["to an escaped name", { "a/b~ c": street }, strict, "properties/a~1b~0%20c"],
    ["to a part of a definition", {}, { type: "string" }, "$defs/A/properties/street"],
  ])("%s", (_, properties, target, pointer) => {
    const schema = {
      type: "object",
      properties: { ...properties, shipping: { $ref: `#/${pointer}` } },
      required: ["shipping"],
      $defs: { A: street, properties_billing: { type: "null" } },
    };
    const { properties: sent, $defs } = toOpenAIStrictSchema(schema, "x") as Record<string, JsonObject>;
    const { $ref } = sent!["shipping"] as { $ref: string };
    expect($ref).toMatch(/^#\/\$defs\/[\w-]+$/);
    expect($defs![$ref.slice("#/$defs/".length)]).toEqual(target);
    expect($defs).toMatchObject({ A: strict, properties_billing: { type: "null" } });
  });

  test("to a schema that contains itself", () => {
    const next = { type: "object", properties: { next: { $ref: "#/properties/list" } } };
    const list = {
      type: "object",
      properties: { next: { anyOf: [{ $ref: "#/$defs/properties_list" }, { type: "null" }] } },
      required: ["next"],
      additionalProperties: false,
    };
    expect(
      toOpenAIStrictSchema({ type: "object", properties: { list: next }, required: ["list"] }, "x"),
    ).toMatchObject({ properties: { list }, $defs: { properties_list: list } });
  });

  test("below a root that is only a $ref", () => {
    const definitions = {
      "Pair<A>": {
        type: "object",
        properties: { a: street, b: { $ref: "#/definitions/Pair%3CA%3E/properties/a" } },
      },
    };
    expect(toOpenAIStrictSchema({ $ref: "#/definitions/Pair%3CA%3E", definitions }, "x")).toMatchObject({
      type: "object",
      properties: { b: { anyOf: [{ $ref: "#/$defs/definitions_Pair_A__properties_a" }, { type: "null" }] } },
      $defs: { definitions_Pair_A__properties_a: strict },
    });
  });
});

describe("an inexpressible schema raises an error with its place:", () => {
  const object = (a: JsonObject): JsonObject => ({ type: "object", properties: { a } });
  test.each([
    ["a string at the root", { type: "string" }, "its root"],
    ["a union at the root", { anyOf: [object({ type: "string" })] }, "its root"],
    ["a $ref to an unknown definition at the root", { $ref: "#/$defs/A" }, "its root"],
    ["anything", {}, "its root"],
    ["a $ref to nothing", object({ $ref: "#/properties/b" }), "/properties/a/$ref"],
    ["a $ref with a wrong escape", object({ $ref: "#/$defs/50~" }), "/properties/a/$ref"],
    ["any value, nested", object({}), "/properties/a"],
    ["any value, as true", { type: "object", properties: { a: true } }, "/properties/a"],
    ["no value, as false", { type: "object", properties: { a: false } }, "/properties/a"],
    ["any object", object({ type: "object" }), "/properties/a"],
    [
      "a record",
      object(schemaOf(z.record(z.string(), z.number())).jsonSchema),
      "/properties/a/additionalProperties",
    ],
    [
      "an open object",
      { ...object({ type: "string" }), additionalProperties: true },
      "/additionalProperties",
    ],
    [
      "patternProperties",
      object({ type: "object", patternProperties: { "^a": { type: "string" } } }),
      "/properties/a/patternProperties",
    ],
    ["a tuple", object(schemaOf(z.tuple([z.string()])).jsonSchema), "/properties/a/prefixItems"],
    ["an array of anything", object({ type: "array" }), "/properties/a"],
    ["not", object({ type: "string", not: { const: "a" } }), "/properties/a/not"],
    ["if", object({ type: "string", if: { const: "a" } }), "/properties/a/if"],
    [
      "anyOf and oneOf",
      object({ anyOf: [{ type: "string" }], oneOf: [{ type: "string" }] }),
      "/properties/a/oneOf",
    ],
    [
      "an allOf that contradicts itself",
      object({ type: "string", allOf: [{ type: "number" }] }),
      "/properties/a/allOf/0/type",
    ],
    [
      "a property with two schemas",
      object({
        allOf: [
          { type: "object", properties: { "b/c": { type: "string" } } },
          { type: "object", properties: { "b/c": { type: "number" } } },
        ],
      }),
      "/properties/a/allOf/1/properties/b~1c",
    ],
    [
      "a $ref with more properties",
      object({ allOf: [{ $ref: "#" }, { type: "object", properties: {} }] }),
      "/properties/a/$ref",
    ],
    ["properties beside a $ref", object({ $ref: "#", properties: {} }), "/properties/a/$ref"],
    ["an anyOf beside a $ref", object({ $ref: "#", anyOf: [{ type: "null" }] }), "/properties/a/$ref"],
    [
      "a required property that is not defined",
      { type: "object", properties: {}, required: ["a"] },
      "/required",
    ],
  ] as const)("%s", (_, schema, place) => {
    const message = problemOf(schema as JsonObject);
    expect(message).toContain(`strict mode: at ${place},`);
    expect(message).toMatch(/"t".* strict: false/);
  });
});

describe("a schema that is too large is rejected:", () => {
  const fields = (count: number): JsonObject => ({
    type: "object",
    properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { type: "string" }])),
  });
  const nested = (levels: number): JsonObject =>
    levels === 0
      ? { type: "string" }
      : { type: "object", properties: { a: { type: "array", items: nested(levels - 1) } } };
  const choice = (...values: string[]): JsonObject => ({
    type: "object",
    properties: { a: { enum: values } },
  });
  const words = (count: number, length: number): string[] =>
    Array.from({ length: count }, (_, i) => String(i).padStart(length, "x"));

  test.each([
    ["properties", fields(5_000), fields(5_001), /5001 properties, but no more than 5000/],
    ["nested levels", nested(11), nested(12), /11 levels of nesting, but no more than 10/],
    ["enum values", choice(...words(1_000, 4)), choice(...words(1_001, 4)), /1001 enum values/],
    [
      "characters in a long enum",
      choice(...words(300, 50)),
      choice(...words(300, 51)),
      /at \/properties\/a\/enum, an enum of more than 250 values may have 15000 characters, but this one has 15300/,
    ],
    [
      "characters in all",
      choice(...words(200, 599)),
      choice(...words(200, 600)),
      /120001 characters in names and values/,
    ],
  ])("%s", (_, most, more, problem) => {
    expect(() => toOpenAIStrictSchema(most, "x")).not.toThrow();
    expect(problemOf(more)).toMatch(problem);
  });
});

test("a value of the strict schema is valid for the original schema, except for nulls", async () => {
  const schema = schemaOf(
    z.object({
      name: z.string().min(2),
      tags: z.array(z.enum(["a", "b"])).max(3),
      kind: z.discriminatedUnion("type", [
        z.object({ type: z.literal("x"), at: z.iso.date() }),
        z.object({ type: z.literal("y"), n: z.int() }),
      ]),
      note: z.string().nullish(),
    }),
  );
  const strict = schemaOf(toOpenAIStrictSchema(schema.jsonSchema, "x"));
  const answers = [
    { name: "ab", tags: ["a"], kind: { type: "x", at: "2026-01-02" }, note: null },
    { name: "ab", tags: [], kind: { type: "y", n: 1 }, note: "n" },
  ];
  for (const answer of answers) {
    expect(await strict.validate(answer)).not.toHaveProperty("issues");
    expect(await schema.validate(answer)).not.toHaveProperty("issues");
  }
  expect(await strict.validate({ ...answers[0], more: 1 })).toHaveProperty("issues");
});
