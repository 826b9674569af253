import type { JsonParseError } from "../json/errors.js";
import type { FinishReason } from "../messages/finish-reason.js";
import type { XmlParseError } from "../xml/errors.js";
import { OutputParserError } from "./errors.js";

/** Whether the model stopped before it was done, so that what is missing at the end is no slip of it. */
export function stoppedEarly(finishReason: FinishReason | undefined): boolean {
  return finishReason === "length" || finishReason === "content_filter";
}

/** The error of an output that the model could not finish, though what there is of it may look whole. */
export function truncatedError(
  what: string,
  value: unknown,
  finishReason: FinishReason | undefined,
): OutputParserError {
  const message = `${whyItStopped(finishReason)}, so that ${what}.`;
  return new OutputParserError("truncated", message, { value, finishReason });
}

/** The error of a machine that reads text as that of an output parser, with why the model stopped. */
export function parseFailure(
  error: JsonParseError | XmlParseError,
  finishReason: FinishReason | undefined,
): OutputParserError {
  const truncated = error.code === "unexpected_end" || error.code === "empty";
  const reason = truncated && finishReason !== undefined ? ` ${whyItStopped(finishReason)}.` : "";
  return new OutputParserError(truncated ? "truncated" : "invalid", error.message + reason, {
    value: error.value,
    finishReason,
    cause: error,
  });
}

/**
 * The value at the end. Also with `onTruncated: "keep"` there must be one: nothing is not `null`.
 *
 * @param what is expected: "a JSON value"
 */
export function valueAtEnd<Value>(
  value: Value | undefined,
  what: string,
  finishReason: FinishReason | undefined,
): Value {
  if (value !== undefined) return value;
  const message = `Expected ${what}, but the output ended before one began.`;
  throw new OutputParserError("truncated", message, { value, finishReason });
}

/** A sentence, without its full stop. */
function whyItStopped(finishReason: FinishReason | undefined): string {
  switch (finishReason) {
    case undefined:
      return "The model did not say why it stopped";
    case "length":
      return "The model had reached its token limit";
    case "content_filter":
      return "The provider's content filter had withheld the rest";
    default:
      return `The finish reason was "${finishReason}"`;
  }
}
