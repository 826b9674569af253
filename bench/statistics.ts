import type { Result } from "./suite.js";

export function medianOf(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("There is no median of no values");
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

export function meanOf(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError("There is no mean of no values");
  return values.reduce((sum, it) => sum + it, 0) / values.length;
}

export function resultOf(rounds: readonly number[]): Result {
  return { median: medianOf(rounds), min: Math.min(...rounds), max: Math.max(...rounds) };
}

/** `a / b`, or `undefined` if one of them is missing. */
export function quotient(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a / b;
}

/** The highest cost divided by the lowest, or `undefined` if one is missing. */
export function flatness(costs: readonly (number | undefined)[]): number | undefined {
  const known = costs.filter((cost) => cost !== undefined);
  return known.length === costs.length ? Math.max(...known) / Math.min(...known) : undefined;
}
