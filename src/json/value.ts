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
