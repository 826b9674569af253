import type { MessageChunk } from "../../messages/chunk.js";
import { JoinedChunks } from "../../messages/merge/joined-chunks.js";
import { MessageError } from "../../messages/errors.js";
import type { AssistantMessage } from "../../messages/message.js";
import { messageSoFar } from "../../messages/merge/merge-chunks.js";
import { abortInterrupter } from "../../stream/operators/abortable.js";
import { map } from "../../stream/operators/map.js";
import { TimeoutError } from "../../stream/errors.js";
import { forwardingIterator } from "../../stream/core/forwarding-iterator.js";
import { interruptible } from "../../stream/core/interruptible.js";
import { noop } from "../../stream/core/result.js";
import { timeoutInterrupter } from "../../stream/operators/timeout.js";
import type { Redactor } from "../../text/redactor.js";
import type { Timeouts } from "../contract/chat-model.js";
import { ModelError } from "../contract/errors.js";
import { redactedError } from "./redacted-error.js";
import { isInstance } from "../../text/thrown.js";
import type { Clock } from "../../stream/time/clock.js";
import { attempt } from "../../stream/time/attempts.js";
import { retryDelay, whileLoading } from "./retry-delay.js";

export interface ModelStreamOptions {
  readonly maxRetries: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly redactor: () => Redactor;
  readonly signal: AbortSignal | undefined;
  readonly timeouts: Timeouts;
  readonly createId: () => string;
}

/** Shared by a stream and its current request. */
export interface RequestNotes {
  /** Set by the request, for errors that occur later. */
  requestId?: string | undefined;
  /** The request calls it when bytes arrive, also those that add nothing to the message: the server is alive. */
  onBytes: () => void;
}

/** Adds retries before the first chunk, timeouts, abort, and errors with the partial message. */
export function answerStream(
  open: (signal: AbortSignal, notes: RequestNotes) => Promise<AsyncIterable<MessageChunk>>,
  options: ModelStreamOptions,
): AsyncIterable<MessageChunk> {
  const { signal, clock, redactor, createId } = options;
  const { firstToken = tenMinutes, idle = twoMinutes, total = Infinity } = options.timeouts;
  return {
    [Symbol.asyncIterator]() {
      const notes: RequestNotes = { onBytes: noop };
      const seen = new JoinedChunks();
      let begun = false;
      const keep = map((chunk: MessageChunk) => {
        const known = begun || chunk.id !== undefined ? chunk : { ...chunk, id: createId() };
        begun = true;
        seen.add(known);
        return known;
      });
      const attempt = async (closed: AbortSignal): Promise<AsyncIterable<MessageChunk>> => {
        notes.requestId = undefined;
        return keep(await open(closed, notes));
      };
      const limit = timeoutInterrupter({ first: firstToken, idle, total }, { clock }, (restart) => {
        notes.onBytes = restart;
      });
      const limits = signal === undefined ? [limit] : [abortInterrupter(signal), limit];
      const chunks = interruptible<MessageChunk>(...limits)(retryStream(attempt, options));
      return mapError(chunks, (error) => {
        if (signal?.aborted === true && error === signal.reason) return error;
        const found = isInstance(error, TimeoutError) ? timeoutError(error) : error;
        if (!isInstance(found, ModelError)) return found;
        const details = { partial: partialOf(seen.all), requestId: found.requestId ?? notes.requestId };
        return redactedError(found, details, redactor());
      })[Symbol.asyncIterator]();
    },
  };
}

export function mapError<T>(source: AsyncIterable<T>, map: (error: unknown) => unknown): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator](): AsyncIterator<T> {
      const iterator = source[Symbol.asyncIterator]();
      const rethrow = (error: unknown): never => {
        throw map(error);
      };
      return forwardingIterator(() => iterator, { next: () => iterator.next().catch(rethrow) });
    },
  };
}

const twoMinutes = 120_000;
const tenMinutes = 600_000;

function timeoutError(cause: TimeoutError): ModelError {
  return new ModelError("timeout", `The model timed out. ${cause.message}`, { cause, retryable: true });
}

/** The message that had arrived; `undefined` if it is no message, such as one of too many blocks. */
function partialOf(seen: readonly MessageChunk[]): AssistantMessage | undefined {
  if (seen.length === 0) return undefined;
  try {
    return messageSoFar(seen);
  } catch (error) {
    if (isInstance(error, MessageError)) return undefined;
    throw error;
  }
}

/**
 * A stream that is reopened if it fails before its first item, and never after it. A server that loads its model is asked
 * until it is ready.
 *
 * @param open sends a request. Its signal is aborted when the consumer leaves, which closes the connection in any state
 */
function retryStream<T>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<T>>,
  { maxRetries, clock, random }: ModelStreamOptions,
): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator](): AsyncIterator<T> {
      const controller = new AbortController();
      const { signal } = controller;
      let iterator: AsyncIterator<T> | undefined;
      let begun = false;
      const rule = (error: unknown, failed: number): number | undefined =>
        retryDelay(error, failed, maxRetries, random);
      // A model may load for minutes. The timeouts limit the wait.
      const delayOf = maxRetries > 0 ? whileLoading(rule, random) : rule;
      const delay = (error: unknown, failed: number): number | undefined => {
        if (signal.aborted) return undefined;
        const next = delayOf(error, failed);
        if (next !== undefined) iterator = undefined;
        return next;
      };
      const first = async (): Promise<IteratorResult<T>> => {
        iterator = (await open(signal))[Symbol.asyncIterator]();
        if (signal.aborted) await iterator.return?.();
        const result = await iterator.next();
        begun = true;
        return result;
      };
      return forwardingIterator(() => iterator, {
        next: () =>
          begun && iterator !== undefined ? iterator.next() : attempt(first, { delay, clock, signal }),
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
