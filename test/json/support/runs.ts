const { MILLRACE_RUNS } = process.env;

/**
 * The number of runs of a property. Their inputs are the same each time, so more of them find little more. `npm run
 * fuzz` and `npm run mutate` set their own number.
 */
export const runs: number = Number(MILLRACE_RUNS ?? 1_000);

/**
 * For properties whose runs take milliseconds, as over sockets: fewer in the suite, and the full number in `npm run
 * fuzz`.
 */
export function slowRuns(inSuite: number): number {
  return MILLRACE_RUNS === undefined ? inSuite : runs;
}
