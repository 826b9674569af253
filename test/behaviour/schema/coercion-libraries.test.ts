import { type } from "arktype";
import { collect, from, type JsonOutputParser, jsonParser, OutputParserError, pipe } from "millrace";
import type { JsonCoercion } from "millrace/json";
import type { SchemaInput } from "millrace/schema";
import { everyCut, fixedSizes } from "millrace/testing";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const colours = ["red", "dark red", "blue"] as const;

/** The same schema in each library. */
const schemas: readonly (readonly [library: string, schema: SchemaInput])[] = [
  [
    "Zod",
    z.object({
      price: z.number(),
      stock: z.int(),
      sold_out: z.boolean(),
      colour: z.enum(colours),
      tags: z.array(z.string()),
      parts: z.array(z.object({ name: z.string(), weight: z.number() })),
      maker: z.object({ firstName: z.string() }),
      size: z.string(),
      note: z.string().optional(),
      code: z.union([z.number(), z.string()]),
    }),
  ],
  [
    "Valibot",
    v.object({
      price: v.number(),
      stock: v.pipe(v.number(), v.integer()),
      sold_out: v.boolean(),
      colour: v.picklist(colours),
      tags: v.array(v.string()),
      parts: v.array(v.object({ name: v.string(), weight: v.number() })),
      maker: v.object({ firstName: v.string() }),
      size: v.string(),
      note: v.optional(v.string()),
      code: v.union([v.number(), v.string()]),
    }),
  ],
  [
    "ArkType",
    type({
      price: "number",
      stock: "number.integer",
      sold_out: "boolean",
      colour: "'red' | 'dark red' | 'blue'",
      tags: "string[]",
      parts: type({ name: "string", weight: "number" }).array(),
      maker: { firstName: "string" },
      size: "string",
      "note?": "string",
      code: "number | string",
    }),
  ],
  [
    "JSON Schema",
    {
      type: "object",
      properties: {
        price: { type: "number" },
        stock: { type: "integer" },
        sold_out: { type: "boolean" },
        colour: { enum: [...colours] },
        tags: { type: "array", items: { type: "string" } },
        parts: {
          type: "array",
          items: {
            type: "object",
            properties: { name: { type: "string" }, weight: { type: "number" } },
            required: ["name", "weight"],
          },
        },
        maker: { type: "object", properties: { firstName: { type: "string" } }, required: ["firstName"] },
        size: { type: "string" },
        note: { type: "string" },
        code: { type: ["number", "string"] },
      },
      required: ["price", "stock", "sold_out", "colour", "tags", "parts", "maker", "size", "code"],
    },
  ],
];

const meant = {
  price: 1234.5,
  stock: 12,
  sold_out: false,
  colour: "dark red",
  tags: ["a, b"],
  parts: [{ name: "lid", weight: 0.5 }],
  maker: { firstName: "Ada" },
  size: "12",
  code: "7",
};

const written = {
  Price: "$1,234.50",
  stock: "12",
  soldOut: "No",
  colour: "Dark-Red",
  tags: "a, b",
  parts: { name: "lid", weight: "1/2" },
  maker: '{"first_name": "Ada"}',
  size: ["12"],
  note: null,
  code: "7",
};

/** Members that have no certain reading. */
const never: readonly (readonly [name: string, member: object])[] = [
  ["a number that would be rounded", { stock: "12.5" }],
  ["a number that can be read in two ways", { price: "1.234" }],
  ["another word for a boolean", { sold_out: "maybe" }],
  ["null as 0", { price: null }],
  ["null as false", { sold_out: null }],
  ["an option that may be two", { colour: "red or blue" }],
  ["a list of two where one value is expected", { size: ["12", "13"] }],
  ["null as a list", { tags: null }],
  ["null for a required member", { size: null }],
  ["text as a document", { maker: "Ada" }],
];

describe.each(schemas)("with a schema of %s", (_, schema) => {
  const parserOf = (
    coercions: JsonCoercion[],
    options: { readonly coerce?: boolean } = {},
  ): JsonOutputParser<unknown, unknown> =>
    jsonParser<SchemaInput>(schema, { ...options, onCoerce: (coercion) => coercions.push(coercion) });

  // G-schema-6
  test("an answer is read as the schema expects it, however it is cut", async () => {
    const text = JSON.stringify(written);
    const expected: JsonCoercion[] = [];
    expect(parserOf(expected).parse(text)).toEqual(meant);
    expect(expected.map(({ kind, pointer }) => `${kind} ${pointer}`)).toEqual([
      ...["key /price", "number /price", "number /stock", "key /sold_out", "boolean /sold_out"],
      ...["option /colour", "list /tags", "number /parts/0/weight", "list /parts"],
      ...["document /maker", "key /maker/firstName", "single /size", "null /note"],
    ]);
    const coercions: JsonCoercion[] = [];
    const parser = parserOf(coercions);
    for (const chunks of [...everyCut(text), ...fixedSizes(text, [1, 5])]) {
      const partials = await collect(pipe(from(chunks), parser.stream));
      expect(partials.at(-1)).toEqual(meant);
      expect(coercions.splice(0)).toEqual(expected);
    }
  });

  test.each(never)("never %s", async (__, member) => {
    const text = JSON.stringify({ ...meant, ...member });
    expect(() => parserOf([]).parse(text)).toThrow(OutputParserError);
    for (const chunks of fixedSizes(text, [1, 7])) {
      await expect(collect(pipe(from(chunks), parserOf([]).stream))).rejects.toThrow(OutputParserError);
    }
  });

  test("one option turns it off", () => {
    const coercions: JsonCoercion[] = [];
    const parser = parserOf(coercions, { coerce: false });
    expect(parser.parse(JSON.stringify(meant))).toEqual(meant);
    for (const key of Object.keys(written)) {
      const name = key === "Price" ? "price" : key === "soldOut" ? "sold_out" : key;
      const value = written[key as keyof typeof written];
      if (name === "code") continue;
      expect(() => parser.parse(JSON.stringify({ ...meant, [name]: value }))).toThrow(OutputParserError);
    }
    expect(coercions).toEqual([]);
  });
});
