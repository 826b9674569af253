import { Inlet } from "./inlet.js";
import { type Ending, ending, outlet, wait } from "./outlet.js";
import { none } from "./ready.js";

/**
 * The items of a generator, where each yielded stream is replaced by its items. This is what `yield*` does, but the
 * items of an inner stream do not pass through each generator on the way, which was a third of the agent's time per
 * token (docs/internals/parser-notes.md).
 *
 * Nothing runs before the first `next()`. The error of a stream is thrown at the `yield` of that stream.
 *
 * @param create creates the generator of one iteration
 */
export function splicing<T extends object>(create: () => Spliced<T>): AsyncIterable<T> {
  return outlet((wake) => {
    const generator = create();
    let item: T | undefined;
    let ended: Ending | undefined;
    let thrown: Ending["failure"];
    let inner: Inlet<T> | undefined;
    const outer = new Inlet<T | AsyncIterable<T>>(
      {
        [Symbol.asyncIterator]: () => ({
          next: () => {
            if (thrown === undefined) return generator.next();
            const { error } = thrown;
            thrown = undefined;
            return generator.throw(error);
          },
          return: () => generator.return(undefined),
        }),
      },
      (yielded) => {
        if (isStream(yielded)) inner = new Inlet<T>(yielded, onItem, onInnerEnd);
        else item = yielded;
        wake();
      },
      (failure) => {
        ended = { failure };
        wake();
      },
    );
    const onItem = (next: T): void => {
      item = next;
      wake();
    };
    const onInnerEnd = (failure: Ending["failure"]): void => {
      thrown = failure;
      inner = undefined;
      wake();
    };
    const takeItem = (): T | typeof none => {
      const taken = item ?? none;
      item = undefined;
      return taken;
    };
    return {
      poll() {
        const taken = takeItem();
        if (taken !== none) return taken;
        if (ended !== undefined) return ending(ended);
        (inner ?? outer).pull();
        return wait;
      },
      ready() {
        if (item !== undefined || ended !== undefined || inner === undefined) return takeItem();
        return inner.takeReady();
      },
      async close() {
        try {
          await inner?.close();
        } finally {
          await outer.close();
        }
      },
    };
  });
}

/** A generator that yields items and streams of items. */
export type Spliced<T, Result = undefined> = AsyncGenerator<T | AsyncIterable<T>, Result, undefined>;

function isStream<T extends object>(yielded: T | AsyncIterable<T>): yielded is AsyncIterable<T> {
  return Symbol.asyncIterator in yielded;
}
