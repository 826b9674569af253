import type { Operator } from "./operator.js";
import { through } from "./pipe.js";

/**
 * Combines operators into one, applied from left to right. Up to 20 operators are typed, as in `pipe`. Outside of a
 * `pipe`, TypeScript cannot infer the input of the first operator: annotate the parameter of its function.
 *
 * Stages fuse as in `pipe`: `pipe(source, compose(a, b), c)` is `pipe(source, a, b, c)`. Without operators, the result
 * returns its source.
 *
 * @throws {TypeError} when applied to a source, if a stage is not a function
 *
 * @example
 * ```ts
 * import { collect, compose, filter, from, map, pipe } from "millrace";
 *
 * const words = compose(
 *   map((line: string) => line.trim()),
 *   filter((line) => line !== ""),
 * );
 * console.log(await collect(pipe(from([" mill", " ", "race "]), words))); // ["mill", "race"]
 * ```
 */
export function compose<A>(): Operator<A, A>;
export function compose<A, B>(ab: Operator<A, B>): Operator<A, B>;
export function compose<A, B, C>(ab: Operator<A, B>, bc: Operator<B, C>): Operator<A, C>;
export function compose<A, B, C, D>(
  ab: Operator<A, B>,
  bc: Operator<B, C>,
  cd: Operator<C, D>,
): Operator<A, D>;
export function compose<A, B, C, D, E>(
  ab: Operator<A, B>,
  bc: Operator<B, C>,
  cd: Operator<C, D>,
  de: Operator<D, E>,
): Operator<A, E>;
export function compose<A, B, C, D, E, F>(
  ab: Operator<A, B>,
  bc: Operator<B, C>,
  cd: Operator<C, D>,
  de: Operator<D, E>,
  ef: Operator<E, F>,
): Operator<A, F>;
export function compose<A, B, C, D, E, F, G>(
  ab: Operator<A, B>,
  bc: Operator<B, C>,
  cd: Operator<C, D>,
  de: Operator<D, E>,
  ef: Operator<E, F>,
  fg: Operator<F, G>,
): Operator<A, G>;
export function compose<A, B, C, D, E, F, G, H>(
  ab: Operator<A, B>,
  bc: Operator<B, C>,
  cd: Operator<C, D>,
  de: Operator<D, E>,
  ef: Operator<E, F>,
  fg: Operator<F, G>,
  gh: Operator<G, H>,
): Operator<A, H>;
export function compose<A, B, C, D, E, F, G, H, I>(
  ab: Operator<A, B>,
  bc: Operator<B, C>,
  cd: Operator<C, D>,
  de: Operator<D, E>,
  ef: Operator<E, F>,
  fg: Operator<F, G>,
  gh: Operator<G, H>,
  hi: Operator<H, I>,
): Operator<A, I>;
export function compose<A, B, C, D, E, F, G, H, I, J>(
  ab: Operator<A, B>,
  bc: Operator<B, C>,
  cd: Operator<C, D>,
  de: Operator<D, E>,
  ef: Operator<E, F>,
  fg: Operator<F, G>,
  gh: Operator<G, H>,
  hi: Operator<H, I>,
  ij: Operator<I, J>,
): Operator<A, J>;
export function compose<A, B, C, D, E, F, G, H, I, J, K>(
  ab: Operator<A, B>,
  bc: Operator<B, C>,
  cd: Operator<C, D>,
  de: Operator<D, E>,
  ef: Operator<E, F>,
  fg: Operator<F, G>,
  gh: Operator<G, H>,
  hi: Operator<H, I>,
  ij: Operator<I, J>,
  jk: Operator<J, K>,
): Operator<A, K>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L>(
  ab: Operator<A, B>,
  bc: Operator<B, C>,
  cd: Operator<C, D>,
  de: Operator<D, E>,
  ef: Operator<E, F>,
  fg: Operator<F, G>,
  gh: Operator<G, H>,
  hi: Operator<H, I>,
  ij: Operator<I, J>,
  jk: Operator<J, K>,
  kl: Operator<K, L>,
): Operator<A, L>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L, M>(
  ab: Operator<A, B>,
  bc: Operator<B, C>,
  cd: Operator<C, D>,
  de: Operator<D, E>,
  ef: Operator<E, F>,
  fg: Operator<F, G>,
  gh: Operator<G, H>,
  hi: Operator<H, I>,
  ij: Operator<I, J>,
  jk: Operator<J, K>,
  kl: Operator<K, L>,
  lm: Operator<L, M>,
): Operator<A, M>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L, M, N>(
  ab: Operator<A, B>,
  bc: Operator<B, C>,
  cd: Operator<C, D>,
  de: Operator<D, E>,
  ef: Operator<E, F>,
  fg: Operator<F, G>,
  gh: Operator<G, H>,
  hi: Operator<H, I>,
  ij: Operator<I, J>,
  jk: Operator<J, K>,
  kl: Operator<K, L>,
  lm: Operator<L, M>,
  mn: Operator<M, N>,
): Operator<A, N>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O>(
  ab: Operator<A, B>,
  bc: Operator<B, C>,
  cd: Operator<C, D>,
  de: Operator<D, E>,
  ef: Operator<E, F>,
  fg: Operator<F, G>,
  gh: Operator<G, H>,
  hi: Operator<H, I>,
  ij: Operator<I, J>,
  jk: Operator<J, K>,
  kl: Operator<K, L>,
  lm: Operator<L, M>,
  mn: Operator<M, N>,
  no: Operator<N, O>,
): Operator<A, O>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P>(
  ab: Operator<A, B>,
  bc: Operator<B, C>,
  cd: Operator<C, D>,
  de: Operator<D, E>,
  ef: Operator<E, F>,
  fg: Operator<F, G>,
  gh: Operator<G, H>,
  hi: Operator<H, I>,
  ij: Operator<I, J>,
  jk: Operator<J, K>,
  kl: Operator<K, L>,
  lm: Operator<L, M>,
  mn: Operator<M, N>,
  no: Operator<N, O>,
  op: Operator<O, P>,
): Operator<A, P>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q>(
  ab: Operator<A, B>,
  bc: Operator<B, C>,
  cd: Operator<C, D>,
  de: Operator<D, E>,
  ef: Operator<E, F>,
  fg: Operator<F, G>,
  gh: Operator<G, H>,
  hi: Operator<H, I>,
  ij: Operator<I, J>,
  jk: Operator<J, K>,
  kl: Operator<K, L>,
  lm: Operator<L, M>,
  mn: Operator<M, N>,
  no: Operator<N, O>,
  op: Operator<O, P>,
  pq: Operator<P, Q>,
): Operator<A, Q>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R>(
  ab: Operator<A, B>,
  bc: Operator<B, C>,
  cd: Operator<C, D>,
  de: Operator<D, E>,
  ef: Operator<E, F>,
  fg: Operator<F, G>,
  gh: Operator<G, H>,
  hi: Operator<H, I>,
  ij: Operator<I, J>,
  jk: Operator<J, K>,
  kl: Operator<K, L>,
  lm: Operator<L, M>,
  mn: Operator<M, N>,
  no: Operator<N, O>,
  op: Operator<O, P>,
  pq: Operator<P, Q>,
  qr: Operator<Q, R>,
): Operator<A, R>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S>(
  ab: Operator<A, B>,
  bc: Operator<B, C>,
  cd: Operator<C, D>,
  de: Operator<D, E>,
  ef: Operator<E, F>,
  fg: Operator<F, G>,
  gh: Operator<G, H>,
  hi: Operator<H, I>,
  ij: Operator<I, J>,
  jk: Operator<J, K>,
  kl: Operator<K, L>,
  lm: Operator<L, M>,
  mn: Operator<M, N>,
  no: Operator<N, O>,
  op: Operator<O, P>,
  pq: Operator<P, Q>,
  qr: Operator<Q, R>,
  rs: Operator<R, S>,
): Operator<A, S>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T>(
  ab: Operator<A, B>,
  bc: Operator<B, C>,
  cd: Operator<C, D>,
  de: Operator<D, E>,
  ef: Operator<E, F>,
  fg: Operator<F, G>,
  gh: Operator<G, H>,
  hi: Operator<H, I>,
  ij: Operator<I, J>,
  jk: Operator<J, K>,
  kl: Operator<K, L>,
  lm: Operator<L, M>,
  mn: Operator<M, N>,
  no: Operator<N, O>,
  op: Operator<O, P>,
  pq: Operator<P, Q>,
  qr: Operator<Q, R>,
  rs: Operator<R, S>,
  st: Operator<S, T>,
): Operator<A, T>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U>(
  ab: Operator<A, B>,
  bc: Operator<B, C>,
  cd: Operator<C, D>,
  de: Operator<D, E>,
  ef: Operator<E, F>,
  fg: Operator<F, G>,
  gh: Operator<G, H>,
  hi: Operator<H, I>,
  ij: Operator<I, J>,
  jk: Operator<J, K>,
  kl: Operator<K, L>,
  lm: Operator<L, M>,
  mn: Operator<M, N>,
  no: Operator<N, O>,
  op: Operator<O, P>,
  pq: Operator<P, Q>,
  qr: Operator<Q, R>,
  rs: Operator<R, S>,
  st: Operator<S, T>,
  tu: Operator<T, U>,
): Operator<A, U>;
export function compose(...stages: readonly Operator<unknown, unknown>[]): Operator<unknown, unknown> {
  return (source) => through(source, stages);
}
