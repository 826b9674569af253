/** The result of a pull. Our iterators return no value at their end. */
export type StreamResult<T> = IteratorResult<T, undefined>;

/** The result that ends an iteration. */
export function done(): StreamResult<never> {
  return { done: true, value: undefined };
}

/** Rejects with `error` once `closing` has settled. A failure of `closing` itself is dropped: `error` came first. */
export function rejectAfter(closing: Promise<unknown>, error: unknown): Promise<never> {
  const rethrow = (): never => {
    throw error;
  };
  return closing.then(rethrow, rethrow);
}

/** For the rejection of a promise that is reported elsewhere, and for listeners that only have to exist. */
export function noop(): void {}

/** Whether `await` would wait for the value. */
export function isPromiseLike<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as Partial<PromiseLike<T>> | null | undefined)?.then === "function";
}
