import { expect, test } from "vitest";
import { from, last } from "millrace";
import { spySource } from "millrace/testing";

test("last gives the last item, and undefined if there is none", async () => {
  expect(await last(from([1, 2]))).toBe(2);
  expect(await last(from<number>([]))).toBe(undefined);
});

test("last rejects with the stream's error, whatever came before", async () => {
  const error = new Error("cut");
  await expect(last(spySource([1], { then: { error } }))).rejects.toBe(error);
});
