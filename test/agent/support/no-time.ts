import type { Clock } from "millrace";

/** A clock on which every wait ends at once. */
export const noTime: Clock = {
  now: () => 0,
  setTimeout: (callback) => {
    queueMicrotask(callback);
  },
  clearTimeout: () => {},
};
