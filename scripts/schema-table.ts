import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { KeywordRule, SchemaDialect } from "../src/models/dialect/dialect.js";

/** The dialect of each provider that enforces schemas, in its `schema.ts`, by what it is for: "Gemini", "OpenAI's strict mode". */
const dialects: readonly (readonly [name: string, dialect: SchemaDialect])[] = await Promise.all(
  schemaFiles().map(async (file) => {
    const exports = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
    // Dialects that are not enforced leave almost everything as it is.
    const rulesIn = ({ keywords }: SchemaDialect): number => Object.keys(keywords).length;
    const [dialect] = Object.values(exports)
      .filter(isDialect)
      .sort((a, b) => rulesIn(b) - rulesIn(a));
    if (dialect === undefined) throw new Error(`${file} exports no dialect of schemas.`);
    return [dialect.expressed.replace(/^expressed \w+ /, ""), dialect] as const;
  }),
);

function schemaFiles(): string[] {
  const models = join(import.meta.dirname, "../src/models");
  return readdirSync(models)
    .map((name) => join(models, name, "schema.ts"))
    .filter((file) => existsSync(file));
}

function isDialect(value: unknown): value is SchemaDialect {
  return typeof value === "object" && value !== null && "keywords" in value;
}

/** A Markdown table: what each provider does with each keyword of a schema. */
export function schemaTable(): string {
  const names = [...new Set(dialects.flatMap(([, { keywords }]) => Object.keys(keywords)))].sort();
  const rows = names.map((name) => [
    `\`${name}\``,
    ...dialects.map(([, { keywords, others }]) => wordsOf(keywords[name] ?? others)),
  ]);
  rows.push(["any other", ...dialects.map(([, { others }]) => wordsOf(others))]);
  const head = ["Keyword", ...dialects.map(([name]) => name)];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function wordsOf(rule: KeywordRule): string {
  if (typeof rule === "string") return rule;
  if ("refused" in rule) return "refused";
  if ("as" in rule) {
    return rule.otherwise === undefined ? rule.as : `${rule.as}, else ${wordsOf(rule.otherwise)}`;
  }
  return `${rule.then} (${rule.words}), else ${wordsOf(rule.otherwise)}`;
}
