import type { JsonArray } from "../value.js";

/**
 * An array as it stays once it is read, in as little memory as `JSON.parse` takes for it.
 *
 * One that was pushed to has room for up to half as many elements again, a short one for seventeen: a copy has none. And the
 * engine keeps the numbers of an array that may hold anything as objects of their own, unless they are small and whole. Where
 * all elements are numbers the copy has them in place: eight bytes for each, not twenty-four.
 */
export function closedArray(array: JsonArray): JsonArray {
  return hasFractions(array) ? numbers(array) : array.slice();
}

/** Whether these are numbers, and not all of them small and whole. */
function hasFractions(array: JsonArray): array is number[] {
  let fractions = false;
  for (const value of array) {
    if (typeof value !== "number") return false;
    if ((value | 0) !== value) fractions = true;
  }
  return fractions;
}

/** A copy that is one of fractions from the beginning: `[]` would be of what others made at the same place came to hold. */
function numbers(array: readonly number[]): number[] {
  let room = fractions;
  while (room.length < array.length) room = room.concat(room);
  const copy = room.slice(0, array.length);
  for (let i = 0; i < copy.length; i++) copy[i] = array[i] as number;
  return copy;
}

const fractions: readonly number[] = Array.from({ length: 256 }, () => 0.5);
