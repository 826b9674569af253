import type { FromEventStreamOptions } from "millrace/client";

/** A clock that is many times as fast, for retries. */
export function hasty(times: number): NonNullable<FromEventStreamOptions["clock"]> {
  return {
    now: () => performance.now() * times,
    // A longer timer, such as one of Infinity, fires after 1 ms.
    setTimeout: (callback, ms) => setTimeout(callback, Math.min(ms / times, 2 ** 31 - 1)),
    clearTimeout: (handle) => {
      clearTimeout(handle as number);
    },
  };
}
