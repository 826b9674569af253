import { JsonParseError } from "../../json/errors.js";
import { JsonParser } from "../../json/parser.js";
import { excerpt } from "../../text/excerpt.js";
import { ModelError } from "../contract/errors.js";
import { isInstance } from "../../text/thrown.js";

/** Whether the text is the start of a JSON document. */
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
  return new ModelError("cut", `The stream ended inside ${what}: ${shown}`, {
    excerpt: shown,
    cause,
    retryable: true,
  });
}

/** @param missing the missing mark of the end, for example "without a finish reason" */
export function truncatedMessageError(began: boolean, missing: string): ModelError {
  const place = began ? `in the middle of the message, ${missing}` : "before the message began";
  return new ModelError("cut", `The connection ended ${place}.`, { retryable: true });
}

/** @param lacking the missing part of the answer, for example "no payload had a choice" */
export function noAnswerError(lacking: string): ModelError {
  return new ModelError("protocol", `The stream ended without an answer: ${lacking}.`);
}
