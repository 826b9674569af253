import { counted } from "../../text/counts.js";
import { jsonExcerpt, listed, shortened, wordsForKeys, wordsForOptions, wordsForType } from "../values.js";
import type { Alternative } from "./alternative.js";
import { missingKeys, type KeysSoFar, type SchemaProblem } from "./problems.js";
import type { Rules } from "./rules.js";

/** Describes the values that the rules allow, for the message of a problem. */
export function expectedBy({ code, rules }: SchemaProblem, keys: Pick<KeysSoFar, "has"> = new Set()): string {
  switch (code) {
    case "not_in_enum":
      return wordsForOptions([...(rules.options ?? [])]);
    case "too_long":
    case "too_short":
      return wordsForLength(rules, code === "too_long" ? "at most" : "at least");
    case "out_of_range":
      return wordsForRange(rules);
    case "not_a_multiple":
      return `a multiple of ${rules.multipleOf}`;
    case "no_match":
      return rules.format === undefined
        ? `a string that matches ${shortened(rules.patterns[0]?.source ?? "")}`
        : `a string in the format ${jsonExcerpt(rules.format)}`;
    case "missing_key":
      return wordsForKeys(missingKeys(rules, keys));
    default:
      return rules.options === undefined
        ? wordsForType(rules.kinds, rules.integer)
        : wordsForOptions([...rules.options]);
  }
}

/** The keys that objects of these alternatives have. */
export function wordsForKnown(alternatives: readonly Alternative[]): string {
  const known = new Set(alternatives.flatMap(({ rules }) => rules.flatMap(keysIn)));
  return known.size === 0 ? "no such key" : `only ${wordsForKeys([...known])}`;
}

function keysIn({ properties, propertyNames, additionalProperties }: Rules): readonly string[] {
  if (propertyNames === undefined || additionalProperties === false) return [...properties.keys()];
  return optionsIn(propertyNames);
}

/** The names in an `enum`. A `const` is a key that a library allows in each record. */
function optionsIn(names: unknown): readonly string[] {
  const { enum: options, anyOf } = Object(names) as Readonly<Record<string, unknown>>;
  const strings = [options].flat().filter((it) => typeof it === "string");
  return Array.isArray(anyOf) ? [...strings, ...anyOf.flatMap(optionsIn)] : strings;
}

export function wordsForBeginning(text: string): string {
  return text === "" ? "a string" : `a string that begins with ${jsonExcerpt(text)}`;
}

export function wordsForNextKey(key: string): string {
  return `another key, ${jsonExcerpt(key)}`;
}

export function wordsForNextElement(count: number): string {
  return `more than ${counted(count - 1, "element")}`;
}

export function wordsForArray(count: number): string {
  return `an array of ${counted(count, "element")}`;
}

function wordsForLength(rules: Rules, atMost: "at most" | "at least"): string {
  const [items, members, characters] =
    atMost === "at most"
      ? [rules.maxItems, rules.maxProperties, rules.maxLength]
      : [rules.minItems, rules.minProperties, rules.minLength];
  const words = [
    [items, "an array of", "element"] as const,
    [members, "an object of", "member"] as const,
    [characters, "a string of", "character"] as const,
  ].filter(([count]) => (atMost === "at most" ? count < Infinity : count > 0));
  return listed(words.map(([count, before, after]) => `${before} ${atMost} ${counted(count, after)}`));
}

function wordsForRange(rules: Rules): string {
  const bounds = [
    [rules.minimum, ">="],
    [rules.exclusiveMinimum, ">"],
    [rules.maximum, "<="],
    [rules.exclusiveMaximum, "<"],
  ] as const;
  const finite = bounds.filter(([bound]) => Number.isFinite(bound));
  // Zod writes the bounds of safe integers for every integer: mention them only if there are no others.
  const own = finite.filter(([bound]) => Math.abs(bound) < Number.MAX_SAFE_INTEGER);
  const words = (own.length > 0 ? own : finite).map(([bound, sign]) => `${sign} ${bound}`);
  return `a number ${words.join(" and ")}`;
}
