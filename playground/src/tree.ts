import type { JsonArray, JsonObject, JsonValue } from "millrace/json";

/** Whether a value is an object and not an array. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return isContainer(value) && !Array.isArray(value);
}

/** Whether a value is an object or an array. */
export function isContainer(value: unknown): value is JsonArray | JsonObject {
  return typeof value === "object" && value !== null;
}

/** Returns the value at a path of keys, or `undefined`. */
export function valueAt(root: JsonValue | undefined, keys: readonly string[]): JsonValue | undefined {
  let value = root;
  for (const key of keys) {
    if (!isContainer(value) || !isMember(value, key)) return undefined;
    value = (value as JsonObject)[key];
  }
  return value;
}

/** Whether a container has the key. `length` of an array is none. */
function isMember(container: JsonArray | JsonObject, key: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(container, key);
}

/** Appends a key to a JSON Pointer (RFC 6901). */
export function childPointer(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The pointer of the container. */
export function parentPointer(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf("/"));
}

/** Splits a JSON Pointer into its keys, from the root down. */
export function parsePointer(pointer: string): string[] {
  const parts = pointer.split("/").slice(1);
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}
