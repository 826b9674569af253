import { expect, test } from "vitest";
import { abortable, collect, conflate, map, merge, pipe, share, timeout } from "millrace";
import { manualClock } from "millrace/testing";

test.each([
  ["map", map((n: number) => n)],
  ["abortable", abortable<number>(new AbortController().signal)],
  ["timeout", timeout<number>(1, { clock: manualClock() })],
  ["conflate", conflate<number>()],
  ["share", share<number>()],
  ["merge", (source: AsyncIterable<number>) => merge(source)],
])("%s takes results that come without a promise, as `for await` does", async (_, operator) => {
  let n = 0;
  const source = {
    [Symbol.asyncIterator]: () => ({
      next: () => (n === 3 ? { done: true, value: undefined } : { done: false, value: ++n }),
    }),
  } as unknown as AsyncIterable<number>;

  const items = await collect(pipe(source, operator));

  // What is not read as it comes may be left out by conflate(), but not the last.
  expect(items.at(-1)).toBe(3);
});
