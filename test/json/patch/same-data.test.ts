import { describe, expect, test } from "vitest";
import { sameData } from "#src/json/patch/same-data.js";

/** An object without a prototype, as some parsers make them. */
const bare = (members: object): unknown => Object.assign(Object.create(null) as object, members);

describe("sameData()", () => {
  test.each<[string, unknown, unknown]>([
    ["equal scalars", "a", "a"],
    ["null", null, null],
    ["empty arrays", [], []],
    ["arrays with the same elements", [1, [2, null]], [1, [2, null]]],
    ["empty objects", {}, {}],
    ["objects with the same members", { a: { b: [1] } }, { a: { b: [1] } }],
    ["members in another order", { a: 1, b: 2 }, { b: 2, a: 1 }],
    ["a key without a value", { a: 1, b: undefined }, { a: 1 }],
    ["objects of another prototype", bare({ a: 1 }), { a: 1 }],
  ])("is true for %s", (_, a, b) => {
    expect(sameData(a, b)).toBe(true);
    expect(sameData(b, a)).toBe(true);
  });

  test.each<[string, unknown, unknown]>([
    ["other scalars", 1, 2],
    ["a number and a string", 1, "1"],
    ["null and undefined", null, undefined],
    ["null and an object", null, {}],
    ["null and an array", null, []],
    ["a string and an object", "", {}],
    ["a string and an array", "ab", ["a", "b"]],
    ["an empty array and an empty object", [], {}],
    ["an array and an object with its keys", ["a"], { 0: "a" }],
    ["an array and an array-like object", ["a"], { 0: "a", length: 1 }],
    ["arrays of different lengths", [1, 2], [1]],
    ["a missing last element", [1, undefined], [1]],
    ["arrays that begin with the same elements", [1, 2], [1, 3]],
    ["arrays that end with the same elements", [1, 3], [2, 3]],
    ["objects with one equal member", { a: 1, b: 2 }, { a: 1, b: 3 }],
    ["an additional member", { a: 1 }, { a: 1, b: 2 }],
    ["a null member and a missing one", { a: null }, {}],
    ["a member and an inherited one", { constructor: Object }, {}],
    ["a difference inside", { a: [{ b: 1 }] }, { a: [{ b: 2 }] }],
  ])("is false for %s", (_, a, b) => {
    expect(sameData(a, b)).toBe(false);
    expect(sameData(b, a)).toBe(false);
  });
});

test("values may be nested deeply", () => {
  const deep = (leaf: string): unknown => JSON.parse("[".repeat(50_000) + leaf + "]".repeat(50_000));
  expect(sameData(deep("1"), deep("1"))).toBe(true);
  expect(sameData(deep("1"), deep("2"))).toBe(false);
});
