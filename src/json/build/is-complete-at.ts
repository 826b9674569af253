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
  let at = 0;
  for (let i = 0; i < depth; i++) {
    const { list, container } = frames[i] as JsonFrame;
    if (list !== undefined && keys[at++] !== "0") return false;
    if (at >= keys.length) return false;
    const open = i + 1 < depth ? (frames[i + 1] as JsonFrame).name : leaf;
    if (open === undefined || keys[at] !== String(open)) {
      return valueAt(container, keys.slice(at)) !== undefined;
    }
    at++;
  }
  return depth === 0 && leaf === undefined && valueAt(root, keys) !== undefined;
}
