import type { JsonObject, JsonValue } from "../../json/value.js";

/** What a provider's strict mode makes of the keywords of a schema. */
export interface StrictRules {
  /** It takes the keyword as it is. */
  readonly knows: (keyword: string, value: JsonValue) => boolean;
  /** Beside what is about the schema and not about the values: it says nothing that counts. */
  readonly ignores: (keyword: string, value: JsonValue, schema: JsonObject) => boolean;
}

/** A schema whose rules that the provider refuses to see are said to the model in the description instead. */
export function describeRules(schema: JsonObject, { knows, ignores }: StrictRules): JsonObject {
  const rules: string[] = [];
  const kept: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (knows(keyword, value)) kept[keyword] = value;
    else if (!aboutTheSchema.has(keyword) && !ignores(keyword, value, schema)) {
      rules.push(`${keyword}: ${JSON.stringify(value)}`);
    }
  }
  if (rules.length === 0) return kept;
  const { description } = kept;
  const said = typeof description === "string" && description !== "" ? [description] : [];
  return { ...kept, description: [...said, `(${rules.join(", ")})`].join(" ") };
}

const aboutTheSchema: ReadonlySet<string> = new Set(
  "$schema $id id $anchor $comment $vocabulary deprecated readOnly writeOnly".split(" "),
);

/** Whether a schema names the type, alone or among others. */
export function hasType({ type }: JsonObject, name: string): boolean {
  return Array.isArray(type) ? type.includes(name) : type === name;
}
