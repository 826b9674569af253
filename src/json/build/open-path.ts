import type { JsonFrame } from "./json-frame.js";
import { type JsonValue, valueAt } from "../value.js";

/** The open containers and the open leaf. */
export interface OpenPath {
  readonly frames: readonly JsonFrame[];
  /** The number of open containers that are shown. */
  readonly depth: number;
  readonly root: JsonValue | undefined;
  /** The key or index of the open leaf in the innermost container; `undefined` if no leaf is open. */
  readonly leafName: string | number | undefined;
}

/** Whether the value at this path exists and is not on the open path. All such values are complete. */
export function isCompleteAt(keys: readonly string[], { frames, depth, root, leafName }: OpenPath): boolean {
  const openChildOf = (level: number): string | number | undefined =>
    level + 1 < depth ? (frames[level + 1] as JsonFrame).name : leafName;
  let from = 0;
  while (from < depth && from < keys.length) {
    const child = openChildOf(from);
    if (child === undefined || keys[from] !== String(child)) break;
    from++;
  }
  if (from === keys.length) return from === depth && leafName === undefined && root !== undefined;
  const container = from < depth ? (frames[from] as JsonFrame).container : depth === 0 ? root : undefined;
  return valueAt(container, keys.slice(from)) !== undefined;
}
