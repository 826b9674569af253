import { ready, type ReadyIterator, readyOf } from "../../stream/core/ready.js";

/** The same stream, whose errors are looked at by somebody who knows what they mean here. */
export function mapError<T>(source: AsyncIterable<T>, map: (error: unknown) => unknown): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator](): ReadyIterator<T> {
      const iterator = source[Symbol.asyncIterator]();
      const rethrow = (error: unknown): never => {
        throw map(error);
      };
      return {
        [ready]: readyOf(iterator),
        next: () => iterator.next().catch(rethrow),
        return: async () => {
          await iterator.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
