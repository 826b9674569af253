/** A closed array takes as little memory as one that JSON.parse made. */
import { setFlagsFromString } from "node:v8";
import { runInThisContext } from "node:vm";
import fc from "fast-check";
import type { JsonArray } from "millrace";
import { describe, expect, test } from "vitest";
import { closedArray } from "#src/json/build/closed-array.js";

setFlagsFromString("--allow-natives-syntax");
/** Whether the elements are stored as numbers in place, not as objects. */
const hasNumbersInPlace = runInThisContext("(array) => %HasDoubleElements(array)") as (
  array: unknown,
) => boolean;

const numbers = fc.array(fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.constant(-0)));

describe("a closed array", () => {
  test("has the elements of the open array, of any type", () => {
    const values = fc.array(
      fc.oneof(fc.double({ noNaN: true }), fc.string(), fc.boolean(), fc.constant(null)),
    );
    fc.assert(
      fc.property(fc.oneof(numbers, values), (array: JsonArray) => {
        const closed = closedArray(array);
        expect(closed).not.toBe(array);
        expect(closed.map((it) => [it, Object.is(it, -0)])).toEqual(
          array.map((it) => [it, Object.is(it, -0)]),
        );
      }),
    );
  });

  test.each([1, 2, 255, 256, 257, 10_000])("of %i fractions stores them in place", (length) => {
    const array = Array.from({ length }, (_, i) => i + 0.25);
    const closed = closedArray(array);
    expect(hasNumbersInPlace(closed)).toBe(true); // before toEqual(), which may change the representation
    expect(closed).toEqual(array);
    closed.push("stays an array like any other"); // the value stays mutable
    expect(closedArray(array)).toEqual(array);
  });
});
