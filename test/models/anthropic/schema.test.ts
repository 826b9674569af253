import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { JsonObject } from "millrace";
import { schemaOf } from "millrace/schema";
import { sent } from "./support.js";

/** The schema that is sent. */
async function format(schema: JsonObject): Promise<JsonObject> {
  const { body } = await sent("Hi", { responseFormat: { name: "it", schema } });
  const { format } = body["output_config"] as { format: { schema: JsonObject } };
  const { title: _, ...strict } = format.schema;
  return strict;
}

async function parameters(schema: JsonObject, strict?: boolean): Promise<unknown> {
  const { body } = await sent("Hi", {
    tools: [{ name: "f", parameters: schema, ...(strict && { strict }) }],
  });
  return (body["tools"] as { input_schema: unknown }[])[0]?.input_schema;
}

describe("a schema is converted for structured outputs:", () => {
  test("every object is closed, and optional properties stay optional", async () => {
    const inner = { type: "object", properties: { b: { type: ["number", "null"] } } };
    expect(
      await format({ type: "object", properties: { a: { type: "array", items: inner } }, required: ["a"] }),
    ).toEqual({
      type: "object",
      properties: { a: { type: "array", items: { ...inner, additionalProperties: false } } },
      required: ["a"],
      additionalProperties: false,
    });
    expect(await format({ properties: {} })).toEqual({
      type: "object",
      properties: {},
      additionalProperties: false,
    });
  });

  test("unsupported keywords move to the description", async () => {
    expect(
      await format({
        type: "array",
        items: { type: "string", minLength: 2, description: "A name.", format: "colour" },
        minItems: 2,
        maxItems: 3,
        uniqueItems: true,
      }),
    ).toEqual({
      type: "array",
      items: { type: "string", description: 'A name. (minLength: 2, format: "colour")' },
      description: "(minItems: 2, maxItems: 3, uniqueItems: true)",
    });
  });

  test("supported keywords are kept", async () => {
    const schema = {
      type: "array",
      items: {
        anyOf: [
          { type: "string", format: "date" },
          { type: "string", pattern: "^[A-Z]{2}\\d+$" },
          { enum: ["a", 1, null] },
          { const: true },
          { type: "integer", default: 1, title: "N" },
        ],
      },
      minItems: 1,
    };
    expect(await format(schema)).toEqual(schema);
  });

  test.each(["(?=a)", "(?:a)", "a+?", "\\bword", "(a)\\1", "\\p{L}", "a{1000}", "a{1,500}"])(
    "the unsupported pattern %s moves to the description",
    async (pattern) => {
      expect(await format({ type: "string", pattern })).toEqual({
        type: "string",
        description: `(pattern: ${JSON.stringify(pattern)})`,
      });
    },
  );

  test("oneOf becomes anyOf, and allOf is merged", async () => {
    expect(await format({ oneOf: [{ type: "string" }, { type: "null" }] })).toEqual({
      anyOf: [{ type: "string" }, { type: "null" }],
    });
    const a = { type: "object", properties: { a: { type: "string" } }, required: ["a"], description: "A" };
    const b = { type: "object", properties: { b: { type: "string" } }, required: ["b"], description: "B" };
    expect(await format({ allOf: [a, b] })).toEqual({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      required: ["a", "b"],
      description: "A B",
      additionalProperties: false,
    });
    const c = { allOf: [{ properties: { c: { type: "null" } } }, { required: ["c"] }] };
    expect(await format({ ...a, unevaluatedProperties: false, allOf: [c] })).toEqual({
      ...a,
      properties: { a: { type: "string" }, c: { type: "null" } },
      required: ["a", "c"],
      additionalProperties: false,
    });
  });

  test("a $ref has no sibling keywords", async () => {
    const $defs = { n: { type: "number" } };
    expect(await format({ $ref: "#/$defs/n", $defs })).toEqual({ $ref: "#/$defs/n", $defs });
    expect(await format({ $ref: "#/$defs/n", description: "N", $defs })).toEqual({
      anyOf: [{ $ref: "#/$defs/n" }],
      description: "N",
      $defs,
    });
    expect(await format({ allOf: [{ $ref: "#/$defs/n" }], $defs })).toEqual({ $ref: "#/$defs/n", $defs });
  });

  test("schemas of Zod are supported", async () => {
    const schema = z.object({
      name: z.string().min(1).meta({ stream: "whole" }),
      age: z.int().optional(),
      mail: z.email(),
      kind: z.enum(["a", "b"]),
      at: z.iso.datetime(),
      both: z.intersection(z.object({ x: z.number() }), z.object({ y: z.number().max(3) })),
      one: z.discriminatedUnion("t", [z.object({ t: z.literal("p") }), z.object({ t: z.literal("q") })]),
    });
    expect(await format(schemaOf(schema).jsonSchema)).toEqual({
      type: "object",
      properties: {
        name: { type: "string", description: "(minLength: 1)" },
        age: { type: "integer" },
        mail: { type: "string", format: "email" },
        kind: { type: "string", enum: ["a", "b"] },
        at: { type: "string", format: "date-time" },
        both: {
          type: "object",
          properties: { x: { type: "number" }, y: { type: "number", description: "(maximum: 3)" } },
          required: ["x", "y"],
          additionalProperties: false,
        },
        one: {
          anyOf: ["p", "q"].map((t) => ({
            type: "object",
            properties: { t: { type: "string", const: t } },
            required: ["t"],
            additionalProperties: false,
          })),
        },
      },
      required: ["name", "mail", "kind", "at", "both", "one"],
      additionalProperties: false,
    });
  });
});

