import { childPointer, isIndex } from "./pointer.js";

/** Where a value grows. */
export interface LastPart {
  /** The pointer of its last part; in an empty container, that of the key `-1`. */
  readonly place: string;
  /** The last part is a text, which may grow. */
  readonly isText: boolean;
  /** The outermost object on the way whose order of members is unknown: JavaScript lists keys like integers first. */
  readonly unordered: string | undefined;
}

/**
 * Follows the last parts of a value. Both ends of the compact wire do so (docs/protocols/compact-wire.md), to leave out
 * pointers.
 *
 * The place in `{ title: "Tea", steps: ["Boil"] }` is `/steps/0`, and that in `[]` is `/-1`.
 */
export function lastPart(pointer: string, value: unknown): LastPart {
  let unordered: string | undefined;
  while (typeof value === "object" && value !== null) {
    const keys = Object.keys(value);
    const key = keys.at(-1) ?? "-1";
    if (!Array.isArray(value) && keys.some(isIndex)) unordered ??= pointer;
    pointer = childPointer(pointer, key);
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return { place: pointer, isText: typeof value === "string", unordered };
}

/** How many paths of whole operations the compact wire keeps, to name them by a number. */
export const keptPaths = 64;

/** A longer pointer is written in each operation, so that reading a line costs no more than its length allows. */
export const longestPlace = 1_000;
