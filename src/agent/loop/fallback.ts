import type { MessageChunk } from "../../messages/chunk.js";
import { ModelError } from "../../models/contract/errors.js";
import { forwardingIterator } from "../../stream/core/forwarding-iterator.js";
import { isInstance } from "../../text/thrown.js";

/** Whether a schema cannot be written for the provider. Nothing was sent. */
export function isUnwritable(error: unknown): error is ModelError {
  return (
    isInstance(error, ModelError) && error.code === "invalid_request" && error.schemaPointer !== undefined
  );
}

/** Another stream, if the first one fails before its first chunk in that way. */
export function withFallback(
  source: AsyncIterable<MessageChunk>,
  applies: (error: unknown) => boolean,
  other: (refusal: ModelError) => AsyncIterable<MessageChunk>,
): AsyncIterable<MessageChunk> {
  return {
    [Symbol.asyncIterator](): AsyncIterator<MessageChunk> {
      let iterator = source[Symbol.asyncIterator]();
      let begun = false;
      const first = async (): Promise<IteratorResult<MessageChunk>> => {
        begun = true;
        try {
          return await iterator.next();
        } catch (error) {
          if (!applies(error)) throw error;
          iterator = other(error as ModelError)[Symbol.asyncIterator]();
          return iterator.next();
        }
      };
      return forwardingIterator(() => iterator, { next: () => (begun ? iterator.next() : first()) });
    },
  };
}
