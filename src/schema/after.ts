/** What follows from the outcome of a check: at once, if the schema checks at once. */
export function after<T, Out>(
  outcome: T | Promise<T>,
  then: (outcome: T) => Out | Promise<Out>,
): Out | Promise<Out> {
  return outcome instanceof Promise ? outcome.then(then) : then(outcome);
}
