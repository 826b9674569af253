import type { MessageChunk } from "../../messages/chunk.js";
import { forwardingIterator } from "../../stream/core/forwarding-iterator.js";
import { noop } from "../../stream/core/result.js";

/**
 * The answer to a request, or to another one if the first fails before its first chunk.
 *
 * @param other returns the answer to another request; `undefined` if the error is final
 * @param onAnswer called when the other request is answered
 */
export function askAgain(
  source: AsyncIterable<MessageChunk>,
  other: (error: unknown) => AsyncIterable<MessageChunk> | undefined,
  onAnswer: () => void = noop,
): AsyncIterable<MessageChunk> {
  return {
    [Symbol.asyncIterator](): AsyncIterator<MessageChunk> {
      let iterator = source[Symbol.asyncIterator]();
      let begun = false;
      let closed = false;
      const first = async (): Promise<IteratorResult<MessageChunk>> => {
        begun = true;
        try {
          return await iterator.next();
        } catch (error) {
          const another = closed ? undefined : other(error);
          if (another === undefined) throw error;
          iterator = another[Symbol.asyncIterator]();
        }
        const result = await iterator.next();
        onAnswer();
        return result;
      };
      return forwardingIterator(() => iterator, {
        next: () => (begun ? iterator.next() : first()),
        close: () => {
          closed = true;
          return iterator.return?.();
        },
      });
    },
  };
}
