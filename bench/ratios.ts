/** How many times `a` is of `b`. */
export function quotient(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a / b;
}

/** How much the dearest costs of the cheapest. None while one is missing. */
export function flatness(costs: readonly (number | undefined)[]): number | undefined {
  const known = costs.filter((cost) => cost !== undefined);
  return known.length === costs.length ? Math.max(...known) / Math.min(...known) : undefined;
}
