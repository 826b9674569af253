/** The representation of an array that was read in pieces, which should be that of `JSON.parse`. */
import { setFlagsFromString } from "node:v8";
import { runInThisContext } from "node:vm";
import fc from "fast-check";
import type { JsonArray, JsonValue } from "millrace";
import { describe, expect, test } from "vitest";
import { closedArray } from "#src/json/build/closed-array.js";
import { parserOf } from "../../support/parser-of.js";

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

  test("has the representation of JSON.parse, also after arrays of other types", () => {
    const rows: JsonValue[] = [
      // Enough for the engine to learn the element types of arrays that are created here.
      ...Array.from({ length: 2_000 }, () => ["text"]),
      [null, 1.5],
      [1, 2],
      [1, 2.5, -3e9],
      [2 ** 40, 1],
      [],
      [0.1],
      ["0.1", 0.1],
    ];
    const text = JSON.stringify(rows);
    const parser = parserOf();
    for (const character of text) {
      parser.write(character);
      parser.takePatch();
    }
    parser.end();
    const inPlace = (value: unknown): readonly boolean[] => (value as JsonValue[]).map(hasNumbersInPlace);
    const read = inPlace(parser.snapshot());
    expect(read).toEqual(inPlace(JSON.parse(text)));
    expect(read).toContain(true);
    expect(parser.snapshot()).toEqual(rows);
  });
});
