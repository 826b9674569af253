const { CI, MILLRACE_RUNS } = process.env;

/**
 * The number of runs of a property: enough while developing, and twice that before a merge. `npm run fuzz` and
 * `npm run mutate` set their own number.
 */
export const runs: number =
  MILLRACE_RUNS !== undefined ? Number(MILLRACE_RUNS) : CI !== undefined ? 1_000 : 500;

/**
 * For properties whose runs take milliseconds, as over sockets: fewer in the suite, and the full number in `npm run
 * fuzz`.
 */
export function slowRuns(inSuite: number): number {
  return MILLRACE_RUNS === undefined ? inSuite : runs;
}
