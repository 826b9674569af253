import type { JsonObject, JsonValue } from "../json/value.js";
import { isRecord, type Loose } from "../messages/loose.js";

export { isRecord, type Loose };

/** The fields of an object; none where it is no object. */
export function asRecord(value: unknown): Loose {
  return isRecord(value) ? value : {};
}

/** A text, if there is one and it says something. */
export function nonEmptyText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Without the fields that are `undefined`. */
export function withoutUndefined<T extends object>(fields: T): WithoutUndefined<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as WithoutUndefined<T>;
}

export type WithoutUndefined<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> };

/** The fields of a request that are asked for. */
export function requestFields(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return withoutUndefined(fields) as JsonObject;
}

/** The fields that are known, or `undefined` where that is none. */
export function fieldsOrUndefined<T extends object>(fields: T): WithoutUndefined<T> | undefined {
  const found = withoutUndefined(fields);
  return Object.keys(found).length === 0 ? undefined : found;
}
