import { once } from "node:events";
import type { OutputStream } from "./io.js";

/**
 * Writes text and waits until the reader has room for more, so that a slow reader slows the source down. What one piece
 * of input gives goes to the system at once, but in one call.
 *
 * @throws the signal's reason, when it is aborted while waiting
 */
export async function write(stream: OutputStream, text: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  stream.cork();
  const hasRoom = stream.write(text);
  process.nextTick(() => {
    stream.uncork();
  });
  if (hasRoom) return;
  try {
    await once(stream, "drain", { signal });
  } catch (error) {
    // once() rejects with an AbortError of its own, and with the stream's error before its listener has aborted us.
    signal.throwIfAborted();
    throw error;
  }
}

/** Waits until all that was written has been handed to the system, or cannot be; what that failed with goes to "error". */
export function written(stream: OutputStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write("", () => {
      resolve();
    });
  });
}

/** One JSON document a line (NDJSON). */
export function writeLine(stream: OutputStream, value: unknown, signal: AbortSignal): Promise<void> {
  return write(stream, `${JSON.stringify(value)}\n`, signal);
}
