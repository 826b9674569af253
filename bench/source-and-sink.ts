/** Where the work of a case starts and ends: a source whose items are already there, and a sink for its results. */

/**
 * Stores results, so the compiler cannot remove the work. Exported, so it cannot prove that nobody reads it.
 *
 * @public
 */
export const sink: { value: unknown } = { value: undefined };

export function keep(value: unknown): void {
  sink.value = value;
}

/** Reads everything and returns the last item. */
export async function drain(source: AsyncIterable<unknown>): Promise<unknown> {
  for await (const value of source) sink.value = value;
  return sink.value;
}

/** An async iterator over items that are already there. */
export function arriving<T>(items: readonly T[]): AsyncIterableIterator<T, undefined, undefined> {
  let at = 0;
  return {
    next: () =>
      Promise.resolve(
        at < items.length ? { done: false, value: items[at++] as T } : { done: true, value: undefined },
      ),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
