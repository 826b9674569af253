import { describe, expect, test } from "vitest";
import { conflate, pipe } from "millrace";
import { spySource } from "millrace/testing";
import { HandFed, stateOf, turn } from "../support/hand-fed.js";

describe("conflate", () => {
  test("forwards each item at once to a waiting consumer", async () => {
    const source = new HandFed<number>();
    const iterator = pipe(source, conflate())[Symbol.asyncIterator]();
    for (const n of [1, 2, 3]) {
      const next = iterator.next();
      await source.give(n);
      expect(await next).toEqual({ done: false, value: n });
    }
  });

  test("merges the items that arrive while the consumer is busy; by default it keeps the latest", async () => {
    const source = new HandFed<number>();
    const iterator = pipe(source, conflate())[Symbol.asyncIterator]();
    const first = iterator.next();
    await source.give(1);
    await first;
    await source.give(2, 3, 4);
    expect(await iterator.next()).toEqual({ done: false, value: 4 });
    const next = iterator.next();
    expect(await stateOf(next)).toBe("pending");
    await source.end();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test("merges in order of arrival, with a custom function", async () => {
    const source = new HandFed<string>();
    const iterator = pipe(
      source,
      conflate((pending, item) => pending + item),
    )[Symbol.asyncIterator]();
    const first = iterator.next();
    await source.give("a");
    await first;
    await source.give("b", "c", "d");
    await source.end();
    expect(await iterator.next()).toEqual({ done: false, value: "bcd" });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test("delivers the pending item before the source's error, which is the same object", async () => {
    const source = new HandFed<number | undefined>();
    const iterator = pipe(source, conflate())[Symbol.asyncIterator]();
    const first = iterator.next();
    await source.give(1);
    await first;
    const error = new Error("cut");
    await source.give(undefined);
    await source.fail(error);
    expect(await iterator.next()).toEqual({ done: false, value: undefined });
    await expect(iterator.next()).rejects.toBe(error);
    expect(source.returns).toBe(0);
  });

  test("rejects with an error of the merge function after the pending item, and closes the source", async () => {
    const source = new HandFed<number>();
    const error = new Error("cannot merge");
    const failing = conflate<number>(() => {
      throw error;
    });
    const iterator = pipe(source, failing)[Symbol.asyncIterator]();
    const first = iterator.next();
    await source.give(1);
    await first;
    await source.give(2, 3);
    expect(source.returns).toBe(1);
    expect(await iterator.next()).toEqual({ done: false, value: 2 });
    await expect(iterator.next()).rejects.toBe(error);
  });

  test("merges nothing after the consumer has left", async () => {
    const source = new HandFed<number>();
    const merged: number[] = [];
    const stream = pipe(
      source,
      conflate((_pending, item) => {
        merged.push(item);
        return item;
      }),
    );
    const iterator = stream[Symbol.asyncIterator]();
    const first = iterator.next();
    await source.give(1);
    await first;
    await source.give(2);
    await iterator.return?.();
    await source.give(3);
    expect(merged).toEqual([]);
  });

  test("loses no item of a source that is always ready, however slow the consumer is", async () => {
    const sums: number[] = [];
    for await (const sum of pipe(
      spySource([1, 2, 3, 4, 5]),
      conflate((a, b) => a + b),
    )) {
      sums.push(sum);
      await turn();
    }
    expect(sums).toEqual([1, 14]);
  });
});
