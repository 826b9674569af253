import { closedArray } from "./closed-array.js";
import { ALL_SHOWN, JsonFrame, membersToCopy } from "./json-frame.js";
import { reportInside } from "./report-inside.js";
import * as Allow from "../allow.js";
import type { Built } from "../handler.js";
import type { JsonParserOptions, OnComplete } from "../options.js";
import type { JsonPatchOperation } from "../patch/patch.js";
import { minimalPatch, noOperations, type PendingOperation } from "../patch/patch-log.js";
import { added } from "../../stream/added.js";
import { copyOf, pointerOf, snapshotOf } from "../../tree/open-path.js";
import { childPointer, isInside, parsePointer } from "../../tree/pointer.js";
import { isContainer, type JsonObject, type JsonValue, valueAt } from "../value.js";
import { GrowingText } from "../../text/growing-text.js";

/**
 * Builds the value while it is read, and keeps track of the parts that snapshots and patches have already returned.
 *
 * Only two things can still change: the open containers (the frames, a path from the root down) and the open *leaf* at
 * the end of that path, a growing string or number. Everything else is complete and never changes, so the live value,
 * snapshots and patches share it. Only the open path is copied.
 *
 * Patches: an operation is logged for the root, and for a new value whose container an earlier patch has contained
 * (`delivered`). A value in a new container is part of the operation that adds this container. The operation of the
 * open leaf grows with it until it is taken.
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
 * The open leaf:
 *
 * | it is                                        | operation (`leafOperation`)                    |
 * | -------------------------------------------- | ---------------------------------------------- |
 * | in a container that no patch has contained   | none: part of the one that adds the container  |
 * | new in a container of an earlier patch       | `add` with its value so far                    |
 * | in an earlier patch, and grown               | `append` of what was added, or `replace`       |
 * | in an earlier patch, and the same            | none                                           |
 */
export class Builder implements Built {
  /** The number of open containers. */
  depth = 0;

  private readonly append: boolean;
  private readonly onComplete: OnComplete | undefined;
  /** Contains the root like an object its only member, so that the first patch replaces it. */
  private readonly document: JsonFrame = new JsonFrame();
  /** Whether the live value was requested. Then its containers must stay the same objects. */
  private live = false;
  /** Frames above `depth` are kept for reuse. */
  private readonly frames: JsonFrame[] = new Array<JsonFrame>(usualDepth);
  top: JsonFrame = this.document;

  /** The open leaf; `undefined` if none is shown. The live value gets it when a value or snapshot is requested. */
  private leafValue: JsonValue | undefined;

  /** From this depth on values are shown only when complete, or ALL_SHOWN. */
  private hiddenFrom = ALL_SHOWN;

  /** How many open containers patches have contained, from the root on. */
  private delivered = 0;
  /** Its JSON Pointer, if the last patch contained the open leaf. */
  private leafPath: string | undefined;
  /** The operation that adds or changes the open leaf, until it is taken. */
  private leafOperation: PendingOperation | undefined;

  /** The operations since the last patch. */
  private operations: JsonPatchOperation[] = noOperations;
  /** Whether a key was repeated, so that two operations may have the same path. */
  private repeated = false;

  /** The open string, created with the first one that is longer than its chunk. */
  private growing: GrowingText | undefined;
  private readonly allow: number;

  constructor(options: JsonParserOptions) {
    const { append = false, allow = Allow.STR | Allow.ARR | Allow.OBJ, onComplete } = options;
    this.append = append;
    this.allow = allow;
    this.onComplete = onComplete;
    this.document.object = { "": undefined as unknown as JsonValue };
  }

  /** Names the next member of the open object. */
  key(key: string): void {
    this.top.nextKey(key);
  }

  open(isArray: boolean, hidden = false): void {
    const { depth, top } = this;
    const name = top.array === undefined ? top.key : top.array.length;
    const object = isArray ? undefined : {};
    const array = isArray ? [] : undefined;
    const hides = hidden || this.isHiddenByAllow(isArray);
    let operation: PendingOperation | undefined;
    if (hides && this.hiddenFrom === ALL_SHOWN) this.hiddenFrom = depth;
    else operation = this.attach(array ?? (object as JsonObject));
    let frame = this.frames[depth];
    if (frame === undefined) this.frames[depth] = frame = new JsonFrame();
    frame.open(object, array, name);
    frame.operation = operation;
    this.top = frame;
    this.depth = depth + 1;
  }

  reveal(): void {
    const { depth, top } = this;
    if (this.hiddenFrom !== depth - 1 || this.isHiddenByAllow(top.array !== undefined)) return;
    this.hiddenFrom = ALL_SHOWN;
    this.depth = depth - 1;
    this.top = this.frames[depth - 2] ?? this.document;
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
    if (this.delivered > depth) this.delivered = depth;
    this.top = depth === 0 ? this.document : (this.frames[depth - 1] as JsonFrame);
    const { array, container, snapshot, operation } = frame;
    let value: JsonValue = container;
    if (this.hiddenFrom === depth) {
      this.hiddenFrom = ALL_SHOWN;
      this.attach(value);
    } else {
      if (snapshot === undefined || frame.changed) {
        this.top.changed = true;
        if (array !== undefined && !this.live) value = closedArray(array);
      } else value = snapshot; // the next snapshot must contain the same object (===)
      if (value !== container) {
        this.replaceLast(value);
        if (operation !== undefined) operation.value = value;
      }
    }
    frame.release();
    this.reportComplete(value);
  }

  begin(_kinds: number): void {}

  show(value: number | boolean | null): void {
    const flag = typeof value === "number" ? Allow.NUM : value === null ? Allow.NULL : Allow.BOOL;
    if ((this.allow & flag) !== 0) this.showLeaf(value, "");
  }

