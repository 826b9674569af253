import { MessageError } from "../errors.js";
import { describe } from "../loose.js";

export function contentError(place: string, expected: string, found: unknown): MessageError {
  return new MessageError("invalid_content", `${place} must be ${expected}, but is ${describe(found)}.`);
}

/** @throws {MessageError} unless the value is a string */
export function textAt(place: string, value: unknown): string {
  if (typeof value === "string") return value;
  throw contentError(place, "a string", value);
}
