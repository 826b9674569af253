import { defaultMaxLength } from "../options.js";
import type { JsonValue } from "../value.js";
import { freeWork, type WorkBudgetOptions, workPerCharacter } from "../../tree/work-budget.js";
import { type AnyPatchOperation, operandOf } from "./patch.js";

/** How large a value is. */
export interface ValueSize {
  /** The number of containers inside each other. */
  readonly depth: number;
  /** About its length as JSON. A value in two places counts twice. */
  readonly length: number;
}

/**
 * Measures a value without recursion. It stops beyond a bound: a value that was copied into itself again and again is
 * short in memory, and endless as JSON, and so is one that contains itself.
 */
export function measureValue(root: JsonValue, maxLength: number, maxDepth = Infinity): ValueSize {
  let depth = 0;
  let length = 0;
  const open: { readonly values: readonly JsonValue[]; next: number }[] = [];
  const add = (value: JsonValue): void => {
    length += typeof value === "string" ? value.length + 2 : 4;
    if (typeof value !== "object" || value === null) return;
    if (!Array.isArray(value)) for (const key of Object.keys(value)) length += key.length + 2;
    open.push({ values: Array.isArray(value) ? value : Object.values(value), next: 0 });
    depth = Math.max(depth, open.length);
  };
  add(root);
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    if (length > maxLength || depth > maxDepth) break;
    if (last.next < last.values.length) add(last.values[last.next++] as JsonValue);
    else open.pop();
  }
  return { depth, length };
}

/** The length of a value that came in. Of one that is longer or deeper than any text, or contains itself, a part counts. */
export function measureReceived(value: JsonValue): number {
  return measureValue(value, 2 * defaultMaxLength, 10_000).length;
}

/** The length of a patch that came in. */
export function measurePatch(patch: readonly AnyPatchOperation[]): number {
  return patch.reduce((length, operation) => {
    const known = Object(operation) as AnyPatchOperation;
    return length + measureReceived([known.op, known.path, operandOf(known) ?? null]);
  }, 0);
}

/**
 * A budget for those who write the values of patches that a parser has made. The parser counts the text around them
 * too, so it refuses copies first.
 */
export const generous: WorkBudgetOptions = {
  factor: 2 * workPerCharacter,
  free: 4 * freeWork,
  copyWork: (value: JsonValue, atMost) => measureValue(value, atMost).length,
};
