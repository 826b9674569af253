import { expect, test } from "vitest";
import { collect, from, last } from "millrace";
import { spySource } from "millrace/testing";

test("collect returns all items in order", async () => {
  expect(await collect(from([1, undefined, 2]))).toEqual([1, undefined, 2]);
});

test("collect rejects with the stream's error", async () => {
  const error = new Error("cut");
  await expect(collect(spySource([1], { then: { error } }))).rejects.toBe(error);
});

test("last returns the last item, or undefined for an empty stream", async () => {
  expect(await last(from([1, 2]))).toBe(2);
  expect(await last(from<number>([]))).toBe(undefined);
});

test("last rejects with the stream's error, even after items", async () => {
  const error = new Error("cut");
  await expect(last(spySource([1], { then: { error } }))).rejects.toBe(error);
});
