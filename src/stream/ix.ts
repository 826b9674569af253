import { AsyncIterableX } from "@reactivex/ix-esnext-esm/asynciterable/asynciterablex";
import type { OperatorAsyncFunction } from "@reactivex/ix-esnext-esm/interfaces";
import { abortable } from "./operators/abortable.js";
import type { Operator } from "./operator.js";

/**
 * Makes a stream an Ix iterable, for Ix's own `.pipe()`. It adds no iterator, so the laws that hold for the stream
 * still hold. A signal that Ix passes on aborts the stream as `abortable` does.
 *
 * The other direction needs no adapter: an Ix iterable is an async iterable and an Ix operator is an `Operator`, so
 * `pipe` takes both. Some operators of Ix (`merge`, `combineLatest`, `takeUntil`) never close their source. Put
 * `abortable(signal)` between such an operator and its source.
 *
 * @example
 * ```ts
 * import { map as ixMap } from "@reactivex/ix-esnext-esm/asynciterable/operators/map";
 * import { collect, from, map, pipe } from "millrace";
 * import { toIx } from "millrace/ix";
 *
 * const source = pipe(from([1, 2]), map((n) => n + 1));
 * console.log(await collect(toIx(source).pipe(ixMap((n) => n * 10)))); // [20, 30]
 * ```
 */
export function toIx<T>(source: AsyncIterable<T>): AsyncIterableX<T> {
  return new IxStream(source);
}

/**
 * Types an operator of this package for Ix's `.pipe()`, which expects operators that return an Ix iterable.
 *
 * Pass several stages as `ixOperator(compose(a, b, c))`. Under TypeScript's `NodeNext` resolution, the types of Ix
 * allow one operator for each `.pipe()`: chain the calls there.
 *
 * @example
 * ```ts
 * import { from } from "@reactivex/ix-esnext-esm/asynciterable/asynciterablex";
 * import { collect, map } from "millrace";
 * import { ixOperator } from "millrace/ix";
 *
 * const words = from(["mill", "race"]).pipe(ixOperator(map((word) => word.length)));
 * console.log(await collect(words)); // [4, 4]
 * ```
 */
export function ixOperator<In, Out>(operator: Operator<In, Out>): OperatorAsyncFunction<In, Out> {
  return (source) => toIx(operator(source));
}

class IxStream<T> extends AsyncIterableX<T> {
  private readonly source: AsyncIterable<T>;

  constructor(source: AsyncIterable<T>) {
    super();
    this.source = source;
  }

  override [Symbol.asyncIterator](signal?: AbortSignal): AsyncIterator<T> {
    const source = signal === undefined ? this.source : abortable<T>(signal)(this.source);
    return source[Symbol.asyncIterator]();
  }
}
