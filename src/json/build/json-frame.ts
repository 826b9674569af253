import type { OpenFrame } from "../../tree/open-path.js";
import { childPointer } from "../../tree/pointer.js";
import type { PendingOperation } from "../patch/patch-log.js";
import { setMember, type JsonArray, type JsonObject, type JsonValue } from "../value.js";

/**
 * How many members a snapshot copies if all of these containers changed. 25 elements of an array count as one: with 60,
 * a character of an array of 2 MB cost 2.7 times one of 64 KB, with a snapshot for each 64 characters.
 *
 * V8 gives a container that does not fit into one of its pages memory of its own, which the system clears first. So
 * five elements of such an array count as one, and a key of such an object counts as two. If it counted as one, each of
 * 20,000 keys would cost 3.2 times each of 2,500.
 */
export function membersToCopy(frames: readonly JsonFrame[], depth: number): number {
  let members = 0;
  for (let i = 0; i < depth; i++) {
    const { array, keys } = frames[i] as JsonFrame;
    if (array === undefined) members += keys > maxKeysInPage ? 2 * keys : keys;
    else members += array.length / (array.length > maxElementsInPage ? 5 : 25);
  }
  return members;
}

/** V8 stores an object with so many keys as a hash table, and takes four times as long to spread it. */
const manyKeys = 25;

/** A page of V8 holds 128 KB: an element has 8 bytes, and a key 24 in a hash table with room for 4,096. */
const maxElementsInPage = 16_000;
const maxKeysInPage = 2_700;

/** An open container. Its last child may change, and others may follow. */
export class JsonFrame implements OpenFrame<JsonValue> {
  /** The live container is in one of these two fields. Two fields keep each access monomorphic. */
  object: JsonObject | undefined;
  array: JsonArray | undefined;
  /** Its key or index in the container around it. */
  name: string | number = "";
  /** Its JSON Pointer, once it was requested. */
  pointer: string | undefined;
  /**
   * The number of keys of the object, or more: duplicate keys are counted again until `hasKeys()` needs the exact
   * number.
   */
  keys = 0;
  private exact = false;
  /** The keys of a wide object, from its first copy on. Without them, a copy takes twice as long. */
  private names: string[] | undefined;
  /** The key of the member that is being read, or was read last. */
  key = "";
  /** The immutable copy that was returned last, and whether the container has changed since. */
  snapshot: JsonObject | JsonArray | undefined;
  changed = false;
  /** The operation that adds this container, until it is taken. */
  operation: PendingOperation | undefined;

  get container(): JsonObject | JsonArray {
    return this.array ?? (this.object as JsonObject);
  }

  open(object: JsonObject | undefined, array: JsonArray | undefined, name: string | number): void {
    this.object = object;
    this.array = array;
    this.name = name;
    this.keys = 0;
    this.exact = false;
    this.names = undefined;
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

  /** Adds an element, or a member with the current key. */
  add(value: JsonValue): void {
    if (this.array !== undefined) this.array.push(value);
    else {
      setMember(this.object as JsonObject, this.key, value);
      this.names?.push(this.key);
    }
  }

  makePointer(parent: JsonFrame | undefined): string {
    return parent === undefined ? "" : childPointer(parent.pointer as string, this.name);
  }

  /** Returns a copy of the container whose last child is replaced by this value. */
  copy(last: JsonValue | undefined): JsonObject | JsonArray {
    const copy = this.array !== undefined ? this.array.slice() : this.copyMembers(this.object as JsonObject);
    if (last !== undefined) this.setLast(copy, last);
    return copy;
  }

  private copyMembers(object: JsonObject): JsonObject {
    if (this.keys < manyKeys) return { ...object };
    const copy: JsonObject = {};
    for (const key of (this.names ??= Object.keys(object))) setMember(copy, key, object[key] as JsonValue);
    return copy;
  }

  /** Replaces the value of the current child in the container or a copy of it. */
  setLast(container: JsonObject | JsonArray, value: JsonValue): void {
    if (Array.isArray(container)) container[container.length - 1] = value;
    else setMember(container, this.key, value);
  }

  /** Drops all references, so that a frame kept for reuse does not keep values in memory. */
  release(): void {
    this.object = undefined;
    this.array = undefined;
    this.pointer = undefined;
    this.snapshot = undefined;
    this.operation = undefined;
  }
}

/** Deeper than any container. V8 stores small integers in place. */
export const ALL_SHOWN: number = 2 ** 30;
