import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { jsonParser, type JsonObject, patchLines } from "millrace";
import type { SchemaInput } from "millrace/schema";
import { fromA2ui, fromSpecStream } from "millrace/ui";
import { describe, expect, test } from "vitest";
import { z } from "zod";

/** The definitions in the instructions of a parser. */
function typesOf(schema: SchemaInput): string {
  const lines = jsonParser(schema, { instructions: "types" }).instructions.split("\n");
  const end = lines.findIndex((line) => line.startsWith("For example"));
  return lines.slice(1, end < 0 ? undefined : end).join("\n");
}

interface Category {
  readonly name: string;
  readonly children: readonly Category[];
}
const category: z.ZodType<Category> = z
  .object({ name: z.string(), children: z.lazy(() => z.array(category)) })
  .meta({ id: "Category" });

const cases: readonly (readonly [what: string, schema: SchemaInput, types: string])[] = [
  ["a scalar with bounds", { type: "integer", minimum: 1, maximum: 5 }, "type Output = integer; // 1 to 5"],
  ["an enum and a const", { anyOf: [{ enum: ["a", 1] }, { const: null }] }, 'type Output = "a" | 1 | null;'],
  [
    "a list of a union",
    { type: "array", items: { type: ["string", "null"] }, maxItems: 3 },
    "type Output = (string | null)[]; // at most 3 elements",
  ],
  [
    "a list of a union of objects, and of one object",
    {
      prefixItems: ["anyOf", "allOf"].map((keyword) => ({
        items: { [keyword]: ["a", "b"].map((key) => ({ properties: { [key]: true } })) },
      })),
      items: { items: { anyOf: [{ properties: { c: true } }] } },
    },
    "type Output = [({\n a?: unknown;\n} | {\n b?: unknown;\n})[], ({\n a?: unknown;\n} & {\n b?: unknown;\n})[], ...{\n c?: unknown;\n}[][]];",
  ],
  [
    "a tuple with a rest",
    { type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } },
    "type Output = [string, ...number[]];",
  ],
  [
    "the rules of the elements of a tuple, and elements that may be absent",
    z
      .tuple([z.int().min(1).max(9).describe("row"), z.enum(["a", "b"]).optional()])
      .rest(z.string().min(1))
      .meta({ maxItems: 5 }),
    'type Output = [integer, ("a" | "b")?, ...string[]]; // at most 5 elements; [0]: row; [0]: 1 to 9; others: at least 1 characters',
  ],
  ["a tuple of a fixed length", z.tuple([z.string(), z.number()]), "type Output = [string, number];"],
  [
    "required members without a schema",
    {
      properties: { a: { type: "string" } },
      required: ["a", "b-c"],
      additionalProperties: { type: "number" },
      anyOf: [{ required: ["d"] }, { required: ["e"] }],
    },
    'type Output = {\n a: string;\n "b-c": number;\n [key: string]: number;\n} & ({\n d: unknown;\n} | {\n e: unknown;\n});',
  ],
  [
    "optional members, names that need quotes, descriptions",
    {
      type: "object",
      title: "My value",
      properties: { "a-b": { type: "string", description: "One\nline." }, c: true },
      required: ["c"],
    },
    'type MyValue = {\n "a-b"?: string; // One line.\n c: unknown;\n};',
  ],
  [
    "a name with a percent sign",
    { $ref: "#/$defs/50%", $defs: { "50%": { type: "string" } } },
    "type T50 = string;\ntype Output = T50;",
  ],
  [
    "any members of a type",
    { type: "object", additionalProperties: { type: "number" } },
    "type Output = {\n [key: string]: number;\n};",
  ],
  [
    "members of all of several schemas",
    {
      allOf: [{ $ref: "#/$defs/a" }, { type: "object", properties: { b: { type: "string" } } }],
      $defs: { a: { type: "object", properties: { a: { $ref: "#" } } } },
    },
    "type A = {\n a?: Output;\n};\ntype Output = A & {\n b?: string;\n};",
  ],
  [
    "rules that types cannot express",
    { type: "string", not: { const: "x" }, pattern: "^a", $ref: "https://example.com/s" },
    'type Output = unknown & string; // matches ^a; also {"not":{"const":"x"}}; $ref https://example.com/s',
  ],
  [
    "a recursive schema of a library",
    category,
    "type Category = {\n name: string;\n children: Category[];\n};\ntype Output = Category;",
  ],
  [
    "a keyword with the name of a method",
    { type: "string", constructor: "x" },
    'type Output = string; // also {"constructor":"x"}',
  ],
  ["false", { type: "object", properties: { a: false } }, "type Output = {\n a?: never;\n};"],
];

describe('instructions: "types" writes', () => {
  test.each(cases)("%s", (_what, schema, types) => {
    expect(typesOf(schema)).toBe(types);
  });

  test("every property name of the official suite, and ends for every schema of it", () => {
    const require = createRequire(import.meta.url);
    const folder = join(dirname(require.resolve("json-schema-test-suite/package.json")), "tests/draft4");
    let seen = 0;
    for (const file of readdirSync(folder).filter(
      (name) => name.endsWith(".json") && name !== "refRemote.json",
    )) {
      const groups = JSON.parse(readFileSync(join(folder, file), "utf8")) as {
        readonly schema: JsonObject;
      }[];
      for (const { schema } of groups) {
        const types = typesOf({ $schema: "http://json-schema.org/draft-04/schema#", ...schema });
        for (const key of Object.keys(Object(schema["properties"]) as object)) expect(types).toContain(key);
        seen++;
      }
    }
    expect(seen).toBeGreaterThan(60);
  });

  test("the schemas of all parsers with instructions, and refuses another form", () => {
    const components = { Card: z.object({ title: z.string() }) };
    const catalogue = { components };
    const written = [
      patchLines({ schema: components.Card, instructions: "types" }),
      fromSpecStream({ catalogue, instructions: "types" }),
      fromA2ui({ catalogue, instructions: "types" }),
    ].map(({ instructions }) => instructions);
    for (const text of written) expect(text).toContain("title: string;");
    for (const text of [fromSpecStream({ catalogue }), fromA2ui({ catalogue })]) {
      expect(text.instructions).toContain('"title":{"type":"string"}');
    }
    const wrong = { instructions: "yaml" } as unknown as { readonly instructions: "types" };
    for (const make of [() => jsonParser(undefined, wrong), () => patchLines(wrong), () => fromA2ui(wrong)]) {
      expect(make).toThrow(TypeError);
    }
  });
});
