import type { JsonObject, JsonValue } from "../../../json/value.js";
import type { StrictRules } from "../../request/describe-rules.js";

/** What OpenAI's strict mode knows. */
export const openAIRules: StrictRules = { knows: isKnown, ignores: saysFormat };

function isKnown(keyword: string, value: JsonValue): boolean {
  if (keyword === "format") return formats.has(value);
  // "regex lookaround is not supported" (vercel/ai#21037), nor are references back.
  if (keyword === "pattern") return typeof value === "string" && !/\(\?<?[=!]|\\[1-9]/.test(value);
  return known.has(keyword);
}

/** Zod writes the pattern of an email, which looked around for long, beside its format. */
function saysFormat(keyword: string, _value: JsonValue, { format }: JsonObject): boolean {
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
