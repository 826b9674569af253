import { describe, expect, test } from "vitest";
import { sameValue, show } from "#src/testing/laws/same-value.js";

describe("sameValue", () => {
  test.each([
    [1, 1],
    [Number.NaN, Number.NaN],
    [undefined, undefined],
    [{ a: [1, { b: null }] }, { a: [1, { b: null }] }],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [Uint8Array.of(1, 2), Uint8Array.of(1, 2)],
  ])("%o is the same as %o", (a, b) => {
    expect(sameValue(a, b)).toBe(true);
  });

  test.each([
    [0, -0],
    [null, undefined],
    [null, {}],
    [{}, []],
    [[1], [1, 2]],
    [{ a: undefined }, { b: undefined }],
    [{ a: undefined }, {}],
    [new Date(1), {}],
    [Uint8Array.of(1), [1]],
    ["a", ["a"]],
  ])("%o is not the same as %o", (a, b) => {
    expect(sameValue(a, b)).toBe(false);
    expect(sameValue(b, a)).toBe(false);
  });
});

test("show returns a short text for any value", () => {
  expect(show({ a: [1] })).toBe('{"a":[1]}');
  expect(show(undefined)).toBe("undefined");
  expect(show(10n)).toBe("10");
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  expect(show(cycle)).toBe("[object Object]");
  expect(show("x".repeat(1000)).length).toBe(201);
});
