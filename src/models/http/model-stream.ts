import type { MessageChunk } from "../../messages/chunk.js";
import { ChunkFold } from "../../messages/merge/chunk-fold.js";
import { messageSoFar } from "../../messages/merge/merge-chunks.js";
import { abortInterrupter } from "../../stream/operators/abortable.js";
import { TimeoutError } from "../../stream/errors.js";
import { forwardingIterator } from "../../stream/core/forwarding-iterator.js";
import { interruptible } from "../../stream/core/interruptible.js";
import { tap } from "../../stream/operators/tap.js";
import { timeoutInterrupter } from "../../stream/operators/timeout.js";
import type { Timeouts } from "../contract/chat-model.js";
import { ModelError } from "../contract/errors.js";
import { retryStream, type RetryStreamOptions } from "./retry-stream.js";

export interface ModelStreamOptions extends RetryStreamOptions {
  /** Values that no error may contain, such as keys. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly timeouts: Timeouts;
}

/** Details of the current request, for errors that occur later. */
export interface RequestNotes {
  requestId?: string | undefined;
}

/**
 * Adds to the request of a provider: retries before the first chunk, timeouts, abort, and errors with the partial
 * message.
 *
 * @param open sends the request and stores its details in `notes`
 */
export function modelStream(
  open: (signal: AbortSignal, notes: RequestNotes) => Promise<AsyncIterable<MessageChunk>>,
  options: ModelStreamOptions,
): AsyncIterable<MessageChunk> {
  const { signal, clock, secrets } = options;
  const { firstToken = tenMinutes, idle = twoMinutes, total = Infinity } = options.timeouts;
  return {
    [Symbol.asyncIterator]() {
      const notes: RequestNotes = {};
      const partial = new ChunkFold();
      const keep = tap<MessageChunk>((chunk) => {
        partial.add(chunk);
      });
      const attempt = async (closed: AbortSignal): Promise<AsyncIterable<MessageChunk>> => {
        notes.requestId = undefined;
        return keep(await open(closed, notes));
      };
      const limit = timeoutInterrupter({ first: firstToken, idle, total }, { clock });
      const limits = signal === undefined ? [limit] : [abortInterrupter(signal), limit];
      const chunks = interruptible<MessageChunk>(...limits)(retryStream(attempt, options));
      return mapError(chunks, (error) =>
        signal?.aborted === true && error === signal.reason
          ? error
          : finalError(error, partial.value, notes, secrets),
      )[Symbol.asyncIterator]();
    },
  };
}

/** The same stream, with errors replaced by the result of `map`. */
function mapError<T>(source: AsyncIterable<T>, map: (error: unknown) => unknown): AsyncIterable<T> {
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
  chunk: MessageChunk | undefined,
  notes: RequestNotes,
  secrets: readonly string[],
): unknown {
  const partial = chunk === undefined ? undefined : messageSoFar(chunk);
  if (error instanceof TimeoutError) {
    const message = `The model timed out. ${error.message}`;
    return new ModelError("timeout", message, {
      cause: error,
      partial,
      retryable: true,
      requestId: redact(notes.requestId, secrets),
    });
  }
  if (!(error instanceof ModelError)) return error;
  return new ModelError(error.code, redact(error.message, secrets), {
    status: error.status,
    retryable: error.retryable,
    requestId: redact(error.requestId ?? notes.requestId, secrets),
    providerCode: redact(error.providerCode, secrets),
    retryAfter: error.retryAfter,
    excerpt: redact(error.excerpt, secrets),
    partial,
    // The cause may contain the key, for example if the server echoes it.
    cause: containsSecret(error.cause, secrets) ? undefined : error.cause,
  });
}

/** The text with each secret replaced by "[key]". */
function redact<T extends string | undefined>(text: T, secrets: readonly string[]): T {
  return secrets.reduce<string | undefined>((clean, secret) => clean?.replaceAll(secret, "[key]"), text) as T;
}

/** Whether a value contains a secret at any depth. The error of an HTTP client may contain the request with its headers. */
function containsSecret(value: unknown, secrets: readonly string[]): boolean {
  if (secrets.length === 0) return false;
  const seen = new Set<unknown>();
  const look = (part: unknown): boolean => {
    if (typeof part === "string") return secrets.some((secret) => part.includes(secret));
    if (typeof part !== "object" || part === null || seen.has(part)) return false;
    if (seen.add(part).size > maxParts) return true; // too large to check completely
    if (part instanceof Map && [...part].some(look)) return true;
    // Getters are not called: they may have side effects.
    return Reflect.ownKeys(part).some((key) => look(Reflect.getOwnPropertyDescriptor(part, key)?.value));
  };
  return look(value);
}

const maxParts = 10_000;
