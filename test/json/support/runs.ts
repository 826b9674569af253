const merging = process.env["CI"] !== undefined && process.env["MILLRACE_DIST"] === undefined;

/**
 * How often a property is tried: enough to trust a change at the desk, and ten times that before it is merged. What was
 * tried so on the sources need not be on the same code as it is shipped.
 */
export const runs: number = merging ? 10_000 : 1_000;
