import { Upstream } from "../../stream/core/upstream.js";
import { done } from "../../stream/core/result.js";

/** The same stream, but an error is its last item, in the form that `recover` gives it. Closed as promptly as its source. */
export function errorAsItem<T>(source: AsyncIterable<T>, recover: (error: unknown) => T): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator](): AsyncIterator<T, undefined, undefined> {
      const upstream = new Upstream(source);
      return {
        async next() {
          if (upstream.finished) return done();
          try {
            const result = await upstream.iterator.next();
            if (result.done !== true) return { done: false, value: result.value };
            upstream.finished = true;
            return done();
          } catch (error) {
            if (upstream.finished) return done(); // closed meanwhile: nobody is to onMessage of it
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
