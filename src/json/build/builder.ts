import { closedArray } from "./closed-array.js";
import { ALL_SHOWN, JsonFrame, membersToCopy, type PendingOperation } from "./json-frame.js";
import { reportInside } from "./report-inside.js";
import * as Allow from "../allow.js";
import type { Built } from "../handler.js";
import type { JsonParserOptions, OnComplete } from "../options.js";
import type { JsonPatchOperation } from "../patch/patch.js";
import { PatchLog } from "../patch/patch-log.js";
import { copyOf, pointerOf, snapshotOf } from "../../tree/open-path.js";
import { childPointer, isInside, parsePointer } from "../../tree/pointer.js";
import { isContainer, type JsonArray, type JsonObject, type JsonValue, valueAt } from "../value.js";
import { GrowingText } from "../../text/growing-text.js";

/**
 * Builds the value while it is read, and keeps track of the parts that snapshots and patches have already returned.
 *
 * Only two things can still change: the open containers (the frames, a path from the root down) and the open *leaf* at
 * the end of that path, a growing string or number. Everything else is complete and never changes, so the live value,
 * snapshots and patches share it. Only the open path is copied.
 *
 * Patches: an operation is logged for a new value whose container an earlier patch has contained (`delivered`). A value in
 * a new container is part of the operation that adds this container. The open leaf is logged once, when a patch is taken.
 *
 * The chunks `{"a": [1, "x` and `y"` give:
 *
 * ```text
 * open(false) key("a") open(true) leaf(1) text("x", false)
 *   takePatch()   [{op: "replace", path: "", value: {a: [1, "x"]}}]
 * text("y", true)
 *   takePatch()   [{op: "replace", path: "/a/1", value: "xy"}]
 * ```
 *
 * The open leaf, when a patch is taken:
 *
 * | it is                                        | operation                                      |
 * | -------------------------------------------- | ---------------------------------------------- |
 * | in a container that no patch has contained   | none: part of the one that adds the container  |
 * | new in a container of an earlier patch       | `add` with its value so far (`leafOperation`)  |
 * | in an earlier patch, and grown (`leafGrew`)  | `replace`, or `append` of `leafSuffix`         |
 * | in an earlier patch, and the same            | none                                           |
 */
export class Builder extends PatchLog implements Built {
  /** The number of open containers. */
  depth = 0;

  private readonly append: boolean;
  private readonly onComplete: OnComplete | undefined;
  private root: JsonValue | undefined;
  /** Whether the live value was requested. Then its containers must stay the same objects. */
  private live = false;
  /** Frames above `depth` are kept for reuse. */
  private readonly frames: JsonFrame[] = new Array<JsonFrame>(usualDepth);
  top: JsonFrame = new JsonFrame();

  private leafOpen = false;
  private leafValue: JsonValue = null;
  /** Whether the live value contains `leafValue`, which is stored only when a value or snapshot is requested. */
  private leafSettled = true;

  /** From this depth on values are shown only when complete, or ALL_SHOWN. */
  private hiddenFrom = ALL_SHOWN;

  /** How many open containers patches have contained, from the root on; -1 before. */
  private delivered = -1;
  private leafDelivered = false;
  private textDelivered = false;
  private leafPath: string | undefined;
  /** Whether and by which text the open leaf has grown since the last patch. */
  private leafGrew = false;
  private leafSuffix = "";
  /** The operation that adds the open leaf, until it is taken. */
  private leafOperation: PendingOperation | undefined;

  /** The open string, created with the first one that is longer than its chunk. */
  private growing: GrowingText | undefined;
  private readonly allow: number;

  /** @param onComplete called with each complete value, also if it is not shown yet. Inner values come first */
  constructor(
    { append = false, allow = Allow.STR | Allow.ARR | Allow.OBJ }: JsonParserOptions,
    onComplete?: OnComplete,
  ) {
    super();
    this.append = append;
    this.allow = allow;
    this.onComplete = onComplete;
  }

  /** Names the next member of the open object. */
  key(key: string): void {
    this.top.nextKey(key);
  }

  open(isArray: boolean, hidden = false): void {
    const hides = hidden || this.isHiddenByAllow(isArray);
    if (isArray) this.push(undefined, [], hides);
    else this.push({}, undefined, hides);
  }

  reveal(): void {
    const { depth, top } = this;
    if (this.hiddenFrom !== depth - 1 || this.isHiddenByAllow(top.array !== undefined)) return;
    this.hiddenFrom = ALL_SHOWN;
    this.depth = depth - 1;
    this.top = this.frames[depth - 2] ?? top;
    top.operation = this.attach(top.container);
    this.top = top;
    this.depth = depth;
  }

