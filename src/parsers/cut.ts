import type { FinishReason } from "../messages/finish-reason.js";
import { OutputParserError } from "./errors.js";

/** Whether the model stopped before it was done, so that what is missing at the end is no slip of it. */
export function isCut(finishReason: FinishReason | undefined): boolean {
  return finishReason === "length" || finishReason === "content_filter";
}

/** The error of an output that the model could not finish, though what there is of it may look whole. */
export function cutError(
  what: string,
  value: unknown,
  finishReason: FinishReason | undefined,
): OutputParserError {
  const message = `${whyItStopped(finishReason)}, so that ${what}.`;
  return new OutputParserError("truncated", message, { value, finishReason });
}

/** A sentence, without its full stop. */
export function whyItStopped(finishReason: FinishReason | undefined): string {
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
