import { MillraceError } from "../errors.js";

/**
 * - `listing`: the server's list of tools cannot be read: a page failed, a cursor came twice, or there are too many pages
 *   or tools
 * - `left_out`: a tool is not offered to the model; `tool` has its name
 * - `closed`: there is no connection, or it was closed during the call
 * - `timeout`: the server was silent for too long
 * - `server`: the server answered with an error; `serverCode` has its code
 * - `url_required`: the user has to open a page first; `urls` has the addresses
 * - `invalid_result`: the result does not have the form of a result, or does not satisfy the tool's output schema
 * - `too_large`: the result is larger than `maxResultSize`
 * - `approval`: a tool of a served agent needs the decision of a person, which cannot be asked for
 */
export type McpToolsErrorCode =
  | "listing"
  | "left_out"
  | "closed"
  | "timeout"
  | "server"
  | "url_required"
  | "invalid_result"
  | "too_large"
  | "approval";

/** The fields of an `McpToolsError`. */
export interface McpToolsErrorDetails {
  /** The name of the tool at the server, cut at 200 characters. */
  readonly tool?: string | undefined;
  readonly serverCode?: number | undefined;
  readonly urls?: readonly string[] | undefined;
  readonly cause?: unknown;
}

/** A tool could not be listed, called or served with MCP. Its message has no paths and no stack of the server. */
export class McpToolsError extends MillraceError<McpToolsErrorCode> {
  override readonly name: string = "McpToolsError";
  /** The name of the tool at the server, if the error is about one tool. */
  declare readonly tool: string | undefined;
  /** The code of the server's answer, such as -32602. */
  declare readonly serverCode: number | undefined;
  /** The pages that the user has to open, for `url_required`. */
  declare readonly urls: readonly string[] | undefined;

  constructor(code: McpToolsErrorCode, message: string, details: McpToolsErrorDetails = {}) {
    super(code, message, details);
  }
}
