import type { Clock } from "../../stream/time/clock.js";
import { forwardingIterator } from "../../stream/core/forwarding-iterator.js";
import { noop } from "../../stream/core/result.js";
import { excerpt } from "../../text/excerpt.js";
import { from } from "../../stream/sources/from.js";
import type { ModelErrorDetails } from "../contract/errors.js";

export interface AnswerSource {
  /** The host and path. */
  readonly place: string;
  /** The status and the id under which the provider logs the request. */
  readonly known: ModelErrorDetails;
}

/** The bytes of an HTTP response. Leaving the loop closes the connection, unless `expectEnd()` was called before. */
export interface AnswerBody extends AsyncIterable<Uint8Array> {
  readonly source: AnswerSource;
  /**
   * The end marker of the stream has arrived, so only the end of the HTTP body is left. Canceling now would close the
   * connection just before it could be reused, and every request would have to open a new one.
   */
  expectEnd(): void;
}

/** @param describeError maps an error of the connection to the error that the consumer receives */
export function answerBody(
  response: Response,
  source: AnswerSource,
  clock: Clock,
  onBytes: () => void,
  describeError: (cause: unknown) => unknown,
): AnswerBody {
  let ended = false;
  const note = <T>(result: T): T => {
    onBytes();
    return result;
  };
  const describe = (cause: unknown): never => {
    throw describeError(cause);
  };
  return {
    source,
    expectEnd() {
      ended = true;
    },
    [Symbol.asyncIterator]() {
      const iterator = from(response)[Symbol.asyncIterator]();
      return forwardingIterator(() => iterator, {
        next: () => iterator.next().then(note, describe),
        close: () => (ended ? awaitEnd(iterator, clock) : iterator.return?.()),
      });
    },
  };
}

/** Reads to the end of the body in the background. Closes the connection if the server does not end it in time. */
function awaitEnd(iterator: AsyncIterator<Uint8Array>, clock: Clock): undefined {
  const leave = (): void => {
    iterator.return?.().catch(noop);
  };
  const timer = clock.setTimeout(leave, maxWait);
  const settle = (ended: boolean): void => {
    clock.clearTimeout(timer);
    if (!ended) leave();
  };
  iterator.next().then(
    (result) => settle(result.done === true),
    () => settle(true),
  );
}

/** How long to wait for the end of the body, in milliseconds. */
const maxWait = 1_000;

/** The headers with the id of a request: of OpenAI, Anthropic, AWS and Azure. */
export const requestIdHeaders = ["x-request-id", "request-id", "x-amzn-requestid", "apim-request-id"];

export function requestIdOf({ headers }: Pick<Response, "headers">): string | undefined {
  const id = requestIdHeaders.map((name) => headers.get(name)).find((value) => value !== null);
  return id === undefined ? undefined : excerpt(id);
}
