import type { Clock } from "../../stream/time/clock.js";
import { forwardingIterator } from "../../stream/core/forwarding-iterator.js";
import { noop } from "../../stream/core/result.js";
import { attempt } from "../../stream/time/attempts.js";
import { retryDelay, whileLoading } from "./retry-delay.js";

export interface RetryStreamOptions {
  readonly maxRetries: number;
  readonly clock: Clock;
  readonly random: () => number;
}

/**
 * A stream that is reopened if it fails before its first item, and never after it. A server that loads its model is asked
 * until it is ready.
 *
 * @param open sends a request. Its signal is aborted when the consumer leaves, which closes the connection in any state
 */
export function retryStream<T>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<T>>,
  { maxRetries, clock, random }: RetryStreamOptions,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator](): AsyncIterator<T> {
      const controller = new AbortController();
      let iterator: AsyncIterator<T> | undefined;
      let begun = false;
      const rule = (error: unknown, failed: number): number | undefined =>
        retryDelay(error, failed, maxRetries, random);
      // A model may load for minutes. The timeouts limit the wait.
      const delayOf = maxRetries > 0 ? whileLoading(rule, random) : rule;

      const first = async (): Promise<IteratorResult<T>> => {
        const { signal } = controller;
        const delay = (error: unknown, failed: number): number | undefined => {
          if (signal.aborted) return undefined;
          const next = delayOf(error, failed);
          if (next !== undefined) iterator = undefined;
          return next;
        };
        return attempt(
          async () => {
            iterator = (await open(signal))[Symbol.asyncIterator]();
            if (signal.aborted) await iterator.return?.();
            const result = await iterator.next();
            begun = true;
            return result;
          },
          { delay, clock, signal },
        );
      };

      return forwardingIterator(() => iterator, {
        next: () => (begun && iterator !== undefined ? iterator.next() : first()),
        close: () => {
          // The body first, as cancelling an aborted body fails. Errors of closing a connection are of no use.
          const closing = iterator?.return?.();
          controller.abort();
          return closing?.catch(noop);
        },
      });
    },
  };
}
