import { expect, test } from "vitest";
import { collect, from, map, pipe } from "millrace";

test("map replaces each item, and counts from 0 in each iteration", async () => {
  const stream = pipe(
    from(["a", "b"]),
    map((letter, index) => `${letter}${index}`),
  );
  expect(await collect(stream)).toEqual(["a0", "b1"]);
  expect(await collect(stream)).toEqual(["a0", "b1"]);
});

test("map does not await a promise", async () => {
  const promise = Promise.resolve(1);
  const iterator = pipe(
    from([0]),
    map(() => promise),
  )[Symbol.asyncIterator]();
  expect((await iterator.next()).value).toBe(promise);
});
