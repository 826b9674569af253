import { noop } from "../stream/core/result.js";

/**
 * Calls `onError`, and returns what it returns. Its own errors are dropped: a logger that fails on a strange error, such
 * as a thrown `null`, or without its database, must neither end the process nor leave a run open.
 */
export function report<T>(onError: ((error: unknown) => T) | undefined, error: unknown): T | undefined {
  try {
    const result = onError?.(error);
    if (result instanceof Promise) result.catch(noop);
    return result;
  } catch {
    return undefined;
  }
}
