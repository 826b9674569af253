import { copyObject } from "./copy-object.js";
import type { OpenFrame } from "../../tree/open-path.js";
import { childPointer } from "../../tree/pointer.js";
import { setMember } from "./set-member.js";
import type { JsonArray, JsonObject, JsonValue } from "../value.js";

/** An operation that nobody has yet, so that its value may still be brought up to date. */
export interface Operation {
  op: "add" | "replace";
  path: string;
  value: JsonValue;
}

/** A container that is open: still being read, so that its last child may change and others may follow. */
export class JsonFrame implements OpenFrame<JsonValue> {
  /** The live container: one of the two is set. Two fields keep each access monomorphic. */
  object: JsonObject | undefined;
  array: JsonArray | undefined;
  /** Its own name in the container around it. */
  name: string | number = "";
  /** Its JSON Pointer, once somebody asked for it. */
  pointer: string | undefined;
  /** How many keys the object has, at most: those that came again are counted again, until that matters. */
  keys = 0;
  private exact = false;
  /** The name of the member that is being read, or was read last. */
  key = "";
  /** The immutable copy that was handed out last, and whether the container has changed since. */
  snapshot: JsonObject | JsonArray | undefined;
  changed = false;
  /** The operation, not yet taken, by which this container appears. */
  operation: Operation | undefined;

  get container(): JsonObject | JsonArray {
    return this.array ?? (this.object as JsonObject);
  }

  open(object: JsonObject | undefined, array: JsonArray | undefined, name: string | number): void {
    this.object = object;
    this.keys = 0;
    this.exact = false;
    this.array = array;
    this.name = name;
  }

  /** Another member has begun. */
  nextKey(key: string): void {
    this.key = key;
    if (!this.exact || !Object.hasOwn(this.object as JsonObject, key)) this.keys++;
  }

  /** Whether the object has this many keys, each counted once. */
  hasKeys(count: number): boolean {
    if (this.keys < count) return false;
    if (!this.exact) this.keys = Object.keys(this.object as JsonObject).length;
    this.exact = true;
    return this.keys >= count;
  }

  makePointer(parent: JsonFrame | undefined): string {
    return parent === undefined ? "" : childPointer(parent.pointer as string, this.name);
  }

  /** A copy of the container with another value in place of its last. */
  copy(last: JsonValue | undefined): JsonObject | JsonArray {
    const copy =
      this.array !== undefined ? this.array.slice() : copyObject(this.object as JsonObject, this.keys);
    if (last !== undefined) this.setLast(copy, last);
    return copy;
  }

  /** Replaces the value of the current child in the container or a copy of it. */
  setLast(container: JsonObject | JsonArray, value: JsonValue): void {
    if (Array.isArray(container)) container[container.length - 1] = value;
    else setMember(container, this.key, value);
  }

  /** Lets go of everything, so that what was read does not outlive its reader's interest. */
  release(): void {
    this.object = undefined;
    this.array = undefined;
    this.pointer = undefined;
    this.snapshot = undefined;
    this.operation = undefined;
  }
}
