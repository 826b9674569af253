import { describe, expect, test } from "vitest";
import { abortable, collect, conflate, map, merge, pipe, share, timeout } from "millrace";
import { manualClock } from "millrace/testing";

describe.each([
  ["map", map((n: number) => n)],
  ["abortable", abortable<number>(new AbortController().signal)],
  ["timeout", timeout<number>(1, { clock: manualClock() })],
  ["conflate", conflate<number>()],
  ["share", share<number>()],
  ["merge", (source: AsyncIterable<number>) => merge(source)],
])("upstream of %s,", (_, operator) => {
  test("a source whose next() throws synchronously has failed, and is not closed", async () => {
    const error = new Error("at once");
    let returns = 0;
    const source: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          throw error;
        },
        return: async () => {
          returns++;
          return { done: true, value: undefined };
        },
      }),
    };
    await expect(collect(pipe(source, operator))).rejects.toBe(error);
    expect(returns).toBe(0);
  });

  test("results without a promise are accepted, as in `for await`", async () => {
    let n = 0;
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: () => (n === 3 ? { done: true, value: undefined } : { done: false, value: ++n }),
      }),
    } as unknown as AsyncIterable<number>;

    const items = await collect(pipe(source, operator));

    // conflate() may drop items, but not the last.
    expect(items.at(-1)).toBe(3);
  });
});
