import { type AttemptOptions, backoff, usualDelay } from "../../stream/time/attempts.js";
import { ModelError } from "../contract/errors.js";
import { isInstance } from "../../text/thrown.js";
import { isLoading } from "./provider-error.js";

/** In milliseconds. `undefined` if the request should not be retried. */
export function retryDelay(
  error: unknown,
  failed: number,
  maxRetries: number,
  random: () => number,
  retryOn: (error: unknown) => boolean = isRetryable,
): number | undefined {
  const delay = usualDelay(error, failed, { maxRetries, retryOn, retryAfter, random });
  return delay !== undefined && delay <= maxRetryDelay ? delay : undefined;
}

/** A server that loads its model is asked until it is ready. These answers do not count as failures. */
export function whileLoading(rule: AttemptOptions["delay"], random: () => number): AttemptOptions["delay"] {
  let loads = 0;
  return (error, failed) => {
    if (!isLoading(error)) return rule(error, failed - loads);
    const growing = backoff(loads++, random);
    return Math.min(retryAfter(error) ?? growing, maxRetryDelay);
  };
}

export function retryAfter(error: unknown): number | undefined {
  return isInstance(error, ModelError) ? error.retryAfter : undefined;
}

/**
 * The delay that the server asks for, in milliseconds: `retry-after-ms` (OpenAI, Azure), or `retry-after` in seconds or
 * as a date (RFC 9110, section 10.2.3). A date is relative to the `date` header, because clocks differ.
 */
export function retryAfterOf(headers: Headers): number | undefined {
  const ms = amount(headers.get("retry-after-ms"));
  if (ms !== undefined) return ms;
  const value = headers.get("retry-after");
  const seconds = amount(value);
  if (seconds !== undefined) return seconds * 1_000;
  const until = Date.parse(value ?? "");
  // Date.parse() reads "-5" and "5, 5" as dates of the past. A date of HTTP has the name of a month.
  if (Number.isNaN(until) || !/[a-z]{3}/i.test(value ?? "")) return undefined;
  const sent = Date.parse(headers.get("date") ?? "");
  return Math.max(0, until - (Number.isNaN(sent) ? Date.now() : sent));
}

export function isRetryable(error: unknown): boolean {
  return isInstance(error, ModelError) && error.retryable;
}

/** Longer delays are left to the caller, who finds the delay in the error. */
const maxRetryDelay = 60_000;

function amount(value: string | null): number | undefined {
  return value !== null && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}