  private isHiddenByAllow(isArray: boolean): boolean {
    return (this.allow & (isArray ? Allow.ARR : Allow.OBJ)) === 0;
  }

  close(): void {
    const frame = this.top;
    const depth = --this.depth;
    const isDelivered = this.delivered > depth;
    if (isDelivered) this.delivered = depth;
    this.top = depth === 0 ? frame : (this.frames[depth - 1] as JsonFrame);
    let value: JsonValue = frame.container;
    if (this.hiddenFrom === depth) {
      this.hiddenFrom = ALL_SHOWN;
      this.attach(value);
    } else if (frame.snapshot !== undefined && !frame.changed) {
      // Nothing has changed, so the next snapshot must contain the same object (===).
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

  begin(_kinds: number): void {}

  show(value: number | boolean | null): void {
    const flag = typeof value === "number" ? Allow.NUM : value === null ? Allow.NULL : Allow.BOOL;
    if ((this.allow & flag) !== 0) this.showLeaf(value, "");
  }

  text(piece: string, final: boolean): void {
    if (final) {
      this.endLeaf(this.growing === undefined ? piece : this.growing.end(piece), piece);
      return;
    }
    const growing = (this.growing ??= new GrowingText());
    growing.add(piece);
    if ((this.allow & Allow.STR) !== 0) this.showLeaf(growing.value, piece);
  }

  leaf(value: JsonValue): void {
    this.endLeaf(value, "");
  }

  /** Shows an incomplete string or number. Called again as it grows, with the text that was added. */
  private showLeaf(value: JsonValue, suffix: string): void {
    if (this.depth > this.hiddenFrom) return;
    if (!this.leafOpen) {
      this.leafOperation = this.attach(value);
      this.leafOpen = true;
    } else if (isText(value) && isText(this.leafValue) ? suffix !== "" : value !== this.leafValue) {
      // Strings are not compared, because that would read both.
      this.leafSettled = false;
      this.leafGrew = true;
      if (this.append) this.leafSuffix += suffix;
    }
    this.leafValue = value;
  }

  /** A scalar that may have been shown before is complete, or a value that was read at once. */
  private endLeaf(value: JsonValue, suffix: string): void {
    if (!this.leafOpen) this.attach(value);
    else {
      this.showLeaf(value, suffix);
      this.settleLeaf();
      if (this.leafGrew) this.logLeaf();
      this.leafOpen = false;
      this.leafDelivered = false;
      this.leafPath = undefined;
    }
    if (this.onComplete === undefined) return;
    if (isContainer(value)) reportInside(this.pointerOfLast(), value, this.onComplete);
    this.reportComplete(value);
  }

  hasKeys(count: number): boolean {
    return this.top.hasKeys(count);
  }

  /** Adds complete elements or members to the open container. */
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

  /** An immutable value. Copies each open container that changed since the last snapshot. */
  snapshot(): JsonValue | undefined {
    this.settleLeaf();
    return snapshotOf(this.frames, this.visibleDepth()) ?? this.root;
  }

  get openMembers(): number {
    return membersToCopy(this.frames, this.visibleDepth());
  }

  /** The operations from the last patch to the current value. */
  takePatch(): JsonPatchOperation[] {
    const visible = this.visibleDepth();
    if (this.delivered < 0) return this.takeRoot(visible);
    if (this.leafGrew) {
      // Most chunks only make a string longer.
      if (this.leafDelivered && this.delivered === visible && this.logIsEmpty) return [this.takeGrowth()];
      this.logLeaf();
    }
    if (this.delivered < visible) {
      // This operation contains a growing value, so a copy of the live container.
      const frame = this.frames[this.delivered] as JsonFrame;
      if (frame.operation !== undefined) frame.operation.value = this.copyOpen(this.delivered);
      frame.operation = undefined;
    }
    this.taken(visible);
    return this.takeLog();
  }

  /** The first patch. */
  private takeRoot(visible: number): JsonPatchOperation[] {
    this.settleLeaf();
    if (this.root === undefined) return this.takeLog();
    const value = visible === 0 ? this.root : this.copyOpen(0);
    this.leafGrew = false;
    this.leafSuffix = "";
    this.taken(visible);
    return [{ op: "replace", path: "", value }];
  }

  private taken(visible: number): void {
    this.delivered = visible;
    this.leafDelivered = this.leafOpen;
    this.textDelivered = isText(this.leafValue);
    this.leafOperation = undefined;
  }

  /** Does the value at this place exist, and is it not on the open path? A place near its end is found at any depth. */
  isComplete(pointer: string): boolean {
    const visible = this.visibleDepth();
    const top = visible === 0 ? undefined : pointerOf(this.frames, visible - 1);
    const open = this.leafOpen ? (this.leafPath ??= this.pointerOfLast()) : top;
    if (open !== undefined && (open === pointer || isInside(open, pointer))) return false;
    const isInTop = top !== undefined && isInside(pointer, top);
    const around = isInTop ? this.frames[visible - 1]?.container : this.root;
    return valueAt(around, parsePointer(isInTop ? pointer.slice(top.length) : pointer)) !== undefined;
  }

  container(): JsonValue {
    return this.top.container;
  }

  pointer(inChild: boolean): string {
    if (this.depth === 0) return "";
    if (inChild && this.leafOpen) return this.pointerOfLast();
    const pointer = pointerOf(this.frames, this.depth - 1);
    return inChild ? childPointer(pointer, this.nextName()) : pointer;
  }

  private push(object: JsonObject | undefined, array: JsonArray | undefined, hidden: boolean): void {
    const { depth } = this;
    const name = this.nextName();
    let operation: PendingOperation | undefined;
    if (hidden && this.hiddenFrom === ALL_SHOWN) this.hiddenFrom = depth;
    else operation = this.attach(array ?? (object as JsonObject));
    let frame = this.frames[depth];
    if (frame === undefined) this.frames[depth] = frame = new JsonFrame();
    frame.open(object, array, name);
    frame.operation = operation;
    this.top = frame;
    this.depth = depth + 1;
  }

  /** The key or index of the next value in the open container. */
  private nextName(): string | number {
    return this.top.array !== undefined ? this.top.array.length : this.top.key;
  }

  /** Puts a value into the open container. Logs an operation if patches contain that. */
  private attach(value: JsonValue): PendingOperation | undefined {
    if (this.depth === 0) {
      this.root = value;
      return undefined;
    }
    const { top } = this;
    const operation = this.depth <= this.delivered ? this.logNew(top, value) : undefined;
    top.changed = true;
    top.add(value);
    return operation;
  }

  private reportComplete(value: JsonValue): void {
    this.onComplete?.(this.pointerOfLast(), value, this.depth > 0 && this.top.array !== undefined);
  }

  /** The JSON Pointer of the value that is in the open container last. */
  private pointerOfLast(): string {
    if (this.depth === 0) return "";
    const { array, key } = this.top;
    const name = array !== undefined ? array.length - 1 : key;
    return childPointer(pointerOf(this.frames, this.depth - 1), name);
  }

  private replaceLast(value: JsonValue): void {
    if (this.depth === 0) this.root = value;
    else this.top.setLast(this.top.container, value);
  }

  private logNew(frame: JsonFrame, value: JsonValue): PendingOperation {
    const { array, key } = frame;
    const path = this.pointer(true);
    const exists = array === undefined && Object.hasOwn(frame.object as JsonObject, key);
    const operation: PendingOperation = { op: exists ? "replace" : "add", path, value };
    this.log(operation, exists);
    return operation;
  }

  private settleLeaf(): void {
    if (this.leafSettled) return;
    this.leafSettled = true;
    this.replaceLast(this.leafValue);
    this.top.changed = true;
  }

  /** Updates the operations with the open leaf. */
  private logLeaf(): void {
    if (this.leafOperation !== undefined) this.leafOperation.value = this.leafValue;
    else if (this.leafDelivered) this.log(this.takeGrowth(), false);
    this.leafGrew = false;
    this.leafSuffix = "";
  }

  /** The operation that changes the leaf that was delivered. */
  private takeGrowth(): JsonPatchOperation {
    const { leafValue, leafSuffix } = this;
    const path = (this.leafPath ??= this.pointer(true));
    this.leafGrew = false;
    this.leafSuffix = "";
    if (this.append && this.textDelivered) return { op: "append", path, value: leafSuffix };
    // With `allow` and `repair` a shown literal or number may turn out to be a string.
    this.textDelivered = isText(leafValue);
    return { op: "replace", path, value: leafValue };
  }

  private copyOpen(from: number): JsonValue {
    this.settleLeaf();
    return copyOf(this.frames, from, this.visibleDepth()) as JsonValue;
  }

  private visibleDepth(): number {
    return Math.min(this.depth, this.hiddenFrom);
  }
}

/** A push would reserve seventeen. */
const usualDepth = 4;

function isText(value: JsonValue): boolean {
  return typeof value === "string";
}
