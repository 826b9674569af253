import { type Clock, systemClock } from "../time/clock.js";
import { TimeoutError, type TimeoutLimit } from "../errors.js";
import { type CreateInterrupter, interruptible } from "../core/interruptible.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { milliseconds } from "../../text/check-number.js";
import type { Operator } from "../operator.js";

/**
 * Ends the stream with a `TimeoutError` when the consumer waits too long for the source. Closes the source without
 * waiting for it. Only the time of pending pulls counts, so a slow consumer never causes a timeout.
 *
 * Buffers no items and reads none ahead. Uses one timer, which is set again only when it fires early, not for each
 * item.
 *
 * @param limits in milliseconds; a number is the limit for each item
 * @throws {RangeError} if a limit is negative or NaN
 * @throws {TypeError} for an unknown option
 *
 * @example
 * ```ts
 * import { from, pipe, timeout, TimeoutError } from "millrace";
 *
 * const silent = new ReadableStream<string>();
 * try {
 *   for await (const chunk of pipe(from(silent), timeout({ first: 20, idle: 10 }))) console.log(chunk);
 * } catch (error) {
 *   console.log(error instanceof TimeoutError && error.limit); // "first"
 * }
 * ```
 */
export function timeout<T>(limits: number | TimeoutLimits, options: TimeoutOptions = {}): Operator<T, T> {
  checkOptions("timeout()", options, { clock: true } satisfies OptionNames<TimeoutOptions>);
  return interruptible(timeoutInterrupter(limits, options));
}

const limitNames = { idle: true, first: true, total: true } satisfies OptionNames<TimeoutLimits>;

/**
 * The part of `timeout()` that a stage can combine with other interrupters.
 *
 * @param onStart gets a function to call when a source is alive without an item, such as for bytes that do not complete
 *   one. It restarts the limit of the pending item, but not the total
 */
export function timeoutInterrupter(
  limits: number | TimeoutLimits,
  options: TimeoutOptions,
  onStart?: (restart: () => void) => void,
): CreateInterrupter {
  if (typeof limits !== "number") checkOptions("timeout()", limits, limitNames);
  const {
    idle = Infinity,
    first = idle,
    total = Infinity,
  } = typeof limits === "number" ? { idle: limits } : limits;
  milliseconds("first of timeout", first);
  milliseconds("idle of timeout", idle);
  milliseconds("total of timeout", total);
  const { clock = systemClock } = options;

  return (interrupt) => {
    let items = 0;
    /** Milliseconds that the consumer has waited so far. */
    let waited = 0;
    let pulledAt = 0;
    let pending = false;
    /** When the pending pull exceeds a limit, and which one. */
    let deadline = Infinity;
    let limit: TimeoutLimit = "first";

    let timer: unknown;
    let firesAt = Infinity;
    const arm = (now: number): void => {
      if (deadline === Infinity) return;
      firesAt = deadline;
      timer = clock.setTimeout(onTimer, deadline - now);
    };
    const disarm = (): void => {
      if (timer !== undefined) clock.clearTimeout(timer);
      timer = undefined;
    };
    const onTimer = (): void => {
      timer = undefined;
      if (!pending) return; // the next pull sets it again
      const now = clock.now();
      if (now < deadline) arm(now);
      else interrupt(new TimeoutError(limit, { first, idle, total }[limit], items));
    };

    const onPull = (): void => {
      const now = clock.now();
      const ownLimit = items === 0 ? first : idle;
      const left = total - waited;
      limit = left < ownLimit ? "total" : items === 0 ? "first" : "idle";
      deadline = now + Math.min(ownLimit, left);
      pulledAt = now;
      pending = true;
      if (timer === undefined) arm(now);
      else if (deadline < firesAt) {
        disarm();
        arm(now);
      }
    };
    const endPull = (): void => {
      pending = false;
      waited += clock.now() - pulledAt;
    };
    onStart?.(() => {
      if (!pending) return;
      endPull();
      onPull();
    });
    return {
      onPull,
      onItem: () => {
        items++;
        if (pending) endPull();
      },
      close: () => {
        pending = false; // bytes may still arrive, and must not arm the timer again
        disarm();
      },
    };
  };
}

/** Limits in milliseconds. Default for each: no limit. */
export interface TimeoutLimits {
  /** The longest wait for the first item, for which models take longer. Default: the value of `idle`. */
  readonly first?: number;
  /** The longest wait for each later item and for the end. */
  readonly idle?: number;
  /** The longest total wait for all items. The time that the consumer takes does not count. */
  readonly total?: number;
}

/** The options of `timeout()`. */
export interface TimeoutOptions {
  /** Default: `systemClock`. */
  readonly clock?: Clock;
}
