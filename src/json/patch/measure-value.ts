import type { JsonValue } from "../value.js";

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
