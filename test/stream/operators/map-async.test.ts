import { expect, test } from "vitest";
import { collect, from, mapAsync, pipe, stage } from "millrace";
import { spySource } from "millrace/testing";
import { turn } from "../support/hand-fed.js";

test("mapAsync accepts values and promises, in order, with the index", async () => {
  const stream = pipe(
    from(["a", "b", "c"]),
    mapAsync((letter, index) => (index === 1 ? turn().then(() => `${letter}${index}`) : `${letter}${index}`)),
  );
  expect(await collect(stream)).toEqual(["a0", "b1", "c2"]);
});

test("mapAsync makes one call at a time, also for ready items", async () => {
  const twice = stage<number, number>((emit) => ({
    next: (n) => {
      emit(n);
      emit(-n);
    },
  }));
  let calls = 0;
  let most = 0;
  const stream = pipe(
    spySource([1, 2]),
    twice,
    mapAsync(async (n) => {
      most = Math.max(most, ++calls);
      await turn();
      calls--;
      return n;
    }),
  );
  expect(await collect(stream)).toEqual([1, -1, 2, -2]);
  expect(most).toBe(1);
});

test("mapAsync rejects with the error of a call, and closes the source", async () => {
  const source = spySource([1, 2]);
  const error = new Error("refused");
  await expect(
    collect(
      pipe(
        source,
        mapAsync(() => Promise.reject(error)),
      ),
    ),
  ).rejects.toBe(error);
  expect([source.pulls, source.returns]).toEqual([1, 1]);
});

test("a mapAsync after another waits for it, and its error is reported too", async () => {
  const later = mapAsync((n: number) => turn().then(() => n + 1));
  expect(await collect(pipe(from([1, 2]), later, later))).toEqual([3, 4]);
  const refusing = mapAsync(() => turn().then(() => Promise.reject(new Error("second"))));
  await expect(collect(pipe(from([1]), later, refusing))).rejects.toThrow("second");
});
