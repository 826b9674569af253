import { quoted } from "./cut.js";
import { kindName } from "./kind-name.js";
import { similarTo } from "./similar.js";
import { hasMethod } from "./thrown.js";

/** The names of all options of a type: `satisfies OptionNames<Options>` finds missing and extra ones. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

/**
 * Checks the names of options, because a misspelt one would be ignored without a word in JavaScript.
 *
 * @param subject the function that gets the options: `jsonParser()`
 * @param hints what to write instead of names that people know from elsewhere
 * @throws {TypeError} for options that are not an object, or an unknown name with a value
 */
export function checkOptions(
  subject: string,
  options: unknown,
  names: Readonly<Record<string, true>>,
  hints: Readonly<Record<string, string>> = {},
): void {
  checkObject(subject, options);
  for (const [name, value] of Object.entries(options as object)) {
    if (value === undefined || Object.hasOwn(names, name)) continue;
    const hint = Object.hasOwn(hints, name) ? hints[name] : insteadOf(name, Object.keys(names));
    throw new TypeError(`${subject} has no option ${quoted(name, 60)}. ${hint}`);
  }
}

/** @throws {TypeError} for options that are not an object */
export function checkObject(subject: string, options: unknown): void {
  const isObject = typeof options === "object" && options !== null && !Array.isArray(options);
  checkArgument(subject, "an object of options", isObject, options);
}

/** @throws {TypeError} naming the function that expects the value as its argument */
export function checkFunction(subject: string, value: unknown): void {
  if (typeof value !== "function")
    throw new TypeError(`${subject} expects a function, but got ${kindName(value)}.`);
}

/** @throws {TypeError} naming the function, and the argument that it expects: "a message" */
export function checkArgument(subject: string, expected: string, isRight: boolean, value: unknown): void {
  if (!isRight) throw new TypeError(`${subject} expects ${expected}, but got ${shown(value)}.`);
}

/** @throws {TypeError} for anything but an array of `things` */
export function checkListOf(subject: string, things: string, value: unknown): void {
  checkArgument(subject, `an array of ${things}`, Array.isArray(value), value);
}

/**
 * Returns what a test of the caller has returned.
 *
 * @throws {TypeError} for a promise, which would count as true whatever it becomes
 */
export function atOnce(subject: string, result: boolean): boolean {
  const promise: unknown = result;
  if (typeof promise !== "object" || !hasMethod(promise, "then")) return result;
  void Promise.resolve(promise).catch(() => undefined);
  throw new TypeError(`${subject} expects a function that returns true or false, but it returned a promise.`);
}

/** @throws {TypeError} naming the option whose value is none of these */
export function checkChoice(option: string, value: unknown, choices: readonly string[]): void {
  if (!choices.includes(value as string))
    throw new TypeError(`${option} is one of ${choices.join(", ")}, but got ${shown(value)}.`);
}

function shown(value: unknown): string {
  return typeof value === "string" ? quoted(value, 80) : kindName(value);
}

function insteadOf(name: string, names: readonly string[]): string {
  const similar = similarTo(name, names);
  return similar === undefined ? `Its options are ${names.join(", ")}.` : `Did you mean "${similar}"?`;
}
