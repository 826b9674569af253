import type { JsonObject, JsonValue } from "../../json/value.js";
import { tableOf } from "../../text/words-in.js";

/** The drafts of JSON Schema, in their order. */
export type Draft = 4 | 6 | 7 | 2019 | 2020;

const drafts: readonly (readonly [string, Draft])[] = [
  ["draft-03", 4],
  ["draft-04", 4],
  ["draft-06", 6],
  ["draft-07", 7],
  ["2019-09", 2019],
  ["2020-12", 2020],
];

export function draftOf({ $schema }: JsonObject, otherwise: Draft = 2020): Draft {
  if (typeof $schema !== "string") return otherwise;
  return drafts.find(([name]) => $schema.includes(name))?.[1] ?? otherwise;
}

/** The draft that introduced a keyword. Earlier ones ignore it. */
const introduced = tableOf<Draft>({
  "const contains propertyNames": 6,
  "if then else": 7,
  "$anchor $recursiveAnchor $recursiveRef dependentRequired dependentSchemas maxContains minContains": 2019,
  "unevaluatedItems unevaluatedProperties": 2019,
  "$dynamicAnchor $dynamicRef prefixItems": 2020,
});

/** The value of a keyword, `undefined` if the schema lacks it or the draft ignores it. */
export function keywordOf(schema: JsonObject, keyword: string, draft: Draft): JsonValue | undefined {
  // Before 2019-09, keywords beside a `$ref` are ignored.
  if (draft < 2019 && keyword !== "$ref" && typeof schema["$ref"] === "string") return undefined;
  return isKeyword(keyword, draft) ? schema[keyword] : undefined;
}

/** Whether the draft knows the keyword. Keywords that later drafts dropped count as known. */
export function isKeyword(keyword: string, draft: Draft): boolean {
  return draft >= (introduced.get(keyword) ?? 0);
}

export function knownKeywords(schema: JsonObject, draft: Draft): JsonObject {
  const entries = Object.keys(schema).map((keyword) => [keyword, keywordOf(schema, keyword, draft)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}
