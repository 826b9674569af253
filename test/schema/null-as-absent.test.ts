import { collect, from, jsonParser, OutputParserError, pipe } from "millrace";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const person = z.object({
  name: z.string(),
  email: z.email().optional(),
  nick: z.string().nullable().optional(),
  age: z.int().default(30),
  home: z.object({ street: z.string().optional(), zip: z.string() }).optional(),
  friends: z.array(z.union([z.object({ id: z.number().optional() }).strict(), z.string()])).optional(),
});
/** As plain data, because the JSON Schema of Zod is a Standard Schema too. */
const jsonSchema = JSON.parse(JSON.stringify(z.toJSONSchema(person, { io: "input" }))) as object;

async function finals(schema: object, text: string): Promise<unknown> {
  const parser = jsonParser(schema as typeof person, { nullAsAbsent: true });
  const whole = parser.parse(text);
  // The guard must accept what the check accepts.
  for (const size of [1, 7, text.length]) {
    const pieces = text.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];
    expect(await collect(pipe(from(pieces), parser.final))).toEqual([whole]);
  }
  return whole;
}

describe("with nullAsAbsent", () => {
  const text =
    '{"name":"Ada","email":null,"age":null,"home":{"street":null,"zip":"1"},"friends":[{"id":null},"x"]}';

  test("null counts as an absent optional property", async () => {
    expect(await finals(person, text)).toEqual({
      name: "Ada",
      age: 30,
      home: { zip: "1" },
      friends: [{}, "x"],
    });
    expect(await finals(jsonSchema, text)).toEqual({ name: "Ada", home: { zip: "1" }, friends: [{}, "x"] });
  });

  test("partial values have no null that the schema does not allow, and patches add none", async () => {
    const parser = jsonParser(person, { nullAsAbsent: true });
    for (const partial of await collect(pipe(from(Array.from(text)), parser.stream)))
      expect(JSON.stringify(partial)).not.toContain("null");
    const operations = (await collect(pipe(from(Array.from(text)), parser.patches))).flat();
    expect(operations.filter((it) => "value" in it && it.value === null)).toEqual([]);
  });

  test("a null that the schema allows is kept", async () => {
    expect(await finals(person, '{"name":"Ada","nick":null}')).toMatchObject({ nick: null });
  });

  test("a null that the schema does not allow is reported as null", async () => {
    const parser = jsonParser(person, { nullAsAbsent: true });
    for (const wrong of ['{"name":null}', '{"name":"Ada","email":null,"home":{"zip":null}}']) {
      await expect(collect(pipe(from([wrong]), parser.final))).rejects.toThrow(OutputParserError);
      expect(() => parser.parse(wrong)).toThrow(/null/);
    }
  });

  test("without the option and without coercion null is an error", () => {
    expect(() => jsonParser(person, { coerce: false }).parse(text)).toThrow(OutputParserError);
  });

  test("asynchronous schemas are called twice too", async () => {
    const slow = z.object({ a: z.string().optional() }).refine(async () => Promise.resolve(true));
    const parser = jsonParser(slow, { nullAsAbsent: true });
    expect(await collect(pipe(from(['{"a":null}']), parser.final))).toEqual([{}]);
  });

  /** Each accepts `x` as null, or `y` as absent, but not both. */
  const [a, b] = [
    z.strictObject({ k: z.literal("a"), x: z.string().nullable(), y: z.string().optional() }),
    z.strictObject({ k: z.literal("b"), x: z.string().optional(), y: z.string().nullable() }),
  ];
  const unions: readonly { readonly name: string; readonly schema: object }[] = [
    { name: "union()", schema: z.union([a, b]) },
    { name: "union(), the other way around", schema: z.union([b, a]) },
    { name: "discriminatedUnion()", schema: z.discriminatedUnion("k", [a, b]) },
    { name: "a pipe", schema: z.union([a, b]).transform((it) => it) },
    {
      name: "anyOf",
      schema: { anyOf: [a, b].map((it) => JSON.parse(JSON.stringify(z.toJSONSchema(it))) as object) },
    },
    {
      name: "oneOf with rules that nulls break",
      schema: {
        oneOf: [
          {
            properties: { k: { const: "a" }, x: { type: ["string", "null"] }, y: { type: "string" } },
            required: ["k", "x"],
            maxProperties: 2,
            not: { required: ["y"] },
          },
          {
            properties: { k: { const: "b" }, x: { type: "string" }, y: { type: ["string", "null"] } },
            required: ["k", "y"],
            maxProperties: 2,
            dependentRequired: { x: ["z"] },
          },
        ],
      },
    },
  ];
  test.each(unions)("each member of a union decides which nulls it allows: $name", async ({ schema }) => {
    expect(await finals(schema, '{"k": "a", "x": null, "y": null}')).toEqual({ k: "a", x: null });
    expect(await finals(schema, '{"k": "b", "x": null, "y": null}')).toEqual({ k: "b", y: null });
    const list = { type: "array", items: schema };
    if (!("_zod" in schema))
      expect(await finals(list, '[{"k": "b", "x": null, "y": null}]')).toEqual([{ k: "b", y: null }]);
  });

  test("an issue of the whole object removes no null that the schema allows", async () => {
    const schema = z.union([
      z.strictObject({ a: z.string().nullish(), b: z.string().optional(), c: z.array(z.null()) }),
      z.string(),
    ]);
    expect(await finals(schema, '{"a": null, "b": null, "c": [null]}')).toEqual({ a: null, c: [null] });
    const refined = z
      .object({ a: z.string().nullish(), b: z.string().optional() })
      .refine((it) => it.a !== null, { path: ["a"] });
    expect(() => jsonParser(refined, { nullAsAbsent: true }).parse('{"a": null, "b": null}')).toThrow(
      OutputParserError,
    );
  });

  test("a null counts as absent where only the library knows the rules", async () => {
    const schema = z.object({ a: z.preprocess((x) => x, z.string().optional()), b: z.string().optional() });
    expect(await finals(schema, '{"a": null, "b": null}')).toEqual({});
  });

  test("null counts as an absent member that has no name in the schema", async () => {
    const schema = {
      additionalProperties: { type: "string" },
      patternProperties: { "^x": { type: "number" } },
    };
    expect(await finals(schema, '{"a": "", "b": null, "x": null}')).toEqual({ a: "" });
  });

  test("__proto__ is a member like any other", async () => {
    const schema = JSON.parse(
      '{"properties": {"__proto__": {"type": "string"}, "a": {"type": "null"}}}',
    ) as object;
    expect(await finals(schema, '{"__proto__": null, "a": null}')).toEqual({ a: null });
  });

  test("a document nested deeper than it looks keeps its nulls, and is checked", () => {
    const schema = {
      $defs: { t: { properties: { t: { $ref: "#/$defs/t" }, x: { type: "string" } } } },
      $ref: "#/$defs/t",
    };
    const parser = jsonParser(schema, { nullAsAbsent: true, maxDepth: 100_000, guard: false });
    const nested = (depth: number): string => `${'{"t": '.repeat(depth)}{"x": null}${"}".repeat(depth)}`;
    expect(JSON.stringify(parser.parse(nested(900)))).not.toContain("null");
    expect(() => parser.parse(nested(5_000))).toThrow(OutputParserError);
  });
});
