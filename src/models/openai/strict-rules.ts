import type { JsonObject, JsonValue } from "../../json/value.js";

/**
 * Rules that strict mode refuses to see, said to the model in the description instead. What is about the schema and not
 * about the values is left out.
 */
export function describeRules(schema: JsonObject): JsonObject {
  const rules: string[] = [];
  const kept: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (isKnown(keyword, value)) kept[keyword] = value;
    else if (!silent.has(keyword) && !saysFormat(keyword, schema)) {
      rules.push(`${keyword}: ${JSON.stringify(value)}`);
    }
  }
  if (rules.length === 0) return kept;
  const { description } = kept;
  const said = typeof description === "string" && description !== "" ? [description] : [];
  return { ...kept, description: [...said, `(${rules.join(", ")})`].join(" ") };
}

function isKnown(keyword: string, value: JsonValue): boolean {
  if (keyword === "format") return formats.has(value);
  // "regex lookaround is not supported" (vercel/ai#21037), nor are references back.
  if (keyword === "pattern") return typeof value === "string" && !/\(\?<?[=!]|\\[1-9]/.test(value);
  return known.has(keyword);
}

/** Zod writes the pattern of an email, which looked around for long, beside its format. */
function saysFormat(keyword: string, { format }: JsonObject): boolean {
  return keyword === "pattern" && format !== undefined && formats.has(format);
}

const known: ReadonlySet<string> = new Set(
  (
    "type properties required additionalProperties items anyOf enum const $ref $defs definitions title description " +
    "multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems"
  ).split(" "),
);

const formats: ReadonlySet<JsonValue> = new Set(
  "date-time time date duration email hostname ipv4 ipv6 uuid".split(" "),
);

const silent: ReadonlySet<string> = new Set(
  "$schema $id id $anchor $comment $vocabulary deprecated readOnly writeOnly".split(" "),
);
