import type { JsonParseError } from "../json/errors.js";
import type { FinishReason } from "../messages/finish-reason.js";
import { sentence } from "../text/cut.js";
import type { XmlParseError } from "../xml/errors.js";
import { OutputParserError } from "./errors.js";

/** Whether the model had to stop before it was done, so a missing end is not its mistake. */
export function stoppedEarly(finishReason: FinishReason | undefined): boolean {
  return finishReason === "length" || finishReason === "content_filter";
}

/** The error of an output that the model could not finish, even if the text could pass for whole. */
export function truncatedError(
  consequence: string,
  value: unknown,
  finishReason: FinishReason | undefined,
): OutputParserError {
  const message = `${whyItStopped(finishReason)}, so ${consequence}.`;
  return new OutputParserError("truncated", message, { value, finishReason });
}

/** Converts an error of the JSON or XML parser to an `OutputParserError` with the finish reason. */
export function parseFailure(
  error: JsonParseError | XmlParseError,
  finishReason: FinishReason | undefined,
): OutputParserError {
  const truncated = error.code === "unexpected_end" || error.code === "empty";
  const reason = truncated && finishReason !== undefined ? ` ${whyItStopped(finishReason)}.` : "";
  const code = error.code === "refusal" ? "refusal" : truncated ? "truncated" : "invalid";
  return new OutputParserError(code, error.message + reason, {
    value: error.value,
    finishReason,
    cause: error,
  });
}

/**
 * The value at the end. An output without a value is an error even with `onTruncated: "keep"`.
 *
 * @param expected the kind of document, such as "a JSON value"
 */
export function valueAtEnd<Value>(
  value: Value | undefined,
  expected: string,
  finishReason: FinishReason | undefined,
): Value {
  if (value !== undefined) return value;
  const message = `Expected ${expected}, but the output ended before one began.`;
  throw new OutputParserError("truncated", message, { value, finishReason });
}

/**
 * Adds the token limit to the message of a schema error, if the model reached it: some providers close the document or
 * call that was cut there.
 */
export function withTokenLimit(message: string, finishReason: FinishReason | undefined): string {
  if (finishReason !== "length") return message;
  return `${sentence(message)} The model reached its token limit, so a part may be missing. Raise maxTokens, or ask for less.`;
}

/** A sentence without its full stop. */
function whyItStopped(finishReason: FinishReason | undefined): string {
  switch (finishReason) {
    case undefined:
      return "The model did not say why it stopped";
    case "length":
      return "The model reached its token limit";
    case "content_filter":
      return "The provider's content filter withheld the rest";
    default:
      return `The finish reason was "${finishReason}"`;
  }
}
