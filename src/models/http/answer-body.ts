import type { Clock } from "../../stream/time/clock.js";
import { forwardingIterator } from "../../stream/core/forwarding-iterator.js";
import { noop } from "../../stream/core/result.js";
import { excerpt } from "../../text/excerpt.js";
import { from } from "../../stream/sources/from.js";
import type { ModelErrorDetails } from "../contract/errors.js";

/** Where an answer comes from, for its errors. */
export interface AnswerSource {
  /** The host and path. */
  readonly place: string;
  /** The status and the id under which the provider logs the request. */
  readonly known: ModelErrorDetails;
}

/**
 * The bytes of an HTTP response. Leaving the loop closes the connection, unless `expectEnd()` was called before.
 */
export class AnswerBody implements AsyncIterable<Uint8Array> {
  readonly source: AnswerSource;
  private readonly response: Response;
  private readonly clock: Clock;
  private readonly onBytes: () => void;
  private readonly describeError: (cause: unknown) => unknown;
  private ended = false;

  /** @param describeError maps an error of the connection to the error that the consumer receives */
  constructor(
    response: Response,
    source: AnswerSource,
    clock: Clock,
    onBytes: () => void,
    describeError: (cause: unknown) => unknown,
  ) {
    this.source = source;
    this.response = response;
    this.clock = clock;
    this.onBytes = onBytes;
    this.describeError = describeError;
  }

  /**
   * The end marker of the stream has arrived, so only the end of the HTTP body is left. Canceling now would close the
   * connection just before it could be reused, and every request would have to open a new one.
   */
  expectEnd(): void {
    this.ended = true;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    const iterator = from(this.response)[Symbol.asyncIterator]();
    const note = <T>(result: T): T => {
      this.onBytes();
      return result;
    };
    const describe = (cause: unknown): never => {
      throw this.describeError(cause);
    };
    return forwardingIterator(() => iterator, {
      next: () => iterator.next().then(note, describe),
      close: () => (this.ended ? this.awaitEnd(iterator) : iterator.return?.()),
    });
  }

  /** Reads to the end of the body in the background. Closes the connection if the server does not end it in time. */
  private awaitEnd(iterator: AsyncIterator<Uint8Array>): undefined {
    const leave = (): void => {
      iterator.return?.().catch(noop);
    };
    const timer = this.clock.setTimeout(leave, maxWait);
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

/** How long to wait for the end of the body, in milliseconds. */
const maxWait = 1_000;

/** The headers with the id of a request: of OpenAI, Anthropic, AWS and Azure. */
export const requestIdHeaders = ["x-request-id", "request-id", "x-amzn-requestid", "apim-request-id"];

export function requestIdOf({ headers }: Pick<Response, "headers">): string | undefined {
  const id = requestIdHeaders.map((name) => headers.get(name)).find((value) => value !== null);
  return id === undefined ? undefined : excerpt(id);
}
