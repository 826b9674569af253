import { expect, test } from "vitest";
import { collect, from, pipe, scan } from "millrace";

test("scan yields the accumulated value after each item, and starts again in each iteration", async () => {
  const stream = pipe(
    from([1, 2, 3]),
    scan((sum, n, index) => sum + n * index, 10),
  );
  expect(await collect(stream)).toEqual([10, 12, 18]);
  expect(await collect(stream)).toEqual([10, 12, 18]);
});

test("scan of an empty stream is empty: the seed is not yielded", async () => {
  expect(
    await collect(
      pipe(
        from<number>([]),
        scan((sum, n) => sum + n, 10),
      ),
    ),
  ).toEqual([]);
});
