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
  ])("is true of %s", (_, a, b) => {
    expect(sameData(a, b)).toBe(true);
    expect(sameData(b, a)).toBe(true);
  });

  test.each<[string, unknown, unknown]>([
    ["other scalars", 1, 2],
    ["a number and its text", 1, "1"],
    ["null and nothing", null, undefined],
    ["null and an object", null, {}],
    ["null and an array", null, []],
    ["a text and an object", "", {}],
    ["a text and an array", "ab", ["a", "b"]],
    ["an empty array and an empty object", [], {}],
    ["an array and an object with its keys", ["a"], { 0: "a" }],
    ["an array and an object that looks like it", ["a"], { 0: "a", length: 1 }],
    ["arrays of another length", [1, 2], [1]],
    ["an element that is missing at the end", [1, undefined], [1]],
    ["arrays of which the first elements are the same", [1, 2], [1, 3]],
    ["arrays of which the last elements are the same", [1, 3], [2, 3]],
    ["objects of which one member is the same", { a: 1, b: 2 }, { a: 1, b: 3 }],
    ["a member too many", { a: 1 }, { a: 1, b: 2 }],
    ["a member that is null and one that is missing", { a: null }, {}],
    ["a member and one that is inherited", { constructor: Object }, {}],
    ["what differs only deep inside", { a: [{ b: 1 }] }, { a: [{ b: 2 }] }],
  ])("is false of %s", (_, a, b) => {
    expect(sameData(a, b)).toBe(false);
    expect(sameData(b, a)).toBe(false);
  });
});
