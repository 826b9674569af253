import { valueAt, type JsonValue } from "../value.js";
import type { JsonFrame } from "./json-frame.js";

/**
 * Whether the value at these keys exists and is not on the open path. All such values are complete.
 *
 * @param depth the number of open containers that are shown
 * @param leaf the key or index of the open leaf; `undefined` without one
 */
export function isCompleteAt(
  keys: readonly string[],
  frames: readonly JsonFrame[],
  depth: number,
  leaf: string | number | undefined,
  root: JsonValue | undefined,
): boolean {
  let from = 0;
  while (from < depth && from < keys.length) {
    const open = from + 1 < depth ? (frames[from + 1] as JsonFrame).name : leaf;
    if (open === undefined || keys[from] !== String(open)) break;
    from++;
  }
  if (from === keys.length) return from === depth && leaf === undefined && root !== undefined;
  const container = from < depth ? (frames[from] as JsonFrame).container : depth === 0 ? root : undefined;
  return valueAt(container, keys.slice(from)) !== undefined;
}
