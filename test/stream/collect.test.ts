import { expect, test } from "vitest";
import { collect, from } from "millrace";
import { spySource } from "millrace/testing";

test("collect gives all items in order", async () => {
  expect(await collect(from([1, undefined, 2]))).toEqual([1, undefined, 2]);
});

test("collect rejects with the stream's error", async () => {
  const error = new Error("cut");
  await expect(collect(spySource([1], { then: { error } }))).rejects.toBe(error);
});
