import { expect, it } from "vitest";
import { count, counted, size } from "#src/text/counts.js";

it("formats counts and sizes", () => {
  expect([0, 999, 1000, 1234567].map(count)).toEqual(["0", "999", "1,000", "1,234,567"]);
  expect([0, 1, 2].map((n) => counted(n, "chunk"))).toEqual(["0 chunks", "1 chunk", "2 chunks"]);
  expect([1, 2].map((n) => counted(n, "patch", "patches"))).toEqual(["1 patch", "2 patches"]);
  expect([0, 999, 1000, 24_940, 999_949, 999_950, 1_234_567].map(size)).toEqual([
    "0 B",
    "999 B",
    "1.0 kB",
    "24.9 kB",
    "999.9 kB",
    "1.0 MB",
    "1.2 MB",
  ]);
});
