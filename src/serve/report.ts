/**
 * Calls `onError`, and returns what it returns. Its own errors are dropped: a logger that fails on a strange error,
 * such as a thrown `null`, must neither end the process nor leave a run open.
 */
export function report<T>(onError: ((error: unknown) => T) | undefined, error: unknown): T | undefined {
  try {
    return onError?.(error);
  } catch {
    return undefined;
  }
}
