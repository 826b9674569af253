import { closedArray } from "./closed-array.js";
import { JsonFrame, type Operation } from "./json-frame.js";
import { PatchLog } from "./patch-log.js";
import type { JsonPatchOperation } from "../patch/patch.js";
import { isCompleteAt } from "./open-path.js";
import { copyOf, pointerOf, snapshotOf } from "../../tree/open-path.js";
import { childPointer, parsePointer } from "../../tree/pointer.js";
import { setMember } from "./set-member.js";
import type { JsonArray, JsonObject, JsonValue } from "../value.js";

/**
 * Builds the value while it is read, and knows at any moment what of it has been handed out.
 *
 * Only two things can still change: the containers that are open (the frames, a path from the root down) and the open
 * *leaf* at the end of that path, a string or number that grows. All else is complete and never touched again, so the
 * live value, snapshots and patches share it and copy only what is open.
 */
export class Builder {
  /** How many containers are open. */
  depth = 0;

  private readonly append: boolean;
  private readonly onComplete: ((pointer: string, value: JsonValue) => void) | undefined;
  private root: JsonValue | undefined;
  /** Somebody has the live value, so its containers must stay the same objects. */
  private live = false;
  /** Grows to the greatest depth seen; the frames above `depth` wait to be used again. */
  private readonly frames: JsonFrame[] = [];
  top: JsonFrame = new JsonFrame();

  private leafOpen = false;
  private leafValue: JsonValue = null;
  private leafName: string | number = "";
  /** Whether the live value has `leafValue` already. It is put there only when somebody looks. */
  private leafSettled = true;

  /** From this depth on nothing is shown before it is complete; NOTHING if everything is shown as it grows. */
  private hiddenFrom = NOTHING;

  /** The taker of patches has the containers below this depth; -1 until the root was taken. */
  private delivered = -1;
  private leafDelivered = false;
  private textDelivered = false;
  private leafPath: string | undefined;
  /** What the open leaf has grown by since the last patch. */
  private leafGrew = false;
  private leafSuffix = "";
  /** The operation, not yet taken, by which the open leaf appears. */
  private leafOperation: Operation | undefined;
  private readonly log: PatchLog = new PatchLog();

  /**
   * @param append whether a growing string is patched by its suffix
   * @param onComplete called with each value that is complete, also where it is not shown yet; the inner ones first
   */
  constructor(append: boolean, onComplete?: (pointer: string, value: JsonValue) => void) {
    this.append = append;
    this.onComplete = onComplete;
  }

  /** Whether the innermost open container is an array. */
  get inArray(): boolean {
    return this.top.array !== undefined;
  }

  /** Names the member of the open object whose value comes next. */
  key(key: string): void {
    this.top.nextKey(key);
  }

  openObject(hidden: boolean): void {
    this.push({}, undefined, hidden);
  }

  openArray(hidden: boolean): void {
    this.push(undefined, [], hidden);
  }

  close(): void {
    const frame = this.top;
    const depth = --this.depth;
    const isDelivered = this.delivered > depth;
    if (isDelivered) this.delivered = depth;
    this.top = depth === 0 ? frame : (this.frames[depth - 1] as JsonFrame);
    let value: JsonValue = frame.container;
    if (this.hiddenFrom === depth) {
      this.hiddenFrom = NOTHING;
      this.attach(value);
    } else if (frame.snapshot !== undefined && !frame.changed) {
      // Closing changed nothing, so those who hold the snapshot must see the very same object again.
      value = frame.snapshot;
      this.replaceLast(value);
    } else {
      if (frame.array !== undefined && !this.live) {
        value = closedArray(frame.array);
        this.replaceLast(value);
        if (frame.operation !== undefined && !isDelivered) frame.operation.value = value;
      }
      this.top.changed = true;
    }
    frame.release();
    if (this.onComplete !== undefined) this.reportComplete(value);
  }

  /** A scalar has begun that is not shown yet, and will be of one of these kinds. Only a guard wants to know. */
  beginLeaf(_kinds: number): void {}

  /** A string or number as far as it is known. Called again as it grows, with what it grew by. */
  showLeaf(value: JsonValue, suffix: string): void {
    if (this.depth > this.hiddenFrom) return;
    if (!this.leafOpen) {
      this.leafOpen = true;
      this.leafName = this.nextName();
      this.leafOperation = this.attach(value);
    } else if (this.grows(value, suffix)) {
      this.leafSettled = false;
      this.leafGrew = true;
      if (this.append) this.leafSuffix += suffix;
    }
    this.leafValue = value;
  }

  /** Of strings the suffix tells: comparing two reads both. */
  private grows(value: JsonValue, suffix: string): boolean {
    if (typeof value === "string" && typeof this.leafValue === "string") return suffix !== "";
    return value !== this.leafValue;
  }

  /** A string or scalar that is complete, whether it was shown before or not. */
  leaf(value: JsonValue, suffix: string): void {
    if (!this.leafOpen) this.attach(value);
    else {
      this.showLeaf(value, suffix);
      this.settleLeaf();
      if (this.leafGrew) this.recordLeaf();
      this.leafOpen = false;
      this.leafDelivered = false;
      this.leafPath = undefined;
    }
    if (this.onComplete !== undefined) this.reportComplete(value);
  }

  /** Further elements or members of the open container, all of them complete. */
  addAll(values: JsonArray | JsonObject): void {
    if (Array.isArray(values)) {
      for (const value of values) this.attach(value);
    } else {
      for (const key of Object.keys(values)) {
        this.top.nextKey(key);
        this.attach(values[key] as JsonValue);
      }
    }
  }

