import type { JsonObject, JsonValue } from "../json/value.js";
import { isRecord, type Loose } from "../messages/loose.js";

export { isRecord, type Loose };

/** The fields of an object; none where it is no object. */
export function record(value: unknown): Loose {
  return isRecord(value) ? value : {};
}

/** A text, if there is one and it says something. */
export function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function count(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Without the fields that are `undefined`. */
export function known<T extends object>(fields: T): Known<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Known<T>;
}

export type Known<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> };

/** The fields of a request that are asked for. */
export function requestFields(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return known(fields) as JsonObject;
}

/** The fields that are known, or `undefined` where that is none. */
export function someOf<T extends object>(fields: T): Known<T> | undefined {
  const found = known(fields);
  return Object.keys(found).length === 0 ? undefined : found;
}
