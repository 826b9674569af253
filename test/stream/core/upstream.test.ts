import { describe, expect, test } from "vitest";
import { abortable, collect, conflate, from, map, merge, pipe, share, timeout } from "millrace";
import { manualClock } from "millrace/testing";

describe.each([
  ["map", map((n: number) => n)],
  ["abortable", abortable<number>(new AbortController().signal)],
  ["timeout", timeout<number>(1, { clock: manualClock() })],
  ["conflate", conflate<number>()],
  ["share", share<number>()],
  ["merge", (source: AsyncIterable<number>) => merge(source)],
  ["from a promise", (source: AsyncIterable<number>) => from(Promise.resolve(source))],
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

  test.each([undefined, null, 1, "done"])("a source whose next() gives %j has failed", async (result) => {
    for (const next of [() => result, () => Promise.resolve(result)]) {
      const source = { [Symbol.asyncIterator]: () => ({ next }) } as unknown as AsyncIterable<number>;
      const stream = pipe(source, operator);
      await expect(collect(stream)).rejects.toMatchObject({ name: "StreamError", code: "bad_result" });
    }
  });

  test("a result that cannot be read is the failure", async () => {
    const error = new Error("no");
    const result = {
      get done(): boolean {
        throw error;
      },
    };
    const source = { [Symbol.asyncIterator]: () => ({ next: async () => result }) };
    await expect(collect(pipe(source as unknown as AsyncIterable<number>, operator))).rejects.toBe(error);
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
