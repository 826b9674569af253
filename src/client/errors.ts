import { MillraceError } from "../errors.js";

/**
 * - `http`: the server answered with an error `status`. `reason` and `message` are the `code` and `message` of its JSON
 *   body, or of the `error` in it. A server that says nothing gets a message that suits the user of an app
 * - `protocol`: the response is not a stream of patches
 * - `cut`: the connection was lost and could not be restored
 * - `run`: the server ended the run with an error; `reason` is its code
 */
export type ClientErrorCode = "http" | "protocol" | "cut" | "run";

/** A stream of patches failed before its end. */
export class ClientError extends MillraceError<ClientErrorCode> {
  override readonly name: string = "ClientError";
  /** The server's code: of its `error` event, such as `rate_limited`, or of the body of a refused request. */
  declare readonly reason: string | undefined;
  /** The HTTP status. */
  declare readonly status: number | undefined;

  constructor(
    code: ClientErrorCode,
    message: string,
    details: { readonly reason?: string; readonly status?: number; readonly cause?: unknown } = {},
  ) {
    super(code, message, details);
  }
}

/** Replaces errors whose message is for developers. */
export function inWords(error: unknown): ClientError {
  return toClientError(error, "protocol");
}

/** Turns an error of something else than this client, such as that of a response that is none, into a `ClientError`. */
export function toClientError(error: unknown, replaced?: ClientErrorCode): ClientError {
  if (error instanceof ClientError && error.code !== replaced) return error;
  return new ClientError("protocol", "The server sent an unexpected answer. Please try again later.", {
    cause: error,
  });
}
