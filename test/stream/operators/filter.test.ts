import { expect, test } from "vitest";
import { collect, filter, from, pipe } from "millrace";
import { spySource } from "millrace/testing";

test("filter yields the items that pass the test, which gets the index of each item", async () => {
  const even = pipe(
    from(["a", "b", "c"]),
    filter((_, index) => index % 2 === 0),
  );
  expect(await collect(even)).toEqual(["a", "c"]);
});

test("filter pulls until an item passes", async () => {
  const source = spySource([1, 2, 3]);
  const iterator = pipe(
    source,
    filter((n) => n === 3),
  )[Symbol.asyncIterator]();
  expect(await iterator.next()).toEqual({ done: false, value: 3 });
  expect(source.pulls).toBe(3);
});

test("a test that is asynchronous is refused: its promise would let all items pass", async () => {
  const stream = pipe(from([1, 2]), filter((() => Promise.resolve(false)) as never));
  await expect(collect(stream)).rejects.toThrow("filter() expects a function that returns true or false");
});
