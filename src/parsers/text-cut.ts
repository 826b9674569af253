import type { FinishReason } from "../messages/finish-reason.js";
import { OutputParserError } from "./errors.js";

/** The error of an output that the model could not finish, though what there is of it may look whole. */
export function cutError(
  what: string,
  value: unknown,
  finishReason: FinishReason | undefined,
): OutputParserError {
  const why =
    finishReason === "length"
      ? "The model had reached its token limit"
      : "The provider's content filter had withheld the rest";
  return new OutputParserError("truncated", `${why}, so that ${what}.`, { value, finishReason });
}
