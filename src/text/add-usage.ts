/** Counts of tokens, in the shape of `Usage`. It is declared with messages, which this folder does not know. */
interface TokenCounts {
  readonly details?: object;
  readonly cost?: number;
}

/**
 * Adds usage field by field: additions within one stream, or the usage of several calls. A count that only one of them
 * has is kept. The cost of a sum is known only if the cost of both is.
 */
export function addUsage<U extends TokenCounts>(a: U | undefined, b: U | undefined): U | undefined {
  if (a === undefined || b === undefined) return b ?? a;
  const { cost, ...counts } = addCounts(a, b);
  const details = addCounts(a.details ?? {}, b.details ?? {});
  return {
    ...counts,
    ...((a.details ?? b.details) !== undefined && { details }),
    ...(a.cost !== undefined && b.cost !== undefined && { cost }),
  } as U;
}

function addCounts<C extends object>(a: C, b: C): C {
  const sum: Record<string, unknown> = { ...(a as Readonly<Record<string, unknown>>) };
  for (const [key, count] of Object.entries(b)) {
    if (typeof count === "number") sum[key] = ((sum[key] as number | undefined) ?? 0) + count;
  }
  return sum as C;
}
