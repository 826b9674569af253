import { Upstream } from "../../stream/core/upstream.js";
import { none } from "../../stream/core/ready.js";
import { done, itemOf } from "../../stream/core/result.js";

/** Turns an error of the source into a last item, created by `recover`. Closes as promptly as the source. */
export function errorAsItem<T>(source: AsyncIterable<T>, recover: (error: unknown) => T): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator](): AsyncIterator<T, undefined, undefined> {
      const upstream = new Upstream(source);
      return {
        async next() {
          if (upstream.finished) return done();
          try {
            const item = itemOf(await upstream.iterator.next());
            if (item !== none) return { done: false, value: item };
            upstream.finished = true;
            return done();
          } catch (error) {
            if (upstream.finished) return done(); // closed meanwhile: the consumer no longer reads
            upstream.finished = true;
            return { done: false, value: recover(error) };
          }
        },
        async return() {
          await upstream.close();
          return done();
        },
      };
    },
  };
}
