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
import { retryStream, type RetryStreamOptions } from "./retry-stream.js";
import { isInstance } from "../../text/thrown.js";

export interface ModelStreamOptions extends RetryStreamOptions {
  /** Returns what removes the key and other credentials from errors. Called when an error occurs. */
  readonly redactor: () => Redactor;
  readonly signal: AbortSignal | undefined;
  readonly timeouts: Timeouts;
  /** The id of a message that has none from its server. */
  readonly createId: () => string;
}

/** Shared by a stream and its current request. */
export interface RequestNotes {
  /** Set by the request, for errors that occur later. */
  requestId?: string | undefined;
  /** The request calls it when bytes arrive, also those that add nothing to the message: the server is alive. */
  onBytes: () => void;
}

/**
 * Adds to the request of a provider: retries before the first chunk, timeouts, abort, and errors with the partial
 * message.
 *
 * @param open sends the request and stores its details in `notes`
 */
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
      return mapError(chunks, (error) =>
        signal?.aborted === true && error === signal.reason
          ? error
          : finalError(error, seen.all, notes, redactor()),
      )[Symbol.asyncIterator]();
    },
  };
}

/** The same stream, with errors replaced by the result of `map`. */
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

function finalError(
  error: unknown,
  seen: readonly MessageChunk[],
  notes: RequestNotes,
  redactor: Redactor,
): unknown {
  const found = isInstance(error, TimeoutError)
    ? new ModelError("timeout", `The model timed out. ${error.message}`, { cause: error, retryable: true })
    : error;
  if (!isInstance(found, ModelError)) return found;
  const partial = partialOf(seen);
  return redactedError(found, { partial, requestId: found.requestId ?? notes.requestId }, redactor);
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
