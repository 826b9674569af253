import type { Writable } from "node:stream";

/**
 * All that a command touches of the world. Commands are functions of this, so that tests run them in their own process.
 */
export interface Io {
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted with a {@link Stop} when the command is to end early: Ctrl-C, or nobody reads the output any more. */
  readonly signal: AbortSignal;
}

/** Closing its iterator closes the stream. A terminal says so, as Node's `process.stdin` does. */
export type InputStream = AsyncIterable<Uint8Array | string> & { readonly isTTY?: boolean };

/** A terminal says so and knows its size, as Node's `process.stdout` does. */
export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** A terminal on which lines can be painted over. `TERM=dumb` cannot (https://no-color.org speaks of colour only). */
export function isLiveTerminal(stream: OutputStream, env: Io["env"]): boolean {
  return stream.isTTY === true && env["TERM"] !== "dumb";
}

/** NO_COLOR counts when it is set and not empty (https://no-color.org). */
export function hasColor(stream: OutputStream, env: Io["env"]): boolean {
  return isLiveTerminal(stream, env) && (env["NO_COLOR"] ?? "") === "";
}
