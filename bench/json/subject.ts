/** A reader of streamed JSON, loaded only in the process that measures it. */
export interface Subject {
  load(): Promise<Read>;
  /** What it passes to `show`. */
  readonly shows: "values" | "patches" | "nothing";
}

/** Reads all chunks once and passes what the reader shows after each chunk to `show`. */
export type Read = (chunks: readonly string[], show: (shown: unknown) => void) => Promise<void> | void;

/** An async iterator over chunks that are already there. */
export function arriving(chunks: readonly string[]): AsyncIterableIterator<string, undefined, undefined> {
  let at = 0;
  return {
    next: () =>
      Promise.resolve(
        at < chunks.length
          ? { done: false, value: chunks[at++] as string }
          : { done: true, value: undefined },
      ),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

export async function showAll(source: AsyncIterable<unknown>, show: (shown: unknown) => void): Promise<void> {
  for await (const value of source) show(value);
}
