import type { FromEventStreamOptions } from "millrace/client";

/** Time that runs so many times as fast, for what waits before it tries again. */
export function hasty(times: number): NonNullable<FromEventStreamOptions["clock"]> {
  return {
    now: () => performance.now() * times,
    setTimeout: (callback, ms) => setTimeout(callback, ms / times),
    clearTimeout: (handle) => {
      clearTimeout(handle as number);
    },
  };
}
