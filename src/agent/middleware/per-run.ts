import { madeOnce } from "../../tree/made-once.js";
import type { RunInfo } from "./middleware.js";

/** Keeps a separate value for each run. It is created on first use and garbage-collected with the run. */
export function perRun<T>(create: () => T): (run: RunInfo) => T {
  const valueOf = madeOnce<AbortSignal, T>(create);
  return ({ signal }) => valueOf(signal);
}