  get value(): JsonValue | undefined {
    this.live = true;
    this.settleLeaf();
    return this.root;
  }

  /** An immutable value. Costs a shallow copy of each open container that changed since the last one. */
  snapshot(): JsonValue | undefined {
    this.settleLeaf();
    return snapshotOf(this.frames, this.visibleDepth()) ?? this.root;
  }

  /** The operations that lead from what was taken last to what is known now. */
  takePatch(): JsonPatchOperation[] {
    const visible = this.visibleDepth();
    if (this.delivered < 0) return this.takeRoot(visible);
    if (this.leafGrew) this.recordLeaf();
    if (this.delivered < visible) {
      // The one operation whose value still grows must not hold the live container.
      const { operation } = this.frames[this.delivered] as JsonFrame;
      if (operation !== undefined) operation.value = this.copyOpen(this.delivered);
    }
    this.taken(visible);
    return this.log.take();
  }

  /** The first patch. */
  private takeRoot(visible: number): JsonPatchOperation[] {
    this.settleLeaf();
    if (this.root === undefined) return this.log.take();
    const value = visible === 0 ? this.root : this.copyOpen(0);
    this.leafGrew = false;
    this.leafSuffix = "";
    this.taken(visible);
    return [{ op: "replace", path: "", value }];
  }

  private taken(visible: number): void {
    this.delivered = visible;
    this.leafDelivered = this.leafOpen;
    // With `allow` and `repair` what is shown as a literal or number may turn out to be a string.
    this.textDelivered = typeof this.leafValue === "string";
    this.leafOperation = undefined;
  }

  isComplete(pointer: string): boolean {
    return isCompleteAt(parsePointer(pointer), {
      frames: this.frames,
      depth: this.visibleDepth(),
      root: this.root,
      leafName: this.leafOpen ? this.leafName : undefined,
    });
  }

  /** Where we are: the innermost open container, or the value in it that is being read. */
  pointer(inChild: boolean): string {
    if (this.depth === 0) return "";
    const pointer = pointerOf(this.frames, this.depth - 1);
    return inChild ? childPointer(pointer, this.leafOpen ? this.leafName : this.nextName()) : pointer;
  }

  /** Shows the innermost open container, if it was the one hidden. */
  protected reveal(): void {
    const { depth, top } = this;
    if (this.hiddenFrom !== depth - 1) return;
    this.hiddenFrom = NOTHING;
    this.depth = depth - 1;
    if (depth > 1) this.top = this.frames[depth - 2] as JsonFrame;
    top.operation = this.attach(top.container);
    this.top = top;
    this.depth = depth;
  }

  private push(object: JsonObject | undefined, array: JsonArray | undefined, hidden: boolean): void {
    const { depth } = this;
    const name = this.nextName();
    let operation: Operation | undefined;
    if (hidden && this.hiddenFrom === NOTHING) this.hiddenFrom = depth;
    else operation = this.attach(array ?? (object as JsonObject));
    let frame = this.frames[depth];
    if (frame === undefined) this.frames.push((frame = new JsonFrame()));
    frame.open(object, array, name);
    frame.operation = operation;
    this.top = frame;
    this.depth = depth + 1;
  }

  /** The name, in the open container, of the value that comes next. */
  private nextName(): string | number {
    return this.top.array !== undefined ? this.top.array.length : this.top.key;
  }

  /** Puts a new value into the open container, and notes it for the next patch if its taker has that container. */
  private attach(value: JsonValue): Operation | undefined {
    if (this.depth === 0) {
      this.root = value;
      return undefined;
    }
    const { top } = this;
    const operation = this.depth <= this.delivered ? this.record(top, value) : undefined;
    top.changed = true;
    if (top.array !== undefined) top.array.push(value);
    else setMember(top.object as JsonObject, top.key, value);
    return operation;
  }

  private reportComplete(value: JsonValue): void {
    const { array, key } = this.top;
    const name = array !== undefined ? array.length - 1 : key;
    const path = this.depth === 0 ? "" : childPointer(pointerOf(this.frames, this.depth - 1), name);
    this.onComplete?.(path, value);
  }

  private replaceLast(value: JsonValue): void {
    if (this.depth === 0) this.root = value;
    else this.top.setLast(this.top.container, value);
  }

  private record(frame: JsonFrame, value: JsonValue): Operation {
    const { array, key } = frame;
    const path = this.pointer(true);
    const exists = array === undefined && Object.hasOwn(frame.object as JsonObject, key);
    const operation: Operation = { op: exists ? "replace" : "add", path, value };
    this.log.note(operation, exists);
    return operation;
  }

  private settleLeaf(): void {
    if (this.leafSettled) return;
    this.leafSettled = true;
    this.replaceLast(this.leafValue);
    this.top.changed = true;
  }

  /** Brings the operations up to date with the open leaf. */
  private recordLeaf(): void {
    const value = this.leafValue;
    if (this.leafOperation !== undefined) this.leafOperation.value = value;
    else if (this.leafDelivered) {
      const path = (this.leafPath ??= this.pointer(true));
      if (this.append && this.textDelivered) {
        this.log.note({ op: "append", path, value: this.leafSuffix }, false);
      } else this.log.note({ op: "replace", path, value }, false);
    }
    this.leafGrew = false;
    this.leafSuffix = "";
  }

  private copyOpen(from: number): JsonValue {
    this.settleLeaf();
    return copyOf(this.frames, from, this.visibleDepth()) as JsonValue;
  }

  private visibleDepth(): number {
    return this.depth < this.hiddenFrom ? this.depth : this.hiddenFrom;
  }
}

/** Deeper than anything; a small integer, as the engine keeps those in place. */
const NOTHING = 2 ** 30;
