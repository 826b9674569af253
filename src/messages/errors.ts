import { MillraceError } from "../errors.js";
import { describe } from "./loose.js";

/**
 * - `invalid_input`: neither a string, nor a message, nor an array of these
 * - `unknown_role`: a role other than system, developer, user, human, assistant, ai, tool
 * - `invalid_content`: the content is missing, is neither a string nor an array of blocks, or has a block that is invalid
 *   or unknown
 * - `missing_tool_call_id`: a tool message without the id of the call that it answers
 * - `invalid_chunk`: a model yielded something else than a message chunk
 * - `too_many_blocks`: a model wrote more than 10,000 content blocks in one message
 */
export type MessageErrorCode =
  | "invalid_input"
  | "unknown_role"
  | "invalid_content"
  | "missing_tool_call_id"
  | "invalid_chunk"
  | "too_many_blocks";

/**
 * The input is not a message, or a model yielded no chunk. The error text names the place, such as
 * `messages[2].content[0]`.
 */
export class MessageError extends MillraceError<MessageErrorCode> {
  override readonly name: string = "MessageError";
}

export function contentError(place: string, expected: string, found: unknown): MessageError {
  return new MessageError("invalid_content", `${place} must be ${expected}, but is ${describe(found)}.`);
}

export function textAt(place: string, value: unknown): string {
  if (typeof value === "string") return value;
  throw contentError(place, "a string", value);
}
