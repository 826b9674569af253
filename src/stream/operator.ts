/**
 * A stage of a pipeline: takes a stream, gives a stream. Every stage of this package is a function of options that
 * returns one. The shape is that of Ix's operators, so each works inside the other's `pipe`.
 */
export type Operator<In, Out> = (source: AsyncIterable<In>) => AsyncIterable<Out>;
