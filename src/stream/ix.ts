import { AsyncIterableX } from "@reactivex/ix-esnext-esm/asynciterable/asynciterablex";
import type { OperatorAsyncFunction } from "@reactivex/ix-esnext-esm/interfaces";
import { abortable } from "./operators/abortable.js";
import type { Operator } from "./operator.js";

/**
 * Makes an Ix iterable out of any stream, so that it can go on through Ix's own `.pipe()`. Adds no iterator of its own:
 * laws that hold for the stream hold for it. A signal that Ix hands down aborts it as `abortable` does.
 *
 * The other way needs nothing: an Ix iterable is an async iterable, and an Ix operator is an `Operator`, so both go into
 * `pipe` as they are. What an Ix operator does with its source is its own affair: some of them (`merge`,
 * `combineLatest`, `takeUntil`, …) never close it. Put such a source behind `abortable(signal)`.
 *
 * @example
 * ```ts
 * import { map as ixMap } from "@reactivex/ix-esnext-esm/asynciterable/operators/map";
 * import { collect, from, map, pipe, toIx } from "millrace";
 *
 * const source = pipe(from([1, 2]), map((n) => n + 1));
 * console.log(await collect(toIx(source).pipe(ixMap((n) => n * 10)))); // [20, 30]
 * ```
 */
export function toIx<T>(source: AsyncIterable<T>): AsyncIterableX<T> {
  return new IxStream(source);
}

/**
 * Makes an operator that Ix's `.pipe()` takes among its own, typed, out of one of ours. At run time ours works there as
 * it is; but Ix asks, by type, for operators that give an Ix iterable, and the next `.pipe()` needs one.
 *
 * Several stages go into one `.pipe()` as `ixOperator(compose(a, b, c))`. Under TypeScript's `NodeNext` resolution Ix
 * knows its own `.pipe()` with one operator only: there, chain the calls.
 *
 * @example
 * ```ts
 * import { from } from "@reactivex/ix-esnext-esm/asynciterable/asynciterablex";
 * import { collect, ixOperator, map } from "millrace";
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
