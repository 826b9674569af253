import { type JsonValue, valueAt } from "../../json/value.js";
import { parsePointer } from "../../tree/pointer.js";
import type { Shape } from "../guard/shape.js";
import { Reader } from "./reader.js";

/**
 * Removes the nulls that stand for absent members: members that the schema does not require, and for which it does not
 * allow null. A union can allow different members, so there is a copy for each alternative that the value may match.
 *
 * @param wrong pointers to values that the schema's own check refused. It decides where the guard knows no rules
 * @returns the copies, without the value itself
 */
export function withoutNulls(value: JsonValue, shape: Shape, wrong: ReadonlySet<string>): JsonValue[] {
  const refused = new Map<unknown, Set<string>>();
  for (const pointer of wrong) {
    const keys = parsePointer(pointer);
    const key = keys.at(-1);
    const container = valueAt(value, keys.slice(0, -1));
    if (key !== undefined) refused.set(container, (refused.get(container) ?? new Set()).add(key));
  }
  const reader = new Reader(undefined, {
    convert: () => undefined,
    // A reading that keeps all nulls is preferred.
    pick: (readings) =>
      readings.find((reading) => reading?.cost === 0) ?? readings.find((reading) => reading !== undefined),
    mayBeAbsent: ({ rules }, name) => !rules.some(({ required }) => required.includes(name)),
    isRefused: (container, key) => refused.get(container)?.has(String(key)) === true,
    nameOf: (_shape, key) => key,
    restructures: false,
  });
  const forms = new Set(reader.read(value, shape, false).map((reading) => reading?.value));
  forms.delete(undefined);
  forms.delete(value);
  return [...forms] as JsonValue[];
}
