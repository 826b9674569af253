import { expect, test } from "vitest";
import { collect, from, last } from "millrace";
import { spySource } from "millrace/testing";

test("collect gives all items in order", async () => {
  expect(await collect(from([1, undefined, 2]))).toEqual([1, undefined, 2]);
});

test("collect rejects with the stream's error", async () => {
  const error = new Error("cut");
  await expect(collect(spySource([1], { then: { error } }))).rejects.toBe(error);
});

test("last gives the last item, and undefined if there is none", async () => {
  expect(await last(from([1, 2]))).toBe(2);
  expect(await last(from<number>([]))).toBe(undefined);
});

test("last rejects with the stream's error, whatever came before", async () => {
  const error = new Error("cut");
  await expect(last(spySource([1], { then: { error } }))).rejects.toBe(error);
});
