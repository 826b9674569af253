/** How often a property is tried: enough to trust a change at the desk, and ten times that before it is merged. */
export const runs: number = process.env["CI"] === undefined ? 1_000 : 10_000;
