import * as Kind from "../json/build/kind.js";
import { kindOf, otherKind } from "../json/build/kinds.js";
import { cut } from "../text/cut.js";
import { tableOf } from "../text/words-in.js";
import type { JsonObject, JsonValue } from "../json/value.js";

/** All kinds of value, as flags of `Kind`. */
export const anyKind: number =
  Kind.OBJECT | Kind.ARRAY | Kind.STRING | Kind.NUMBER | Kind.TRUE | Kind.FALSE | Kind.NULL | otherKind;

export const kindsByName: ReadonlyMap<unknown, number> = tableOf({
  object: Kind.OBJECT,
  array: Kind.ARRAY,
  string: Kind.STRING,
  "number integer": Kind.NUMBER,
  boolean: Kind.TRUE | Kind.FALSE,
  null: Kind.NULL,
  any: anyKind, // draft 3
});

/** Whether an object has a member. One that is `undefined` is absent, as in its JSON. */
export function hasMember(object: JsonObject, name: string): boolean {
  return Object.hasOwn(object, name) && object[name] !== undefined;
}

export function keysOf(object: JsonObject): string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined);
}

/** Whether `type` names the integers, but not all numbers. */
export function isInteger(type: unknown): boolean {
  return type === "integer" || (Array.isArray(type) && type.includes("integer") && !type.includes("number"));
}

export function codePoints(text: string): number {
  let points = 0;
  for (let i = 0; i < text.length; i++, points++) if ((text.codePointAt(i) as number) > 0xffff) i++;
  return points;
}

/** The kinds in words: `an object or null`. */
export function wordsForKinds(kinds: number): string {
  return listed(namesOf(kinds));
}

/** @param integer whether the numbers are integers */
export function wordsForType(kinds: number, integer: boolean): string {
  const words = wordsForKinds(kinds);
  return integer ? words.replace("a number", "an integer") : words;
}

/** A value in words: its JSON, shortened if it is long, or the kind of a container or of a value that JSON lacks. */
export function wordsForValue(value: JsonValue): string {
  if (typeof value === "string") return jsonExcerpt(value.slice(0, MAX_EXCERPT + 1));
  if (kindOf(value) === otherKind && value !== undefined) return `a ${typeof value}`;
  return typeof value === "object" && value !== null ? wordsForKinds(kindOf(value)) : String(value);
}

/** The JSON of a value for a message, shortened if it is long. */
export function jsonExcerpt(value: JsonValue): string {
  return shortened(JSON.stringify(value));
}

export function shortened(text: string): string {
  return cut(text, MAX_EXCERPT);
}

/** `the key "a"`, `the keys "a", "b"` */
export function wordsForKeys(keys: readonly string[]): string {
  return `the key${keys.length === 1 ? "" : "s"} ${keys.map(jsonExcerpt).join(", ")}`;
}

/** `a, b or c` */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}

/** The first options in words, and the number of the others. */
export function wordsForOptions(options: readonly JsonValue[]): string {
  if (options.length === 0) return "no value";
  const words = options.slice(0, MAX_OPTIONS).map(jsonExcerpt);
  return options.length > MAX_OPTIONS
    ? `${words.join(", ")} or ${options.length - MAX_OPTIONS} others`
    : listed(words);
}

const MAX_EXCERPT = 60;
const MAX_OPTIONS = 20;

function namesOf(kinds: number): string[] {
  if ((kinds & anyKind) === anyKind) return ["any value"];
  const names = kindNames.filter(([kind, , notWith = 0]) => (kinds & (kind | notWith)) === kind);
  return names.length === 0 ? ["no value"] : names.map(([, name]) => name);
}

const kindNames: readonly (readonly [kinds: number, name: string, notWith?: number])[] = [
  [Kind.OBJECT, "an object"],
  [Kind.ARRAY, "an array"],
  [Kind.STRING, "a string"],
  [Kind.NUMBER, "a number"],
  [Kind.TRUE | Kind.FALSE, "a boolean"],
  [Kind.TRUE, "true", Kind.FALSE],
  [Kind.FALSE, "false", Kind.TRUE],
  [Kind.NULL, "null"],
];
