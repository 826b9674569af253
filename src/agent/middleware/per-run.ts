import type { RunInfo } from "./middleware.js";

/** Keeps a separate value for each run. It is created on first use and garbage-collected with the run. */
export function perRun<T>(create: () => T): (run: RunInfo) => T {
  const entries = new WeakMap<AbortSignal, { readonly value: T }>();
  return ({ signal }) => {
    const entry = entries.get(signal) ?? { value: create() };
    entries.set(signal, entry);
    return entry.value;
  };
}
