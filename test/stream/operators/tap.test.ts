import { expect, test } from "vitest";
import { collect, from, pipe, tap } from "millrace";
import { spySource } from "millrace/testing";

test("tap calls its function with each item and index, and yields the same items", async () => {
  const seen: unknown[] = [];
  const item = {};
  const out = await collect(
    pipe(
      from([item]),
      tap((value, index) => seen.push([value, index])),
    ),
  );
  expect(out[0]).toBe(item);
  expect(seen).toEqual([[item, 0]]);
});

test("an error of the function of tap ends the stream and closes the source", async () => {
  const source = spySource([1, 2]);
  const stream = pipe(
    source,
    tap(() => {
      throw new Error("looked too closely");
    }),
  );
  await expect(collect(stream)).rejects.toThrow("looked too closely");
  expect(source.returns).toBe(1);
});
