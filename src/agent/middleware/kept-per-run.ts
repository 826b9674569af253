import type { RunInfo } from "./middleware.js";

/** What a middleware keeps for each run, made when it is first asked for, and forgotten with the run. */
export function keptPerRun<T>(create: () => T): (run: RunInfo) => T {
  const known = new WeakMap<RunInfo, { readonly kept: T }>();
  return (run) => {
    const entry = known.get(run) ?? { kept: create() };
    known.set(run, entry);
    return entry.kept;
  };
}
