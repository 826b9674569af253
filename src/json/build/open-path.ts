import type { Frame } from "./frame.js";
import { type JsonValue, valueAt } from "../value.js";

/** What is asked of the open containers together: they are a path, from the root down. */

/** Immutable copies of those that changed since the last time, and of those around them; `undefined` if none is open. */
export function snapshotOf(frames: readonly Frame[], depth: number): JsonValue | undefined {
  let child: JsonValue | undefined;
  let childChanged = false;
  for (let i = depth - 1; i >= 0; i--) {
    const frame = frames[i] as Frame;
    if (frame.snapshot === undefined || frame.changed || childChanged) {
      frame.snapshot = frame.copy(child);
      frame.changed = false;
      childChanged = true;
    }
    child = frame.snapshot;
  }
  return child;
}

/** A copy of one and all that are open in it. */
export function copyOf(frames: readonly Frame[], from: number, depth: number): JsonValue {
  let child: JsonValue | undefined;
  for (let i = depth - 1; i >= from; i--) child = (frames[i] as Frame).copy(child);
  return child as JsonValue;
}

/** The JSON Pointer of one. Built once, from the nearest one that has it; a loop, as the depth has no limit here. */
export function pointerOf(frames: readonly Frame[], level: number): string {
  let known = level;
  while (known > 0 && (frames[known] as Frame).pointer === undefined) known--;
  let pointer = known === 0 ? "" : ((frames[known] as Frame).pointer as string);
  for (let i = known + 1; i <= level; i++) {
    const frame = frames[i] as Frame;
    frame.pointer = pointer = (frames[i - 1] as Frame).stepTo(pointer, frame.name);
  }
  return pointer;
}

/** The open path, and where it ends. */
export interface OpenPath {
  readonly frames: readonly Frame[];
  /** How many containers are open, of those that are shown. */
  readonly depth: number;
  readonly root: JsonValue | undefined;
  /** The name of the string or number that grows, if one does, in the innermost of them. */
  readonly leafName: string | number | undefined;
}

/** Whether the value at the end of the keys is there and beside the open path: what is beside it is complete. */
export function isCompleteAt(keys: readonly string[], { frames, depth, root, leafName }: OpenPath): boolean {
  const openChildOf = (level: number): string | number | undefined =>
    level + 1 < depth ? (frames[level + 1] as Frame).name : leafName;
  let from = 0;
  while (from < depth && from < keys.length) {
    const child = openChildOf(from);
    if (child === undefined || keys[from] !== String(child)) break;
    from++;
  }
  if (from === keys.length) return from === depth && leafName === undefined && root !== undefined;
  const container = from < depth ? (frames[from] as Frame).container : depth === 0 ? root : undefined;
  return valueAt(container, keys.slice(from)) !== undefined;
}
