import { JsonParseError } from "../../json/errors.js";
import { JsonParser } from "../../json/parser.js";
import { shortExcerpt, ModelError } from "../contract/errors.js";

/** The start of a document, rather than no JSON at all. */
export function isTruncatedJson(text: string): boolean {
  const parser = new JsonParser();
  try {
    parser.write(text);
    parser.end();
  } catch (error) {
    return error instanceof JsonParseError && error.code === "unexpected_end";
  }
  return false;
}

/** @param what the stream was cut inside: "an event" */
export function truncatedItemError(what: string, data: string, cause: unknown): ModelError {
  const excerpt = shortExcerpt(data);
  return new ModelError("cut", `The stream was cut inside ${what}: ${excerpt}`, {
    excerpt,
    cause,
    retryable: true,
  });
}

/** @param missing what the end of a message would have shown: "without a finish reason" */
export function truncatedMessageError(began: boolean, missing: string): ModelError {
  const place = began ? `in the middle of the message, ${missing}` : "before the message began";
  return new ModelError("cut", `The connection ended ${place}.`, { retryable: true });
}

/** @param lacking what an answer would have had: "no payload had a choice" */
export function noAnswerError(lacking: string): ModelError {
  return new ModelError("protocol", `The stream ended without an answer: ${lacking}.`);
}
