import { excerpt } from "./excerpt.js";

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
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new TypeError(`${subject} expects an object of options, but got ${excerpt(options, 80)}.`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(names, name)) continue;
    const hint = Object.hasOwn(hints, name) ? hints[name] : insteadOf(name, Object.keys(names));
    throw new TypeError(`${subject} has no option ${JSON.stringify(excerpt(name, 60))}. ${hint}`);
  }
}

function insteadOf(name: string, names: readonly string[]): string {
  const similar = names.find(
    (known) => plain(known) === plain(name) || isOneEditFrom(plain(known), plain(name)),
  );
  return similar === undefined ? `Its options are ${names.join(", ")}.` : `Did you mean "${similar}"?`;
}

/** Without case and separators: `max_retries` and `maxRetries` are the same. */
function plain(name: string): string {
  return name
    .slice(0, 60)
    .replace(/[^A-Za-z0-9]/g, "")
    .toLowerCase();
}

/** Whether one character was added, left out or changed, or two were swapped. */
function isOneEditFrom(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  return (
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    restA.slice(1) === restB.slice(1) ||
    (restA.slice(2) === restB.slice(2) &&
      restA.slice(0, 2) === restB.slice(0, 2).split("").reverse().join(""))
  );
}
