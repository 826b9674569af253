/**
 * A stage of a pipeline: a function from a stream to a stream. Each stage of this package is a function of its options
 * that returns an operator. Operators of Ix have the same shape and work inside `pipe`.
 */
export interface Operator<In, Out> {
  (source: AsyncIterable<In>): AsyncIterable<Out>;
  /** Never set. The compiler shows this text to whoever writes a parser where its operator belongs. */
  readonly stream?: "A parser is not a stage. Write parser.stream." | undefined;
}

/** Operators that fit one another: `Chain<[A, B, C]>` is `[Operator<A, B>, Operator<B, C>]`. */
export type Chain<Types extends readonly unknown[]> = Types extends readonly [
  infer In,
  infer Out,
  ...infer Rest,
]
  ? [Operator<In, Out>, ...Chain<[Out, ...Rest]>]
  : [];
