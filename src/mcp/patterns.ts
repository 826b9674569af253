import { isObject, type JsonObject, type JsonValue, valuesIn } from "../json/value.js";
import { mapSchema, withoutKeywords } from "../schema/map-schema.js";
import { wordSet } from "../text/words-in.js";

/**
 * The schema of a server, for checks in this process. An expression may take for ever: `^(a+)+$` does for 40 characters
 * that the server also sends. So only patterns stay whose time is in proportion to the text, such as
 * `^[a-z]+-\d{4}$`. Any other becomes part of the description, and the server checks it.
 *
 * Keywords that would refuse more without a pattern, such as `not`, go too. The rest may accept more, never less.
 */
export function withQuickPatterns(schema: JsonObject): JsonObject {
  return hasSlowPattern(schema) ? mapSchema(schema, loosened) : schema;
}

/** Whether a pattern anywhere in the value may take long, also where no keyword of JSON Schema leads. */
export function hasSlowPattern(schema: JsonValue): boolean {
  return valuesIn(schema).some((value) => isObject(value) && slowPatternsIn(value).length > 0);
}

function slowPatternsIn({ pattern, patternProperties }: JsonObject): string[] {
  const names = isObject(patternProperties) ? Object.keys(patternProperties) : [];
  return [...(typeof pattern === "string" ? [pattern] : []), ...names].filter((it) => !isQuick(it));
}

/** Keywords that refuse a value because a schema in them matches it, or say what another one leaves. */
const strict = wordSet(
  "not if then else contains minContains maxContains unevaluatedItems unevaluatedProperties",
);

function loosened(schema: JsonObject): JsonObject {
  const { oneOf, ...kept } = withoutKeywords(schema, strict);
  // One that several members match now may have matched one before.
  if (oneOf !== undefined) {
    const anyOf = { anyOf: oneOf };
    Object.assign(kept, kept["anyOf"] === undefined ? anyOf : { allOf: [...listIn(kept["allOf"]), anyOf] });
  }
  // A reference may lead into examples.
  const examples = ["default", "examples"].filter((keyword) => hasSlowPattern(kept[keyword] ?? null));
  if (slowPatternsIn(schema).length === 0) return withoutKeywords(kept, new Set(examples));
  const { pattern, description, ...rest } = kept;
  const words = [description, typeof pattern === "string" && `It matches the regular expression ${pattern}`];
  const told = words.filter((it) => typeof it === "string" && it !== "");
  return {
    ...withoutKeywords(rest, new Set(["patternProperties", "additionalProperties", ...examples])),
    ...(told.length > 0 && { description: told.map(String).join("\n") }),
  };
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** One character: itself, an escape or a class. */
const character = String.raw`(?:[^\\^$.*+?()[\]{}|]|\.|\\(?:[dDwWsStnrfv]|[^\w\s]|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|[pP]\{[\w=]+\})|\[(?:[^\\\]]|\\.)*\])`;
const fixed = String.raw`(?:${character}(?:\{\d{1,2}\})?)*`;
const varying = String.raw`(?:${character}(?:[*+?]|\{\d{1,5},?\d{0,5}\}))?`;

/**
 * No groups, no ways to begin elsewhere, and one part of varying length: an attempt has nothing to try again but the
 * part after it, at each character.
 */
const quick = new RegExp(String.raw`^(?:\^${fixed}${varying}${fixed}\$?|${fixed}\$?)$`);

function isQuick(pattern: string): boolean {
  const repeated = Array.from(pattern.matchAll(/\{(\d{1,2})\}/g), ([, times]) => Number(times));
  const length = repeated.reduce((sum, times) => sum + times, pattern.length);
  return length <= 300 && quick.test(pattern);
}
