import { expect, test } from "vitest";
import { collect, pipe, take } from "millrace";
import { spySource } from "millrace/testing";

test("take closes the source with its last item, before the next pull", async () => {
  const source = spySource([1, 2, 3]);
  const iterator = pipe(source, take(2))[Symbol.asyncIterator]();
  await iterator.next();
  expect(source.returns).toBe(0);
  await iterator.next();
  expect([source.pulls, source.returns]).toEqual([2, 1]);
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
});

test("take of more items than exist yields them all", async () => {
  const source = spySource([1, 2]);
  expect(await collect(pipe(source, take(3)))).toEqual([1, 2]);
  expect(source.returns).toBe(0);
});

test("take(0) pulls nothing and closes the source", async () => {
  const source = spySource([1]);
  expect(await collect(pipe(source, take(0)))).toEqual([]);
  expect([source.pulls, source.returns]).toEqual([0, 1]);
});

test.each([-1, 1.5, Number.NaN])("take(%s) throws when it is created", (n) => {
  expect(() => take(n)).toThrow(RangeError);
});
