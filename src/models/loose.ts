import { type JsonObject, type JsonValue, type WithoutUndefined, withoutUndefined } from "../json/value.js";
import { isRecord, type Loose } from "../messages/loose.js";

export { isRecord, type Loose };

export function asRecord(value: unknown): Loose {
  return isRecord(value) ? value : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The answer with index 0 in a list. With several answers they are interleaved; some servers omit the index. */
export function firstAnswer(answers: unknown): Loose | undefined {
  if (!Array.isArray(answers)) return undefined;
  return answers.find((it): it is Loose => isRecord(it) && (it["index"] ?? 0) === 0);
}

export function nonEmptyText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Some servers have a field in every payload: `null`, "" or `false` is no value. */
export function given(value: unknown): unknown {
  return value === null || value === "" || value === false ? undefined : value;
}

export function errorIn({ error }: Loose): unknown {
  return given(error);
}

/** A string or a number as text, any other value as "". `String()` throws for some objects. */
export function scalarText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** The sum of the counts that are known, `undefined` if none is. */
export function sumOf(...counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, count) => total + count, 0);
}

export function requestFields(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return withoutUndefined(fields) as JsonObject;
}

/** A copy without the fields that are `undefined`, or `undefined` if no field is left. */
export function fieldsOrUndefined<T extends object>(fields: T): WithoutUndefined<T> | undefined {
  const found = withoutUndefined(fields);
  return Object.keys(found).length === 0 ? undefined : found;
}
