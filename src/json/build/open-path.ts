import type { JsonFrame } from "./json-frame.js";
import { type JsonValue, valueAt } from "../value.js";

/** The open path, and where it ends. */
export interface OpenPath {
  readonly frames: readonly JsonFrame[];
  /** How many containers are open, of those that are shown. */
  readonly depth: number;
  readonly root: JsonValue | undefined;
  /** The name of the string or number that grows, if one does, in the innermost of them. */
  readonly leafName: string | number | undefined;
}

/** Whether the value at the end of the keys is there and beside the open path: what is beside it is complete. */
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
