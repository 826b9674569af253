import fc from "fast-check";
import type { JsonArray } from "millrace";
import { describe, expect, test } from "vitest";
import { closedArray } from "#src/json/build/closed-array.js";

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
});
