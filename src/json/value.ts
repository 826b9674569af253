/** Any value that JSON can write (RFC 8259). */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject;

/** An array of JSON. */
export type JsonArray = JsonValue[];

/** An object of JSON. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Whether a value is an object and not an array. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The members of an object; of any other value none. */
export function entriesIn(value: JsonValue | undefined): [string, JsonValue][] {
  return isObject(value) ? Object.entries(value) : [];
}

/** Whether a value is an object or an array. */
export function isContainer(value: unknown): value is JsonArray | JsonObject {
  return typeof value === "object" && value !== null;
}

/** The value and all values in it. Without recursion, because they may be nested deeply. */
export function valuesIn(root: JsonValue): readonly JsonValue[] {
  const values = [root];
  // The list grows.
  for (const value of values) {
    if (isContainer(value)) for (const part of Object.values(value)) values.push(part);
  }
  return values;
}

/** Returns the value at a path of keys, or `undefined`. The keys of an array are its indices in decimal. */
export function valueAt(root: JsonValue | undefined, keys: readonly string[]): JsonValue | undefined {
  let value = root;
  for (const key of keys) {
    if (!isContainer(value) || !Object.hasOwn(value, key)) return undefined;
    if (Array.isArray(value) && key === "length") return undefined; // it is no element
    value = (value as JsonObject)[key];
  }
  return value;
}

/** Sets a member as `JSON.parse` does: `__proto__` is an ordinary key and never the prototype. */
export function setMember(object: JsonObject, key: string, value: JsonValue): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}

/** A copy of the object without the fields that are `undefined`, as JSON writes it. */
export function withoutUndefined<T extends object>(fields: T): WithoutUndefined<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as WithoutUndefined<T>;
}

export type WithoutUndefined<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> };
