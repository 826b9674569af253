import type { JsonValue } from "../../json/value.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import { isRecord } from "../loose.js";

/** A foreign value as JSON. A value that JSON cannot represent becomes a string. */
export function plainJson(value: unknown): JsonValue {
  if (value instanceof Error) return value.message;
  try {
    const text = JSON.stringify(value);
    return text === undefined ? String(value) : (JSON.parse(text) as JsonValue);
  } catch {
    return String(value);
  }
}

/** The fields of a foreign object that have a value, except for `without`. `undefined` if no field is left. */
export function plainFields(value: unknown, without: ReadonlySet<string> = none): Metadata | undefined {
  if (!isRecord(value)) return undefined;
  const fields = Object.entries(value).filter(
    ([key, field]) => field !== undefined && field !== null && !without.has(key),
  );
  if (fields.length === 0) return undefined;
  return Object.fromEntries(fields.map(([key, field]) => [key, plainJson(field)]));
}

const none: ReadonlySet<string> = new Set();
