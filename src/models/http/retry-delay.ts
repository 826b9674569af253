import { backoff } from "../../stream/time/sleep.js";
import { ModelError } from "../contract/errors.js";

/**
 * How long to wait before a request is made again, in milliseconds; `undefined` if it should not be.
 *
 * The server's own wish counts exactly, otherwise `backoff()`.
 *
 * @param attempt from 0
 * @param random a number from 0 to 1
 * @param retryOn which errors are worth another request
 */
export function retryDelay(
  error: unknown,
  attempt: number,
  maxRetries: number,
  random: () => number,
  retryOn: (error: unknown) => boolean = isRetryable,
): number | undefined {
  if (attempt >= maxRetries || !retryOn(error)) return undefined;
  const retryAfter = error instanceof ModelError ? error.retryAfter : undefined;
  if (retryAfter !== undefined) return retryAfter <= longestWait ? retryAfter : undefined;
  return backoff(attempt, random);
}

/**
 * How long the server asks to be left alone, in milliseconds: `retry-after-ms` (OpenAI, Azure), or `retry-after` in
 * seconds or as a date (RFC 9110, section 10.2.3). A date is taken against the server's own, as clocks differ.
 */
export function retryAfter(headers: Headers): number | undefined {
  const ms = amount(headers.get("retry-after-ms"));
  if (ms !== undefined) return ms;
  const value = headers.get("retry-after");
  const seconds = amount(value);
  if (seconds !== undefined) return seconds * 1_000;
  const until = Date.parse(value ?? "");
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(headers.get("date") ?? "");
  return Math.max(0, until - (Number.isNaN(sent) ? Date.now() : sent));
}

/** Whether the same request may succeed later. */
export function isRetryable(error: unknown): boolean {
  return error instanceof ModelError && error.retryable;
}

/** Who is asked to wait longer than this should decide for themselves: the error says for how long. */
const longestWait = 60_000;

function amount(value: string | null): number | undefined {
  return value !== null && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}
