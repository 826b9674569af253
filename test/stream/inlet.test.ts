import { describe, expect, test } from "vitest";
import { abortable, collect, conflate, merge, pipe, share, timeout } from "millrace";
import { manualClock } from "millrace/testing";

describe("a source whose next() throws instead of rejecting", () => {
  test.each([
    ["abortable", abortable<number>(new AbortController().signal)],
    ["timeout", timeout<number>(1, { clock: manualClock() })],
    ["conflate", conflate<number>()],
    ["share", share<number>()],
    ["merge", (source: AsyncIterable<number>) => merge(source)],
  ])("has failed, and is not closed, behind %s", async (_, operator) => {
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
});
