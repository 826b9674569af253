import { once } from "node:events";
import type { OutputStream } from "./io.js";
import { printableJson } from "./printable.js";

/**
 * Writes NDJSON and waits until the stream has room for more, so a slow reader slows down the source. Corking combines
 * all lines from one piece of input into one system call. On a terminal, strings have escapes for control characters.
 *
 * @throws the signal's reason, if the signal is aborted
 */
export async function writeText(stream: OutputStream, text: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  stream.cork();
  const hasRoom = stream.write(stream.isTTY === true ? printableJson(text) : text);
  process.nextTick(() => {
    stream.uncork();
  });
  if (hasRoom) return;
  try {
    await once(stream, "drain", { signal });
  } catch (error) {
    // Prefer the signal's reason to once()'s own AbortError and to the stream's error.
    signal.throwIfAborted();
    throw error;
  }
}

/** Waits until all pending writes have completed or failed. Failures are emitted as "error". */
export function written(stream: OutputStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write("", () => {
      resolve();
    });
  });
}

/** Writes a value as one line of NDJSON. */
export function writeLine(stream: OutputStream, value: unknown, signal: AbortSignal): Promise<void> {
  return writeText(stream, `${JSON.stringify(value)}\n`, signal);
}
