import { MillraceError } from "../errors.js";

/**
 * - `invalid_input`: neither a string, nor a message, nor an array of these
 * - `unknown_role`: a role that is none of system, developer, user, human, assistant, ai, tool
 * - `invalid_content`: the content is neither a string nor an array of blocks
 * - `missing_tool_call_id`: a tool message that does not say which call it answers
 */
export type MessageErrorCode = "invalid_input" | "unknown_role" | "invalid_content" | "missing_tool_call_id";

/** What was given as messages is none. The sentence names the place, as in `messages[2].content[0]`. */
export class MessageError extends MillraceError<MessageErrorCode> {
  override readonly name: string = "MessageError";
}
