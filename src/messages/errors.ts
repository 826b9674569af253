import { MillraceError } from "../errors.js";

/**
 * - `invalid_input`: neither a string, nor a message, nor an array of these
 * - `unknown_role`: a role other than system, developer, user, human, assistant, ai, tool
 * - `invalid_content`: the content is neither a string nor an array of blocks
 * - `missing_tool_call_id`: a tool message without the id of the call that it answers
 */
export type MessageErrorCode = "invalid_input" | "unknown_role" | "invalid_content" | "missing_tool_call_id";

/** The input is not a valid message. The error text names the place, such as `messages[2].content[0]`. */
export class MessageError extends MillraceError<MessageErrorCode> {
  override readonly name: string = "MessageError";
}