describe("an inexpressible schema is rejected with its place:", () => {
  const inside = (schema: JsonObject): JsonObject => ({ type: "object", properties: { "a/b": schema } });
  test.each<[string, JsonObject, string]>([
    [
      "a map",
      { type: "object", additionalProperties: { type: "string" } },
      "/properties/a~1b/additionalProperties",
    ],
    [
      "an open object",
      { type: "object", properties: {}, additionalProperties: true },
      "/properties/a~1b/additionalProperties",
    ],
    ["any object", { type: "object" }, "/properties/a~1b"],
    ["any value", { description: "x" }, "/properties/a~1b"],
    ["any element", { type: "array" }, "/properties/a~1b"],
    ["a tuple", { type: "array", prefixItems: [{ type: "string" }] }, "/properties/a~1b/prefixItems"],
    ["patternProperties", { type: "object", patternProperties: {} }, "/properties/a~1b/patternProperties"],
    ["a condition", { type: "string", if: { type: "string" } }, "/properties/a~1b/if"],
    ["an object in an enum", { enum: [{}] }, "/properties/a~1b/enum"],
    ["an array as const", { const: [] }, "/properties/a~1b/const"],
    [
      "anyOf and oneOf",
      { anyOf: [{ type: "string" }], oneOf: [{ type: "string" }] },
      "/properties/a~1b/oneOf",
    ],
    [
      "two different types",
      { allOf: [{ type: "string" }, { type: "number" }] },
      "/properties/a~1b/allOf/1/type",
    ],
    [
      "two schemas for one property",
      {
        allOf: [
          { type: "object", properties: { x: { type: "string" } } },
          { type: "object", properties: { x: { type: "number" } } },
        ],
      },
      "/properties/a~1b/allOf/1/properties/x",
    ],
    [
      "properties beside anyOf",
      { properties: { x: { type: "null" } }, anyOf: [{ properties: {} }] },
      "/properties/a~1b",
    ],
    [
      "a required property that is not defined",
      { properties: {}, required: ["x"] },
      "/properties/a~1b/required",
    ],
    ["a union with any value", { type: "string", anyOf: [{ minLength: 1 }] }, "/properties/a~1b/anyOf/0"],
    ["itself", { $ref: "#" }, "/properties/a~1b/$ref"],
    ["another document", { $ref: "https://example.com/a.json" }, "/properties/a~1b/$ref"],
    ["an unknown definition", { $ref: "#/$defs/none" }, "/properties/a~1b/$ref"],
    ["a $ref with a wrong escape", { $ref: "#/$defs/50~" }, "/properties/a~1b/$ref"],
  ])("%s", async (_, schema, pointer) => {
    await expect(format(inside(schema))).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining(` ${pointer}, `) as string,
    });
  });

  test("a circular reference with an encoded name", async () => {
    const $defs = { "a b/c": { type: "object", properties: { a: { $ref: "#/$defs/a%20b~1c" } } } };
    await expect(format({ $ref: "#/$defs/a%20b~1c", $defs })).rejects.toThrow(
      /at \/\$defs\/a b~1c\/properties\/a\/\$ref, the schema contains itself/,
    );
  });

  test("a circular reference", async () => {
    const circle = {
      $ref: "#/$defs/a",
      $defs: {
        a: { type: "object", properties: { b: { $ref: "#/$defs/b" } } },
        b: { type: "array", items: { $ref: "#/$defs/a" } },
        c: { $ref: "#/$defs/b" },
      },
    };
    await expect(format(circle)).rejects.toThrow(/ \/\$defs\/a\/properties\/b\/\$ref, /);
  });

  test("a circular reference behind many others", async () => {
    const names = Array.from({ length: 1_000 }, (_, i) => `d${i}`);
    const $defs = Object.fromEntries(
      names.map((name, i) => [name, { type: "array", items: { $ref: `#/$defs/d${Math.min(i + 1, 999)}` } }]),
    );
    await expect(format({ $ref: "#/$defs/d0", $defs })).rejects.toThrow(/ \/\$defs\/d999\/items\/\$ref, /);
    $defs["d999"] = { type: "array", items: { type: "string" } } as never;
    await expect(format({ $ref: "#/$defs/d0", $defs })).resolves.toBeDefined();
  });

  test("a $ref beside another type", async () => {
    const schema = {
      $ref: "#/$defs/a",
      properties: { b: { type: "null" } },
      $defs: { a: { properties: {} } },
    };
    await expect(format(schema)).rejects.toThrow(/at \/\$ref, .*properties/);
  });

  test("a property with any value", async () => {
    const schema = { type: "object", properties: { any: true } };
    await expect(format(schema)).rejects.toThrow(/at \/properties\/any, /);
  });
});

