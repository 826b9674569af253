import { counted } from "../../text/counts.js";
import { jsonExcerpt, wordsForKeys } from "../values.js";
import type { Alternative } from "./alternative.js";
import type { KeysSoFar, SchemaProblem } from "./problems.js";
import type { Rules } from "./rules.js";

/** Describes the values that a check allows, for the message of a problem. */
export function expectedBy(problem: SchemaProblem, keys: Pick<KeysSoFar, "has"> = new Set()): string {
  return problem.expected(keys);
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
