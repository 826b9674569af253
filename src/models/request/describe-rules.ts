import type { JsonObject, JsonValue } from "../../json/value.js";
import { wordsIn } from "../../text/words-in.js";

/** How the strict mode of a provider handles the keywords of a schema. */
export interface StrictRules {
  /** Whether strict mode supports the keyword with this value. */
  readonly supports: (keyword: string, value: JsonValue) => boolean;
  /** Whether an unsupported keyword can be dropped, because another keyword covers it. */
  readonly ignores: (keyword: string, value: JsonValue, schema: JsonObject) => boolean;
}

/** Moves the rules that a provider does not support to the description, where the model reads them. */
export function describeRules(schema: JsonObject, { supports, ignores }: StrictRules): JsonObject {
  const rules: string[] = [];
  const kept: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (supports(keyword, value)) kept[keyword] = value;
    else if (!annotationKeywords.has(keyword) && !ignores(keyword, value, schema)) {
      rules.push(`${keyword}: ${JSON.stringify(value)}`);
    }
  }
  if (rules.length === 0) return kept;
  const { description } = kept;
  const existing = typeof description === "string" && description !== "" ? [description] : [];
  return { ...kept, description: [...existing, `(${rules.join(", ")})`].join(" ") };
}

const annotationKeywords: ReadonlySet<string> = new Set(
  wordsIn("$schema $id id $anchor $comment $vocabulary deprecated readOnly writeOnly"),
);

/** Whether a schema allows the type, alone or among others. */
export function hasType({ type }: JsonObject, name: string): boolean {
  return Array.isArray(type) ? type.includes(name) : type === name;
}
