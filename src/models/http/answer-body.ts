import type { Clock } from "../../stream/time/clock.js";
import { forwardingIterator } from "../../stream/core/forwarding-iterator.js";
import { from } from "../../stream/sources/from.js";

/**
 * The bytes of an answer. Leaving the loop closes the connection; unless the stream inside said that it has ended.
 */
export class AnswerBody implements AsyncIterable<Uint8Array> {
  /** How the provider finds the request in its logs. */
  readonly requestId: string | undefined;
  private readonly response: Response;
  private readonly clock: Clock;
  private readonly describeError: (cause: unknown) => unknown;
  private ended = false;

  /** @param describeError what the consumer gets for an error of the connection */
  constructor(response: Response, clock: Clock, describeError: (cause: unknown) => unknown) {
    this.requestId = requestIdOf(response);
    this.response = response;
    this.clock = clock;
    this.describeError = describeError;
  }

  /**
   * The end marker of the stream has come: nothing is left but the end of the HTTP body. Cancelling now would close the
   * connection a moment before it could serve the next request, and each request would pay for a new one.
   */
  expectEnd(): void {
    this.ended = true;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    const iterator = from(this.response)[Symbol.asyncIterator]();
    const describe = (cause: unknown): never => {
      throw this.describeError(cause);
    };
    return forwardingIterator(() => iterator, {
      next: () => iterator.next().catch(describe),
      close: () => (this.ended ? this.awaitEnd(iterator) : iterator.return?.()),
    });
  }

  /** Behind the consumer's back, who has all there is. A server that does not end the body is left after a while. */
  private awaitEnd(iterator: AsyncIterator<Uint8Array>): undefined {
    const leave = (): void => {
      iterator.return?.().catch(() => {});
    };
    const timer = this.clock.setTimeout(leave, patience);
    const settle = (ended: boolean): void => {
      this.clock.clearTimeout(timer);
      if (!ended) leave();
    };
    iterator.next().then(
      (result) => settle(result.done === true),
      () => settle(true),
    );
  }
}

/** Milliseconds. */
const patience = 1_000;

export function requestIdOf({ headers }: Response): string | undefined {
  return headers.get("x-request-id") ?? headers.get("request-id") ?? undefined;
}
