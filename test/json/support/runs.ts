import fc from "fast-check";

const { CI, MILLRACE_DIST, MILLRACE_RUNS, MILLRACE_SEED } = process.env;
const merging = CI !== undefined && MILLRACE_DIST === undefined;

/**
 * How often a property is tried: enough to trust a change at the desk, and ten times that before it is merged. What was
 * tried so on the sources need not be on the same code as it is shipped. `npm run fuzz` and `npm run mutate` ask for as
 * many as they need.
 */
export const runs: number = MILLRACE_RUNS !== undefined ? Number(MILLRACE_RUNS) : merging ? 10_000 : 1_000;

/** For properties over sockets, whose runs take milliseconds: fewer in the suite, as many as asked for by `npm run fuzz`. */
export function socketRuns(inSuite: number): number {
  return MILLRACE_RUNS === undefined ? inSuite : runs;
}

if (MILLRACE_SEED !== undefined) fc.configureGlobal({ seed: Number(MILLRACE_SEED) });
