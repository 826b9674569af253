import type { KeywordRule, SchemaDialect } from "../src/models/dialect/dialect.js";
import { anthropicFormat } from "../src/models/anthropic/schema.js";
import { geminiSchema } from "../src/models/gemini/schema.js";
import { ollamaSchema } from "../src/models/ollama/schema.js";
import { openAIStrict } from "../src/models/openai/schema.js";

const dialects: readonly (readonly [name: string, dialect: SchemaDialect])[] = [
  ["OpenAI, strict", openAIStrict],
  ["Anthropic, strict", anthropicFormat],
  ["Gemini", geminiSchema],
  ["Ollama, llama.cpp", ollamaSchema],
];

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
