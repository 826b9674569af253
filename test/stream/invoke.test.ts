import { expect, test } from "vitest";
import { compose, filter, invoke, map } from "millrace";

test("invoke gives the last output of an operator for one input", async () => {
  const plusOne = map((n: number) => n + 1);
  expect(await invoke(plusOne, 1)).toBe(2);
  expect(await invoke(compose(plusOne, plusOne), 1)).toBe(3);
});

test("invoke gives undefined if there was no output", async () => {
  expect(await invoke(filter((n: number) => n > 1), 1)).toBe(undefined); // prettier-ignore
});

test("invoke rejects with the error of the stream", async () => {
  const failing = map(() => {
    throw new Error("cannot");
  });
  await expect(invoke(failing, 1)).rejects.toThrow("cannot");
});
