import { MillraceError } from "millrace";

/**
 * - `no_page`: the page has not been built
 * - `recordings`: the folder with the recordings cannot be read
 * - `port`: the server cannot listen on the port
 */
export type PlaygroundErrorCode = "no_page" | "recordings" | "port";

/** The playground cannot start. The message says what to change. */
export class PlaygroundError extends MillraceError<PlaygroundErrorCode> {
  override readonly name = "PlaygroundError";
}
