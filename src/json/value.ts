import { isIndex } from "../tree/pointer.js";

/** Any value that JSON can write (RFC 8259). */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;

/** An array of JSON. */
export type JsonArray = JsonValue[];

/** An object of JSON. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Whether a value is an object, and no array. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at the end of the keys, or `undefined` where there is none. An array takes its index as a decimal key. */
export function valueAt(root: JsonValue | undefined, keys: readonly string[]): JsonValue | undefined {
  let value = root;
  for (const key of keys) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    if (Array.isArray(value)) value = isIndex(key) ? value[Number(key)] : undefined;
    else value = value[key];
  }
  return value;
}
