/** `npm run prompts:tokens` counts the tokens of 200 schemas in a prompt, and writes the table in docs/reference/prompts.md. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { countTokens } from "gpt-tokenizer";
import { writeFormatted } from "../scripts/write-formatted.js";
import { schemaOf } from "../src/schema/schema-of.js";
import { schemaInPrompt } from "../src/schema/in-prompt.js";
import type { JsonObject, JsonValue } from "../src/json/value.js";
import { fromA2ui, fromSpecStream } from "../src/ui/index.js";

const file = "docs/reference/prompts.md";

/** Schemas of the official suite, as published on npm, that are objects. */
function suiteSchemas(): JsonObject[] {
  const require = createRequire(import.meta.url);
  const folder = join(dirname(require.resolve("json-schema-test-suite/package.json")), "tests/draft4");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap(
      (name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as { readonly schema: JsonObject }[],
    )
    .map(({ schema }) => schema);
}

/** Schemas of the size that applications use: nested objects and lists, with descriptions and bounds. */
function generatedSchema(seed: number): JsonObject {
  let state = seed * 7919 + 1;
  const below = (limit: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
  const words = [
    "title",
    "status",
    "amount",
    "owner",
    "items",
    "notes",
    "created",
    "address",
    "price",
    "tags",
  ];
  const schemaAt = (depth: number): JsonObject => {
    const description =
      below(3) === 0 ? { description: `The ${words[below(10)] as string} of the record.` } : {};
    const kind = below(depth > 2 ? 4 : 6);
    if (kind === 0)
      return { type: "string", ...description, ...(below(2) === 0 && { minLength: 1, maxLength: 80 }) };
    if (kind === 1) return { type: "integer", ...description, minimum: 0, maximum: 100 };
    if (kind === 2) return { enum: ["open", "done", "late"], ...description };
    if (kind === 3) return { anyOf: [{ type: "string" }, { type: "null" }], ...description };
    if (kind === 4) return { type: "array", items: schemaAt(depth + 1), ...description };
    return objectAt(depth + 1);
  };
  const objectAt = (depth: number): JsonObject => {
    const names = words.slice(0, 3 + below(6));
    const properties: Record<string, JsonValue> = {};
    for (const name of names) properties[name] = schemaAt(depth);
    const required = names.filter(() => below(3) > 0);
    return { type: "object", properties, required, additionalProperties: false };
  };
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...objectAt(0) };
}

function tokens(schemas: readonly JsonObject[], form: "json-schema" | "types"): number {
  return schemas.reduce((sum, it) => sum + countTokens(schemaInPrompt(schemaOf(it), "It", form)), 0);
}

const suite = suiteSchemas().slice(0, 100);
const generated = Array.from({ length: 100 }, (_, seed) => generatedSchema(seed));
const catalogue = {
  components: {
    Card: { type: "object", properties: { title: { type: "string" } }, required: ["title"] } as JsonObject,
    Text: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as JsonObject,
  },
};
const row = (label: string, json: number, types: number): string =>
  `| ${label} | ${json.toLocaleString("en")} | ${types.toLocaleString("en")} | ${Math.round((100 * types) / json)} % |`;
const rows = [
  row("100 generated schemas of applications", tokens(generated, "json-schema"), tokens(generated, "types")),
  row("100 schemas of the official suite", tokens(suite, "json-schema"), tokens(suite, "types")),
  row(
    "`fromSpecStream()`, two components",
    countTokens(fromSpecStream({ catalogue }).instructions),
    countTokens(fromSpecStream({ catalogue, instructions: "types" }).instructions),
  ),
  row(
    "`fromA2ui()`, two components",
    countTokens(fromA2ui({ catalogue }).instructions),
    countTokens(fromA2ui({ catalogue, instructions: "types" }).instructions),
  ),
];
const table = ["| tokens | `json-schema` | `types` | |", "| --- | --- | --- | --- |", ...rows].join("\n");
const text = readFileSync(file, "utf8");
const begin = text.indexOf("| tokens");
if (begin < 0) throw new Error(`${file} has no table of tokens.`);
const end = text.indexOf("\n\n", begin);
writeFormatted(file, text.slice(0, begin) + table + text.slice(end));
console.log(table);
