/**
 * A container that is still being read. The open containers form a path from the root down, and only they can change:
 * all values beside them are complete.
 */
export interface OpenFrame<Value> extends PlacedFrame {
  /** The immutable copy that was returned last. */
  snapshot: Value | undefined;
  /** Whether the container changed since that copy. */
  changed: boolean;
  /** Returns a copy of the container whose last child is replaced by this value. */
  copy(lastChild: Value | undefined): Value;
}

/** An open container that knows its place. */
interface PlacedFrame {
  /** Its JSON Pointer, computed on demand. */
  pointer: string | undefined;
  /** Makes its JSON Pointer. The frame around it already has one. */
  makePointer(parent: this | undefined): string;
}

/** An immutable copy of the open path. Copies the frames that changed, and those around them; reuses the others. */
export function snapshotOf<Value>(frames: readonly OpenFrame<Value>[], depth: number): Value | undefined {
  let child: Value | undefined;
  let childChanged = false;
  for (let i = depth - 1; i >= 0; i--) {
    const frame = frames[i] as OpenFrame<Value>;
    if (frame.snapshot === undefined || frame.changed || childChanged) {
      frame.snapshot = frame.copy(child);
      frame.changed = false;
      childChanged = true;
    }
    child = frame.snapshot;
  }
  return child;
}

/** A copy of the frame at `from` and of all frames in it; `undefined` if none is open there. */
export function copyOf<Value>(
  frames: readonly OpenFrame<Value>[],
  from: number,
  depth: number,
): Value | undefined {
  let child: Value | undefined;
  for (let i = depth - 1; i >= from; i--) child = (frames[i] as OpenFrame<Value>).copy(child);
  return child;
}

/** The JSON Pointer of the frame at this level. A loop, not a recursion: the depth has no limit here. */
export function pointerOf(frames: readonly PlacedFrame[], level: number): string {
  let known = level;
  while (known >= 0 && (frames[known] as PlacedFrame).pointer === undefined) known--;
  for (let i = known + 1; i <= level; i++) {
    const frame = frames[i] as PlacedFrame;
    frame.pointer = frame.makePointer(frames[i - 1]);
  }
  return (frames[level] as PlacedFrame).pointer as string;
}
