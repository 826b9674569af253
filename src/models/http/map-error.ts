import { forwardingIterator } from "../../stream/core/forwarding-iterator.js";

/** The same stream, with its error replaced by what `map` makes of it. */
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
