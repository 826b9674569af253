import { Inlet } from "./inlet.js";
import { type Ending, ending, outlet, wait } from "./outlet.js";
import { none } from "./ready.js";

/**
 * The items of a generator, and in the place of each stream among them its items: what `yield*` does, but the items of the
 * stream do not pass through all the generators that call one another on the way. That is what takes the time where there
 * are many (docs/benchmarks/stream.md).
 *
 * Nothing runs before the first `next()`. An error of a stream is thrown in the generator, where it was yielded.
 *
 * @param create makes the generator of one iteration
 */
export function splicing<T extends object>(create: () => Spliced<T>): AsyncIterable<T> {
  return outlet((wake) => {
    const generator = create();
    let item: T | undefined;
    let over: Ending | undefined;
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
      (given) => {
        if (isStream(given)) inner = new Inlet<T>(given, onItem, onInnerEnd);
        else item = given;
        wake();
      },
      (failure) => {
        over = { failure };
        wake();
      },
    );
    const onItem = (given: T): void => {
      item = given;
      wake();
    };
    const onInnerEnd = (failure: Ending["failure"]): void => {
      thrown = failure;
      inner = undefined;
      wake();
    };
    const handOn = (): T | typeof none => {
      const given = item ?? none;
      item = undefined;
      return given;
    };
    return {
      poll() {
        const given = handOn();
        if (given !== none) return given;
        if (over !== undefined) return ending(over);
        (inner ?? outer).pull();
        return wait;
      },
      ready() {
        if (item !== undefined || over !== undefined || inner === undefined) return handOn();
        return inner.takeReady();
      },
      async close() {
        await inner?.close();
        await outer.close();
      },
    };
  });
}

/** A generator of items, and of streams of them. */
export type Spliced<T, Result = undefined> = AsyncGenerator<T | AsyncIterable<T>, Result, undefined>;

function isStream<T extends object>(given: T | AsyncIterable<T>): given is AsyncIterable<T> {
  return Symbol.asyncIterator in given;
}
