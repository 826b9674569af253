import { expect, test } from "vitest";
import { collect, from, pipe, scan } from "millrace";

test("scan emits what has accumulated, after each item, and starts again with each iteration", async () => {
  const stream = pipe(
    from([1, 2, 3]),
    scan((sum, n, index) => sum + n * index, 10),
  );
  expect(await collect(stream)).toEqual([10, 12, 18]);
  expect(await collect(stream)).toEqual([10, 12, 18]);
});

test("scan of nothing is nothing: the seed is not emitted", async () => {
  expect(
    await collect(
      pipe(
        from<number>([]),
        scan((sum, n) => sum + n, 10),
      ),
    ),
  ).toEqual([]);
});
