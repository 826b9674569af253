import { JsonParseError } from "../../json/errors.js";
import { JsonParser } from "../../json/parser.js";
import { excerpt } from "../../text/excerpt.js";
import { isInstance } from "../../text/thrown.js";
import { ModelError } from "../contract/errors.js";

/** @param expected for example "an event of a response" */
export function unexpectedError(expected: string, found: unknown, cause?: unknown): ModelError {
  const shown = excerpt(found);
  return new ModelError("protocol", `Expected ${expected}, but got: ${shown}`, { excerpt: shown, cause });
}

export function isTruncatedJson(text: string): boolean {
  const parser = new JsonParser();
  try {
    parser.write(text);
    parser.end();
  } catch (error) {
    return isInstance(error, JsonParseError) && error.code === "unexpected_end";
  }
  return false;
}

/** @param what the truncated item, for example "an event" */
export function truncatedItemError(what: string, data: string, cause: unknown): ModelError {
  const shown = excerpt(data);
  const details = { excerpt: shown, cause, retryable: true };
  return new ModelError("cut", `The stream was cut inside ${what}: ${shown}`, details);
}

/** @param noEnd the missing mark of the end, for example "without a finish reason" */
export function truncatedMessageError(begun: boolean, noEnd: string): ModelError {
  const place = begun ? `in the middle of the message, ${noEnd}` : "before the message began";
  return new ModelError("cut", `The connection ended ${place}.`, { retryable: true });
}

/** @param noAnswer the missing part of the answer, for example "no payload had a choice" */
export function noAnswerError(noAnswer: string): ModelError {
  return new ModelError("protocol", `The stream ended without an answer: ${noAnswer}.`);
}

/** Merging copies all metadata so far, so a server must not add keys without end. Providers send about 20. */
const maxKeys = 256;

export function checkKeyCount(count: number): void {
  if (count > maxKeys)
    throw new ModelError("protocol", `The answer has more than ${maxKeys} unknown fields.`);
}
