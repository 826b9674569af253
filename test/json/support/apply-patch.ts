import type { JsonArray, JsonObject, JsonPatchOperation, JsonValue } from "millrace";
import { sameMembers } from "./same-members.js";

/** All operations of RFC 6902, and our `append`. */
export type AnyOperation =
  | JsonPatchOperation
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string }
  | { readonly op: "test"; readonly path: string; readonly value: JsonValue };

/**
 * The reference: applies a patch by RFC 6902, slowly, without mutating the document, the patch or a prototype.
 * fast-json-patch, the other reference, rejects `__proto__` and mutates both. This one is checked with the official
 * suite (json-patch-test-suite.test.ts) and compared with fast-json-patch (apply-patch.test.ts).
 *
 * @throws {Error} if an operation is malformed or does not fit the document
 */
export function applyPatch(document: JsonValue, patch: readonly AnyOperation[]): JsonValue {
  return patch.reduce(applyOperation, document);
}

function applyOperation(document: JsonValue, operation: AnyOperation): JsonValue {
  const keys = keysOf(operation.path);
  switch (operation.op) {
    case "add":
      return add(document, keys, required(operation.value));
    case "replace":
      return replace(document, keys, required(operation.value));
    case "remove":
      return remove(document, keys);
    case "copy":
      return add(document, keys, get(document, keysOf(operation.from)));
    case "move": {
      const value = get(document, keysOf(operation.from));
      return add(remove(document, keysOf(operation.from)), keys, value);
    }
    case "test":
      if (sameMembers(get(document, keys), required(operation.value))) return document;
      throw new Error(`The test of ${JSON.stringify(operation.path)} failed.`);
    case "append": {
      const before = get(document, keys);
      if (typeof before !== "string") throw new Error(`No string at ${JSON.stringify(operation.path)}.`);
      return replace(document, keys, before + operation.value);
    }
    default:
      throw new Error(`No operation of RFC 6902: ${JSON.stringify(operation)}.`);
  }
}

/** The types require a value, but the suite has malformed patches without one. */
function required(value: JsonValue | undefined): JsonValue {
  if (value === undefined) throw new Error("The operation has no value.");
  return value;
}

function keysOf(pointer: unknown): readonly string[] {
  if (typeof pointer !== "string" || !/^(?:\/(?:[^~/]|~[01])*)*$/.test(pointer)) {
    throw new Error(`No JSON Pointer: ${JSON.stringify(pointer)}.`);
  }
  return pointer
    .split("/")
    .slice(1)
    .map((key) => key.replace(/~[01]/g, (escape) => (escape === "~1" ? "/" : "~")));
}

function get(document: JsonValue, keys: readonly string[]): JsonValue {
  return keys.reduce<JsonValue>((value, key) => child(value, key), document);
}

function child(value: JsonValue, key: string): JsonValue {
  if (Array.isArray(value)) return value[index(key, value.length - 1)] as JsonValue;
  const found = Object.getOwnPropertyDescriptor(asObject(value), key);
  if (found === undefined) throw new Error(`No member ${JSON.stringify(key)}.`);
  return found.value as JsonValue;
}

/** Copies the containers from the root to the parent of the place, and lets `change` mutate the copy of the parent. */
function within(
  document: JsonValue,
  keys: readonly string[],
  change: (parent: JsonArray | JsonObject, key: string) => void,
): JsonValue {
  const [key, ...rest] = keys as [string, ...string[]];
  const copy = copyOne(document);
  if (rest.length === 0) change(copy, key);
  else {
    const inner = within(child(document, key), rest, change);
    if (Array.isArray(copy)) copy[Number(key)] = inner;
    else define(copy, key, inner);
  }
  return copy;
}

function add(document: JsonValue, keys: readonly string[], value: JsonValue): JsonValue {
  if (keys.length === 0) return value;
  return within(document, keys, (parent, key) => {
    if (Array.isArray(parent))
      parent.splice(key === "-" ? parent.length : index(key, parent.length), 0, value);
    else define(parent, key, value);
  });
}

function replace(document: JsonValue, keys: readonly string[], value: JsonValue): JsonValue {
  if (keys.length === 0) return value;
  return within(document, keys, (parent, key) => {
    child(parent, key); // "the target location MUST exist" (section 4.3)
    if (Array.isArray(parent)) parent[Number(key)] = value;
    else define(parent, key, value);
  });
}

function remove(document: JsonValue, keys: readonly string[]): JsonValue {
  if (keys.length === 0) throw new Error("The root cannot be removed.");
  return within(document, keys, (parent, key) => {
    child(parent, key);
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else Reflect.deleteProperty(parent, key);
  });
}

function copyOne(value: JsonValue): JsonArray | JsonObject {
  return Array.isArray(value) ? value.slice() : { ...asObject(value) };
}

function define(object: JsonObject, key: string, value: JsonValue): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

function asObject(value: JsonValue): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new Error(`Neither an object nor an array: ${JSON.stringify(value)}.`);
}

/** RFC 6901 section 4: no sign, no leading zero. */
function index(key: string, last: number): number {
  if (!/^(?:0|[1-9]\d*)$/.test(key) || Number(key) > last) {
    throw new Error(`No index up to ${last}: ${JSON.stringify(key)}.`);
  }
  return Number(key);
}
