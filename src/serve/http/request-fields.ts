import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { kindName } from "../../text/kind-name.js";
import { RequestError } from "./request-error.js";

/**
 * Typed access to the fields of a request. Errors name the place, such as `messages[2].content`, and never the value.
 */

export function objectAt(value: JsonValue | undefined, place: string): JsonObject {
  return isObject(value) ? value : wrong(place, "an object", value);
}

export function stringAt(value: JsonValue | undefined, place: string): string {
  return typeof value === "string" ? value : wrong(place, "a string", value);
}

/** Reads a field that may be absent or `null`. */
export function optional<T>(
  value: JsonValue | undefined,
  place: string,
  read: (value: JsonValue, place: string) => T,
): T | undefined {
  return value === undefined || value === null ? undefined : read(value, place);
}

/** Reads each element of an array, with its place. */
export function eachAt<T>(
  value: JsonValue | undefined,
  place: string,
  read: (value: JsonValue, place: string) => T,
): T[] {
  if (!Array.isArray(value)) return wrong(place, "an array", value);
  return value.map((item, index) => read(item, `${place}[${index}]`));
}

/** @throws {RequestError} `invalid_input` */
export function wrong(place: string, wanted: string, value: JsonValue | undefined): never {
  throw new RequestError("invalid_input", `${place} must be ${wanted}, but is ${kindName(value)}.`);
}
