/**
 * How long to wait before something is tried again, in milliseconds: half a second, doubled with each attempt up to eight
 * seconds, of which a random part of up to a half is left out, so that clients that failed together do not come back
 * together.
 *
 * @param attempt from 0
 * @param random a number from 0 to 1
 */
export function backoff(attempt: number, random: () => number): number {
  return Math.min(500 * 2 ** attempt, 8_000) * (1 - random() / 2);
}