  text(piece: string, final: boolean): void {
    if (final) this.endLeaf(this.growing?.end(piece) ?? piece, piece);
    else {
      const growing = (this.growing ??= new GrowingText());
      growing.add(piece);
      if ((this.allow & Allow.STR) !== 0) this.showLeaf(growing.value, piece);
    }
  }

  leaf(value: JsonValue): void {
    this.endLeaf(value, "");
  }

  /** Shows an incomplete string or number. Called again as it grows, with the text that was added. */
  private showLeaf(value: JsonValue, suffix: string): void {
    if (this.depth > this.hiddenFrom) return;
    const { leafValue } = this;
    const wasText = typeof leafValue === "string";
    if (leafValue === undefined) this.leafOperation = this.attach(value);
    // Strings are not compared, because that would read both.
    else if (wasText && typeof value === "string" ? suffix !== "" : value !== leafValue) {
      this.top.changed = true;
      const operation = (this.leafOperation ??= this.logGrowth(wasText));
      if (operation?.op === "append") operation.value = (operation.value as string) + suffix;
      else if (operation !== undefined) operation.value = value;
    }
    this.leafValue = value;
  }

  /** A scalar that may have been shown before is complete, or a value that was read at once. */
  private endLeaf(value: JsonValue, suffix: string): void {
    if (this.leafValue === undefined) this.attach(value);
    else {
      this.showLeaf(value, suffix);
      this.settleLeaf();
      this.leafValue = undefined;
      this.leafPath = undefined;
    }
    const { onComplete } = this;
    if (onComplete !== undefined && isContainer(value)) reportInside(this.childFromEnd(1), value, onComplete);
    this.reportComplete(value);
  }

  hasKeys(count: number): boolean {
    return this.top.hasKeys(count);
  }

  get value(): JsonValue | undefined {
    this.live = true;
    this.settleLeaf();
    return this.root;
  }

  private get root(): JsonValue | undefined {
    return this.document.object?.[""];
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
    const { delivered, leafValue } = this;
    if (delivered < visible) {
      // The operation that adds this container has a growing value, so it gets a copy.
      const frame = this.frames[delivered] as JsonFrame;
      this.settleLeaf();
      (frame.operation as PendingOperation).value = copyOf(this.frames, delivered, visible) as JsonValue;
      frame.operation = undefined;
    }
    this.delivered = visible;
    if (leafValue !== undefined) this.leafPath ??= this.childFromEnd(1);
    this.leafOperation = undefined;
    const { operations, repeated } = this;
    this.operations = noOperations;
    this.repeated = false;
    return repeated ? minimalPatch(operations) : operations;
  }

  /** Does the value at this place exist, and is it not on the open path? A place near its end is found at any depth. */
  isComplete(pointer: string): boolean {
    const visible = this.visibleDepth();
    const top = visible === 0 ? undefined : pointerOf(this.frames, visible - 1);
    const open = this.leafValue === undefined ? top : (this.leafPath ?? this.childFromEnd(1));
    if (open !== undefined && (open === pointer || isInside(open, pointer))) return false;
    const isInTop = top !== undefined && isInside(pointer, top);
    const around = isInTop ? this.frames[visible - 1]?.container : this.root;
    return valueAt(around, parsePointer(isInTop ? pointer.slice(top.length) : pointer)) !== undefined;
  }

  container(): JsonValue {
    return this.top.container;
  }

  pointer(inChild: boolean): string {
    if (inChild) return this.childFromEnd(this.leafValue === undefined ? 0 : 1);
    return this.depth === 0 ? "" : pointerOf(this.frames, this.depth - 1);
  }

  /** The JSON Pointer of the next value in the open container, or of the one that is in it last. */
  private childFromEnd(back: 0 | 1): string {
    if (this.depth === 0) return "";
    const { array, key } = this.top;
    return childPointer(
      pointerOf(this.frames, this.depth - 1),
      array === undefined ? key : array.length - back,
    );
  }

  /** Puts a value into the open container. Logs an operation if patches contain that. */
  private attach(value: JsonValue): PendingOperation | undefined {
    const operation = this.depth <= this.delivered ? this.logNew(value) : undefined;
    this.top.changed = true;
    this.top.add(value);
    return operation;
  }

  private reportComplete(value: JsonValue): void {
    this.onComplete?.(this.childFromEnd(1), value, this.top.array !== undefined);
  }

  private replaceLast(value: JsonValue): void {
    this.top.setLast(this.top.container, value);
  }

  private logNew(value: JsonValue): PendingOperation {
    const { object, key } = this.top;
    const exists = object !== undefined && Object.hasOwn(object, key);
    this.repeated ||= exists;
    return this.log({ op: exists ? "replace" : "add", path: this.childFromEnd(0), value });
  }

  /** Logs the operation that changes the open leaf; none if the operation that adds it or its container does. */
  private logGrowth(isText: boolean): PendingOperation | undefined {
    const { leafPath: path } = this;
    // With `allow` and `repair` a shown literal or number may turn out to be a string.
    const op = this.append && isText ? "append" : "replace";
    return path === undefined ? undefined : this.log({ op, path, value: "" });
  }

  private log(operation: PendingOperation): PendingOperation {
    this.operations = added(this.operations, operation as JsonPatchOperation);
    return operation;
  }

  private settleLeaf(): void {
    if (this.leafValue !== undefined) this.replaceLast(this.leafValue);
  }

  private visibleDepth(): number {
    return Math.min(this.depth, this.hiddenFrom);
  }
}

/** A push would reserve seventeen. */
const usualDepth = 4;
