import { Kind } from "../../json/build/kinds.js";
import type { JsonValue } from "../../json/value.js";
import { missingKeys, type Keys, type SchemaProblem } from "./problems.js";
import { anyKind, type Rules } from "./rules.js";

/** Describes the values that the rules allow, for the message of a problem. */
export function expectedBy({ code, rules }: SchemaProblem, keys: Pick<Keys, "has"> = new Set()): string {
  switch (code) {
    case "not_in_enum":
      return wordsForOptions(rules);
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
      return wordsForType(rules);
  }
}

/** The JSON of a value for a message, shortened if it is long. */
export function jsonExcerpt(value: JsonValue): string {
  return shortened(JSON.stringify(value));
}

function shortened(text: string): string {
  return text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT)}…` : text;
}

/** `the key "a"`, `the keys "a", "b"` */
export function wordsForKeys(keys: readonly string[]): string {
  return `the key${keys.length === 1 ? "" : "s"} ${keys.map(jsonExcerpt).join(", ")}`;
}

export function wordsForKinds(kinds: number): string {
  return listed(namesOf(kinds));
}

export function wordsForBeginning(text: string): string {
  return `a string that begins with ${jsonExcerpt(text)}`;
}

export function wordsForNextKey(key: string): string {
  return `another key, ${jsonExcerpt(key)}`;
}

export function wordsForNextElement(count: number): string {
  return `more than ${elements(count - 1)}`;
}

export function wordsForArray(count: number): string {
  return `an array of ${elements(count)}`;
}

function elements(count: number): string {
  return `${count} element${count === 1 ? "" : "s"}`;
}

const MAX_EXCERPT = 60;
const MAX_OPTIONS = 20;

function wordsForType(rules: Rules): string {
  if (rules.options !== undefined) return wordsForOptions(rules);
  const words = wordsForKinds(rules.kinds);
  return rules.integer ? words.replace("a number", "an integer") : words;
}

function wordsForOptions({ options = [] }: Rules): string {
  const words = options.slice(0, MAX_OPTIONS).map(jsonExcerpt);
  return options.length > MAX_OPTIONS
    ? `${words.join(", ")} or ${options.length - MAX_OPTIONS} others`
    : listed(words);
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
  return listed(
    words.map(([count, before, after]) => `${before} ${atMost} ${count} ${after}${count === 1 ? "" : "s"}`),
  );
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

function namesOf(kinds: number): string[] {
  if ((kinds & anyKind) === anyKind) return ["any value"];
  const names: string[] = [];
  if ((kinds & Kind.OBJECT) !== 0) names.push("an object");
  if ((kinds & Kind.ARRAY) !== 0) names.push("an array");
  if ((kinds & Kind.STRING) !== 0) names.push("a string");
  if ((kinds & Kind.NUMBER) !== 0) names.push("a number");
  if ((kinds & Kind.TRUE) !== 0 && (kinds & Kind.FALSE) !== 0) names.push("a boolean");
  else if ((kinds & Kind.TRUE) !== 0) names.push("true");
  else if ((kinds & Kind.FALSE) !== 0) names.push("false");
  if ((kinds & Kind.NULL) !== 0) names.push("null");
  return names.length === 0 ? ["no value"] : names;
}

function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}
