const asked = Number(process.env["MILLRACE_RUNS"]);
const merging = process.env["CI"] !== undefined && process.env["MILLRACE_DIST"] === undefined;

/**
 * How often a property is tried: enough to trust a change at the desk, and ten times that before it is merged. What was
 * tried so on the sources need not be on the same code as it is shipped. `npm run fuzz` and `npm run mutate` say it
 * themselves.
 */
export const runs: number = asked > 0 ? asked : merging ? 10_000 : 1_000;
