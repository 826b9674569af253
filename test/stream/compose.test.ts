import { expect, test } from "vitest";
import { collect, compose, filter, from, map, pipe } from "millrace";
import { spySource } from "millrace/testing";

test("compose joins operators into one, which works on any number of sources", async () => {
  const longWords = compose(
    map((line: string) => line.trim()),
    filter((line) => line.length > 1),
  );
  expect(await collect(longWords(from([" mill", "a"])))).toEqual(["mill"]);
  expect(await collect(pipe(from(["race "]), longWords))).toEqual(["race"]);
});

test("compose without stages returns its source unchanged", () => {
  const source = spySource([1]);
  expect(compose<number>()(source)).toBe(source);
});
