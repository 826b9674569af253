import { MillraceError } from "../errors.js";

/**
 * - `http`: the server answered with a status that says no
 * - `protocol`: what it sent is no stream of patches
 * - `cut`: the connection was lost, and not to be had again
 * - `run`: the server said that there is no more; `reason` is its own code
 */
export type ClientErrorCode = "http" | "protocol" | "cut" | "run";

/** A stream of patches did not come to its end. */
export class ClientError extends MillraceError<ClientErrorCode> {
  override readonly name: string = "ClientError";
  /** What the server gave as the code of its `error` event, such as `run_failed` or `unknown_run`. */
  readonly reason: string | undefined;
  /** The HTTP status. */
  readonly status: number | undefined;

  constructor(
    code: ClientErrorCode,
    message: string,
    details: { readonly reason?: string; readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super(code, message, { cause: details.cause });
    this.reason = details.reason;
    this.status = details.status;
  }
}
