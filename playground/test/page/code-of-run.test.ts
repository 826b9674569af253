import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "millrace";
import { schemaOf } from "millrace/schema";
import { typeCheck } from "../../../test/support/type-check.js";
import { codeOf } from "../../src/page/code/code-of-run.js";
import { highlighted } from "../../src/page/code/highlighted.js";
import { schemaFrom, zodText } from "../../src/page/code/schema-text.js";
import { samples } from "../../src/page/input/samples.js";
import { firstInput, withAnswer, withFormat, withSample } from "../../src/page/input/use-input.js";

const root = join(import.meta.dirname, "../../..");
mkdirSync(join(root, "temp"), { recursive: true });
const folder = mkdtempSync(join(root, "temp/code-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const documents: readonly JsonValue[] = [
  {
    title: "Tea",
    "odd key": 1,
    list: [{ a: 1, b: [true] }],
    empty: [],
    none: null,
    deep: { x: "y" },
  },
  { "price < 5 {x}": 4, "</p>": true, "a > {": { b: 1 }, 'say "hi"': [] },
  { name: { first: "Ada" }, title: ["Dr"], product: true },
  { list: [1, "a", null], rows: [{ a: 1 }, { a: null, b: "x" }, {}], mixed: [{ a: 1 }, "x", [1], ["b"]] },
  [{ a: 1 }, { b: 2 }],
  [],
  "text",
];

/** Schemas as people write them, and some that no value fits. */
const property = (schema: JsonValue): JsonObject => ({ type: "object", properties: { a: schema } });
const schemas: readonly JsonObject[] = [
  ...[{ anyOf: [{ type: "object" }, { type: "string" }] }, { $ref: "#/$defs/b" }, true, { const: 1 }],
  ...[{ enum: [{ b: 1 }, ["c"]] }, { enum: [] }, { type: [] }, { type: ["string", "boolean"] }],
  ...[
    { type: ["array", "null"], items: { type: "string" } },
    { type: ["object", "null"], properties: { b: true } },
  ],
  ...[true, { type: ["object", "string"], properties: { b: { type: "string" } } }].map((items) => ({
    ...{ type: "array", items },
  })),
  { type: "array", enum: [["b"], [1, 2]] },
]
  .map(property)
  .concat(
    { type: ["object", "null"], properties: { a: { type: "string" } } },
    { type: "array", properties: {} },
  );

it("writes apps that compile, for each sample, a model, and a run without a schema", async () => {
  const inputs = [
    ...samples.map(({ name }) => withSample(firstInput(), name)),
    withAnswer({ ...firstInput(), kind: "model" as const }, "spec"),
    withFormat(firstInput(), "spec", ""),
    { ...firstInput(), kind: "model" as const, model: "anthropic:claude-sonnet-5-5", prompt: 'Say "hi".' },
  ];
  const runs = [
    ...inputs.map((input) => [input, documents[0]] as const),
    ...documents.map((value) => [withFormat(firstInput(), "json", ""), value] as const),
    ...schemas.map((schema) => [withFormat(firstInput(), "json", JSON.stringify(schema)), {}] as const),
  ];
  const files = runs.flatMap(([input, value], i) => {
    mkdirSync(join(folder, String(i)));
    const check = `import type { ModelAnswer } from "./schema.js";
export const answer: ModelAnswer = ${JSON.stringify(value)};`;
    const isOwn =
      input.kind === "document" && input.formats.document === "json" && input.schemas.document === "";
    const own = isOwn ? [{ name: "answer.ts", code: check }] : [];
    return [...codeOf(input, value), ...own].map(({ name, code }) => {
      const path = join(folder, String(i), name);
      writeFileSync(path, code);
      return path;
    });
  });
  expect(await typeCheck(folder, files)).toEqual(new Map());
});

it("writes a page that finds an element by any name", () => {
  const [, , page] = codeOf(withFormat(firstInput(), "spec", ""), undefined);
  const [, pointer = ""] = /select\((`\/elements.*`)\)/.exec(page?.code ?? "") ?? [];
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- it is the code that is shown
  const pointerOf = new Function("name", `return ${pointer};`) as (name: string) => string;
  expect(pointerOf("a/~b")).toBe("/elements/a~1~0b");
});

it("writes a schema in Zod", () => {
  const schema = schemaFrom({ name: "A", tags: ["x"], "no name": { on: true, n: null } });
  expect(zodText(schema)).toBe(
    'z.object({\n  name: z.string(),\n  tags: z.array(z.string()),\n  "no name": z.object({\n    on: z.boolean(),\n    n: z.null(),\n  }),\n})',
  );
  expect(zodText({ type: ["number", "null"], description: "A price" })).toBe(
    'z.number().nullable().describe("A price")',
  );
  expect(zodText({ type: "array", items: { enum: ["a", 1] }, minItems: 1 })).toBe(
    'z.array(z.literal(["a",1])).min(1)',
  );
  expect(zodText({ type: "integer", minimum: 1, maximum: 5 })).toBe("z.int().min(1).max(5)");
  expect(zodText({ anyOf: [] })).toBe("z.unknown()");
  expect(zodText({ type: "constructor" })).toBe("z.unknown()");
});

it("marks the parts of the code, and loses none", () => {
  for (const { name } of samples) {
    for (const { code } of codeOf(withSample(firstInput(), name), {})) {
      const pieces = highlighted(code);
      expect(pieces.map(({ text }) => text).join("")).toBe(code);
      expect(new Set(pieces.map(({ kind }) => kind))).toContain("keyword");
    }
  }
  expect(highlighted('const a = "x // y"; // <p>').filter(({ kind }) => kind !== "")).toEqual([
    { kind: "keyword", text: "const" },
    { kind: "string", text: '"x // y"' },
    { kind: "comment", text: "// <p>" },
  ]);
});

it.each([
  { type: "object", properties: { a: null, b: true } },
  { properties: null },
  { type: "array", items: null },
])("writes code for a schema with parts that are no schemas: %j", (schema) => {
  const input = withFormat(firstInput(), "json", JSON.stringify(schema));
  expect(codeOf(input, undefined)).toHaveLength(3);
});

it.each(documents.map((value) => [value]))("writes a schema that accepts its document: %j", async (value) => {
  expect(await schemaOf(schemaFrom(value)).validate(value)).toEqual({ value });
});
