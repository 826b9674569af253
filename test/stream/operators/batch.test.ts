import { describe, expect, test } from "vitest";
import { batch, collect, map, pipe } from "millrace";
import { type Law, operatorLaws, spySource } from "millrace/testing";
import { HandFed, stateOf, turn } from "../support/hand-fed.js";

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe("batch", () => {
  test("collects the available items, up to its size", async () => {
    expect(await collect(pipe(spySource(numbers(7)), batch(3)))).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
    expect((await collect(pipe(spySource(numbers(40)), batch()))).map(({ length }) => length)).toEqual([
      16, 16, 8,
    ]);
    expect(await collect(pipe(spySource([]), batch()))).toEqual([]);
  });

  test("collects the available items of nested async generators", async () => {
    async function* plusOne(source: AsyncIterable<number>): AsyncGenerator<number> {
      for await (const n of source) yield n + 1;
    }
    const source = plusOne(plusOne(plusOne(spySource(numbers(5)))));
    expect(await collect(pipe(source, batch(), map((items) => items.length)))).toEqual([5]); // prettier-ignore
  });

  test("forwards a single item without waiting for another", async () => {
    const source = new HandFed<number>();
    const iterator = pipe(source, batch())[Symbol.asyncIterator]();
    const first = iterator.next();
    expect(await stateOf(first)).toBe("pending");
    await source.give(1);
    expect(await first).toEqual({ done: false, value: [1] });
  });

  // G-stream-4
  test("yields the items that arrived while the consumer was busy, and reads at most its size ahead", async () => {
    const source = new HandFed<number>();
    const iterator = pipe(source, batch(3))[Symbol.asyncIterator]();
    const first = iterator.next();
    await source.give(1);
    await first;
    await source.give(2, 3, 4, 5, 6);
    expect(source.pulls).toBe(4);
    expect(await iterator.next()).toEqual({ done: false, value: [2, 3, 4] });
    await turn();
    expect(source.pulls).toBe(7);
    await source.end();
    expect(await iterator.next()).toEqual({ done: false, value: [5, 6] });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test("yields the available items before the source's error", async () => {
    const error = new Error("cut");
    const iterator = pipe(spySource([1, 2], { then: { error } }), batch())[Symbol.asyncIterator]();
    expect(await iterator.next()).toEqual({ done: false, value: [1, 2] });
    await expect(iterator.next()).rejects.toBe(error);
  });

  // G-stream-1
  test("breaks a law if it states a smaller bound than it reads ahead", async () => {
    const laws = operatorLaws(() => batch<number>(4), {
      inputs: [1, 2],
      readAhead: 3,
      result: (all) => all.flat(),
    });
    const lazy = laws.find(({ name }) => name.includes("pulls only the items")) as Law;
    await expect(lazy.check()).rejects.toThrow("read-ahead of 3");
  });

  test.each([0, 2.5])("rejects a size of %s", (size) => {
    expect(() => batch(size)).toThrow(RangeError);
  });
});
