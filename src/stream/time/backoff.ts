/**
 * The delay before a retry in milliseconds: 500, doubled with each attempt up to 8,000, less a random part of up to a half.
 * The random part spreads the retries of clients that failed at the same time.
 *
 * @param attempt from 0
 * @param random a number from 0 to 1
 */
export function backoff(attempt: number, random: () => number): number {
  return Math.min(500 * 2 ** attempt, 8_000) * (1 - random() / 2);
}
