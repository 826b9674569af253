import type { Chain, Operator } from "./operator.js";
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
export function compose<A, B>(...stages: Chain<[A, B]>): Operator<A, B>;
export function compose<A, B, C>(...stages: Chain<[A, B, C]>): Operator<A, C>;
export function compose<A, B, C, D>(...stages: Chain<[A, B, C, D]>): Operator<A, D>;
export function compose<A, B, C, D, E>(...stages: Chain<[A, B, C, D, E]>): Operator<A, E>;
export function compose<A, B, C, D, E, F>(...stages: Chain<[A, B, C, D, E, F]>): Operator<A, F>;
export function compose<A, B, C, D, E, F, G>(...stages: Chain<[A, B, C, D, E, F, G]>): Operator<A, G>;
export function compose<A, B, C, D, E, F, G, H>(...stages: Chain<[A, B, C, D, E, F, G, H]>): Operator<A, H>;
export function compose<A, B, C, D, E, F, G, H, I>(
  ...stages: Chain<[A, B, C, D, E, F, G, H, I]>
): Operator<A, I>;
export function compose<A, B, C, D, E, F, G, H, I, J>(
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J]>
): Operator<A, J>;
export function compose<A, B, C, D, E, F, G, H, I, J, K>(
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K]>
): Operator<A, K>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L>(
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L]>
): Operator<A, L>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L, M>(
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L, M]>
): Operator<A, M>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L, M, N>(
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L, M, N]>
): Operator<A, N>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O>(
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L, M, N, O]>
): Operator<A, O>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P>(
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P]>
): Operator<A, P>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q>(
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q]>
): Operator<A, Q>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R>(
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R]>
): Operator<A, R>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S>(
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S]>
): Operator<A, S>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T>(
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T]>
): Operator<A, T>;
export function compose<A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U>(
  ...stages: Chain<[A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U]>
): Operator<A, U>;
export function compose(...stages: readonly Operator<unknown, unknown>[]): Operator<unknown, unknown> {
  return (source) => through(source, stages);
}
