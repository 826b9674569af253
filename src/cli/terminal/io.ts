import type { Writable } from "node:stream";

/** A command's streams, environment and abort signal. Passing them in lets tests run commands in the test process. */
export interface Io {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Aborted with a {@link Stop} to end the command early: on Ctrl-C, on SIGTERM, or when the reader of the output has
   * closed it.
   */
  readonly signal: AbortSignal;
}

/** An input stream such as `process.stdin`. Closing its iterator closes the stream. `isTTY` is true for a terminal. */
export type InputStream = AsyncIterable<Uint8Array | string> & { readonly isTTY?: boolean };

/** An output stream such as `process.stdout`. A terminal has `isTTY` and its size. */
export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** Whether the stream is a terminal that can repaint lines. `TERM=dumb` cannot. */
export function isLiveTerminal(stream: OutputStream, env: Io["env"]): boolean {
  return stream.isTTY === true && env["TERM"] !== "dumb";
}

/** Whether to use colour. A non-empty NO_COLOR turns it off (https://no-color.org). */
export function hasColor(stream: OutputStream, env: Io["env"]): boolean {
  return isLiveTerminal(stream, env) && (env["NO_COLOR"] ?? "") === "";
}
