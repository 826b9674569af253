import type { JsonCoercion, JsonCoercionKind } from "../../json/coercion.js";
import { sameData } from "../../json/patch/same-data.js";
import type { JsonValue } from "../../json/value.js";
import { childPointer } from "../../tree/pointer.js";

/** A value as one alternative of a schema reads it. */
export interface Reading {
  /** `undefined` for a member that is left out. */
  readonly value: JsonValue | undefined;
  /** The number of coercions: 0 if the value is as it was written. */
  readonly cost: number;
  readonly change?: Change;
  /** The parts that were coerced, with their names; `undefined` for a part that is the value itself. */
  readonly parts?: readonly ReadPart[];
  /**
   * The value is a part that is shown up to its first difference: the next handler has it still open, and `parts` are
   * withheld. `value` is a number that equal rests share, so that the containers around it need not compare them again.
   */
  readonly isOpen?: boolean;
}

interface Change {
  readonly kind: JsonCoercionKind;
  readonly from: JsonValue;
  readonly to: JsonValue | undefined;
}

export interface ReadPart {
  readonly name: string | number | undefined;
  readonly reading: Reading;
}

/** The readings of a value by the index of the alternative. */
export type Readings = readonly (Reading | undefined)[];

export function asWritten(value: JsonValue): Reading {
  return { value, cost: 0 };
}

/** A reading that needs one coercion more than its parts. */
export function coerced(
  change: Change,
  value: JsonValue | undefined,
  parts: readonly ReadPart[] = [],
): Reading {
  return { value, cost: 1 + costOf(parts), change, parts };
}

/** A reading of what was written in another way, or around it: a key, the document in a string, a list of one. */
export function rewritten(
  kind: JsonCoercionKind,
  from: JsonValue,
  reading: Reading,
  to: JsonValue | undefined = reading.value,
): Reading {
  return coerced({ kind, from, to }, reading.value, [{ name: undefined, reading }]);
}

export function costOf(parts: readonly ReadPart[]): number {
  return parts.reduce((cost, { reading }) => cost + reading.cost, 0);
}

/** The reading with the fewest coercions. `undefined` without one, or if two such readings give different values. */
export function best(readings: readonly (Reading | undefined)[]): Reading | undefined {
  let found: Reading | undefined;
  let isTie = false;
  for (const reading of readings) {
    if (reading === undefined || (found !== undefined && reading.cost > found.cost)) continue;
    isTie =
      found?.cost === reading.cost && (isTie || !sameData(found.value ?? nothing, reading.value ?? nothing));
    found = reading;
  }
  return isTie ? undefined : found;
}

/** Is not equal to any value. */
const nothing = {};

/** Reports the coercions of a reading, outer ones first. */
export function reportReading(
  reading: Reading,
  pointer: string,
  report: (coercion: JsonCoercion) => void,
): void {
  const open: (readonly [Reading, string])[] = [[reading, pointer]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [{ change, parts = [] }, place] = next;
    if (change !== undefined) report({ pointer: place, ...change });
    for (const { name, reading: part } of parts.toReversed()) {
      open.push([part, name === undefined ? place : childPointer(place, name)]);
    }
  }
}
