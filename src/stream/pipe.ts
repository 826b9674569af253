import { kindName } from "../text/kind-name.js";
import type { Chain, Operator } from "./operator.js";

/**
 * Sends a source through stages, from left to right. Up to 20 stages are typed: a stage that cannot read the output of
 * the stage before it does not compile, and functions passed to `map`, `filter` and others have their parameters
 * inferred. For more stages, combine some of them with `compose()`.
 *
 * Nothing is pulled before the result is iterated. Leaving the loop closes the source. Neighbouring synchronous stages
 * (`map`, `filter`, `scan`, `tap`, `take`, `dropLast` and all others made with `stage`) fuse into one iterator.
 *
 * @throws {TypeError} immediately, if the source is not an async iterable, or if a stage is not a function
 *
 * @example
 * ```ts
 * import { collect, filter, from, map, pipe } from "millrace";
 *
 * const lengths = pipe(
 *   from(["to", "", "be"]),
 *   filter((word) => word !== ""),
 *   map((word) => word.length),
 * );
 * console.log(await collect(lengths)); // [2, 2]
 * ```
 */
export function pipe<A>(source: AsyncIterable<A>): AsyncIterable<A>;
export function pipe<A, B>(source: AsyncIterable<A>, ...stages: Chain<[A, B]>): AsyncIterable<B>;
export function pipe<A, B, C>(source: AsyncIterable<A>, ...stages: Chain<[A, B, C]>): AsyncIterable<C>;
export function pipe<A, B, C, D>(source: AsyncIterable<A>, ...stages: Chain<[A, B, C, D]>): AsyncIterable<D>;
export function pipe<A, B, C, D, E>(
  source: AsyncIterable<A>,
  ...stages: Chain<[A, B, C, D, E]>
): AsyncIterable<E>;
export function pipe<A, B, C, D, E, F>(
  source: AsyncIterable<A>,
  ...stages: Chain<[A, B, C, D, E, F]>
): AsyncIterable<F>;
export function pipe<A, B, C, D, E, F, G>(
  source: AsyncIterable<A>,
  ...stages: Chain<[A, B, C, D, E, F, G]>
): AsyncIterable<G>;
export function pipe<A, B, C, D, E, F, G, H>(
  source: AsyncIterable<A>,
  ...stages: Chain<[A, B, C, D, E, F, G, H]>
): AsyncIterable<H>;
export function pipe<A, B, C, D, E, F, G, H, I>(
  source: AsyncIterable<A>,
  ...stages: Chain<[A, B, C, D, E, F, G, H, I]>
): AsyncIterable<I>;
export function pipe<A, B, C, D, E, F, G, H, I, J>(
  source: AsyncIterable<A>,
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J]>
): AsyncIterable<J>;
export function pipe<A, B, C, D, E, F, G, H, I, J, K>(
  source: AsyncIterable<A>,
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K]>
): AsyncIterable<K>;
export function pipe<A, B, C, D, E, F, G, H, I, J, K, L>(
  source: AsyncIterable<A>,
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L]>
): AsyncIterable<L>;
export function pipe<A, B, C, D, E, F, G, H, I, J, K, L, M>(
  source: AsyncIterable<A>,
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L, M]>
): AsyncIterable<M>;
export function pipe<A, B, C, D, E, F, G, H, I, J, K, L, M, N>(
  source: AsyncIterable<A>,
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L, M, N]>
): AsyncIterable<N>;
export function pipe<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O>(
  source: AsyncIterable<A>,
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L, M, N, O]>
): AsyncIterable<O>;
export function pipe<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P>(
  source: AsyncIterable<A>,
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P]>
): AsyncIterable<P>;
export function pipe<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q>(
  source: AsyncIterable<A>,
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q]>
): AsyncIterable<Q>;
export function pipe<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R>(
  source: AsyncIterable<A>,
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R]>
): AsyncIterable<R>;
export function pipe<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S>(
  source: AsyncIterable<A>,
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S]>
): AsyncIterable<S>;
export function pipe<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T>(
  source: AsyncIterable<A>,
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T]>
): AsyncIterable<T>;
export function pipe<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U>(
  source: AsyncIterable<A>,
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U]>
): AsyncIterable<U>;
export function pipe(
  source: AsyncIterable<unknown>,
  ...stages: readonly Operator<unknown, unknown>[]
): AsyncIterable<unknown> {
  checkSource("pipe()", source);
  return through(source, stages);
}

/** @throws {TypeError} naming the function whose first argument is not a stream */
export function checkSource(subject: string, value: unknown): void {
  if (typeof (value as AsyncIterable<unknown> | null | undefined)?.[Symbol.asyncIterator] === "function")
    return;
  const instead =
    typeof (value as { stream?: unknown } | null | undefined)?.stream === "function"
      ? "a model or an agent. Write model.stream(messages)"
      : `${kindName(value)}. Write from(source) for arrays, promises and web streams`;
  throw new TypeError(`${subject} needs a stream as its first argument, but got ${instead}.`);
}

/** The untyped implementation of `pipe` and `compose`. */
export function through(
  source: AsyncIterable<unknown>,
  stages: readonly Operator<unknown, unknown>[],
): AsyncIterable<unknown> {
  return stages.reduce((stream, stage, index) => {
    if (typeof stage !== "function") {
      const instead =
        typeof (stage as { stream?: unknown } | null)?.stream === "function"
          ? "a parser. Write parser.stream, or another of its operators"
          : kindName(stage);
      throw new TypeError(
        `A stage must be a function from a stream to a stream, but stage ${index + 1} is ${instead}.`,
      );
    }
    return stage(stream);
  }, source);
}
