import type { MessageChunk } from "../../messages/chunk.js";
import { ChunkFold } from "../../messages/merge/chunk-fold.js";
import { messageSoFar } from "../../messages/merge/merge-chunks.js";
import { abortInterrupter } from "../../stream/operators/abortable.js";
import { TimeoutError } from "../../stream/errors.js";
import { interruptible } from "../../stream/core/interruptible.js";
import { tap } from "../../stream/operators/tap.js";
import { timeoutInterrupter } from "../../stream/operators/timeout.js";
import type { Timeouts } from "../contract/chat-model.js";
import { ModelError } from "../contract/errors.js";
import { mapError } from "./map-error.js";
import { retryStream, type RetryingOptions } from "./retry-stream.js";

export interface ModelStreamOptions extends RetryingOptions {
  /** What no error may show: keys. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly timeouts: Timeouts;
}

export interface RequestNotes {
  requestId?: string | undefined;
}

/**
 * What every provider's stream needs around its request: retries before the first chunk, timeouts, abort, and errors
 * that carry the message as far as it had come.
 *
 * @param open asks the provider, and notes what it knows of the request for an error that comes later
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
    const message = `The model took too long. ${error.message}`;
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
    // A server that echoes the key can bring it into the message of what failed first.
    cause: containsSecret(error.cause, secrets) ? undefined : error.cause,
  });
}

/** The text with a word in place of each secret. */
function redact<T extends string | undefined>(text: T, secrets: readonly string[]): T {
  return secrets.reduce<string | undefined>((clean, secret) => clean?.replaceAll(secret, "[key]"), text) as T;
}

/** Whether a value shows one of the secrets, also deep inside: an error of a client may hold the request with its headers. */
function containsSecret(value: unknown, secrets: readonly string[]): boolean {
  if (secrets.length === 0) return false;
  const seen = new Set<unknown>();
  const look = (part: unknown): boolean => {
    if (typeof part === "string") return secrets.some((secret) => part.includes(secret));
    if (typeof part !== "object" || part === null || seen.has(part)) return false;
    if (seen.add(part).size > mostParts) return true; // too much to be sure
    if (part instanceof Map && [...part].some(look)) return true;
    // Not through getters: they may do anything.
    return Reflect.ownKeys(part).some((key) => look(Reflect.getOwnPropertyDescriptor(part, key)?.value));
  };
  return look(value);
}

const mostParts = 10_000;
