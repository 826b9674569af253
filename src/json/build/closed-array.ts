import type { JsonArray } from "../value.js";

/**
 * Returns a copy of a complete array that takes as little memory as one made by `JSON.parse`.
 *
 * An array that was pushed to has room for up to half as many elements again, a short one for seventeen. A copy has no
 * spare room. V8 also stores each number of a mixed array in an object of its own, unless it is a small integer. If all
 * elements are numbers, the copy stores them in place: eight bytes each instead of twenty-four.
 */
export function closedArray(array: JsonArray): JsonArray {
  return hasFractions(array) ? numbers(array) : array.slice();
}

/** Whether all elements are numbers, and at least one is not a small integer. */
function hasFractions(array: JsonArray): array is number[] {
  let fractions = false;
  for (const value of array) {
    if (typeof value !== "number") return false;
    if ((value | 0) !== value) fractions = true;
  }
  return fractions;
}

/**
 * Copies into an array of fractions: V8 gives `[]` the kind of elements that earlier arrays from the same place had.
 */
function numbers(array: readonly number[]): number[] {
  let room = fractions;
  while (room.length < array.length) room = room.concat(room);
  const copy = room.slice(0, array.length);
  for (let i = 0; i < copy.length; i++) copy[i] = array[i] as number;
  return copy;
}

const fractions: readonly number[] = Array.from({ length: 256 }, () => 0.5);
