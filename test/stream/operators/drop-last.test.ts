import { expect, test } from "vitest";
import { collect, dropLast, from, pipe } from "millrace";
import { spySource } from "millrace/testing";

test.each([0, 1, 2, 3, 4, 7])("dropLast(%i) of 4 items yields all but the last of them", async (n) => {
  expect(await collect(pipe(from([1, 2, 3, 4]), dropLast(n)))).toEqual(
    [1, 2, 3, 4].slice(0, Math.max(0, 4 - n)),
  );
});

test("dropLast() drops one", async () => {
  expect(await collect(pipe(from([1, 2]), dropLast()))).toEqual([1]);
});

test("dropLast holds n items, and yields each when n more have arrived", async () => {
  const source = spySource([1, 2, 3, 4]);
  const iterator = pipe(source, dropLast(2))[Symbol.asyncIterator]();
  expect(await iterator.next()).toEqual({ done: false, value: 1 });
  expect(source.pulls).toBe(3);
});

test.each([-1, 0.5, Infinity, Number.NaN])("dropLast(%s) throws when it is created", (n) => {
  expect(() => dropLast(n)).toThrow(RangeError);
});