describe("the schema of a tool", () => {
  test("is sent without annotations of this package, as an object", async () => {
    const schema = {
      properties: { a: { type: "string", minLength: 1, stream: "whole" } },
      additionalProperties: true,
    };
    expect(await parameters(schema)).toEqual({
      type: "object",
      properties: { a: { type: "string", minLength: 1 } },
      additionalProperties: true,
    });
  });

  test("can be strict", async () => {
    const schema = { type: "object", properties: { a: { type: "string", minLength: 1 } } };
    expect(await parameters(schema, true)).toEqual({
      type: "object",
      properties: { a: { type: "string", description: "(minLength: 1)" } },
      additionalProperties: false,
    });
    const { body } = await sent("Hi", { tools: [{ name: "f", parameters: schema, strict: true }] });
    expect(body["tools"]).toMatchObject([{ strict: true }]);
  });

  test("is the referenced definition if it is only a $ref", async () => {
    const $defs = { tree: { type: "object", properties: { leaf: { $ref: "#/$defs/tree" } } } };
    expect(await parameters({ $ref: "#/$defs/tree", $defs })).toEqual({ ...$defs.tree, $defs });
  });

  test("is the definition with a percent-encoded name", async () => {
    const $defs = { "Pair<A>": { type: "object", properties: { a: { type: "string" } } } };
    expect(await parameters({ $ref: "#/$defs/Pair%3CA%3E", $defs })).toEqual({ ...$defs["Pair<A>"], $defs });
  });

  test.each<[JsonObject, string]>([
    [{ anyOf: [{ type: "object" }] }, "/anyOf"],
    [{ type: "object", allOf: [{ type: "array" }] }, "/allOf/0/type"],
    [{ type: "string" }, "/type"],
  ])("is rejected if it is not an object: %j", async (schema, pointer) => {
    for (const strict of [false, true]) {
      await expect(parameters(schema, strict)).rejects.toMatchObject({
        code: "invalid_request",
        message: expect.stringMatching(`"f".* at ${pointer}, `) as string,
      });
    }
  });
});
