import type { RunInfo } from "./middleware.js";

/** Keeps a separate value for each run. It is created on first use and garbage-collected with the run. */
export function perRun<T>(create: () => T): (run: RunInfo) => T {
  const entries = new WeakMap<RunInfo, { readonly value: T }>();
  return (run) => {
    const entry = entries.get(run) ?? { value: create() };
    entries.set(run, entry);
    return entry.value;
  };
}
