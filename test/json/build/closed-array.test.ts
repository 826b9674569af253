/** What stays of an array that was read in pieces: the same numbers, kept as the engine keeps those of `JSON.parse`. */
import { setFlagsFromString } from "node:v8";
import { runInThisContext } from "node:vm";
import fc from "fast-check";
import { JsonParser, type JsonArray, type JsonValue } from "millrace";
import { describe, expect, test } from "vitest";
import { closedArray } from "#src/json/build/closed-array.js";

setFlagsFromString("--allow-natives-syntax");
/** Whether the elements are numbers in place, and not objects of their own. */
const hasNumbersInPlace = runInThisContext("(array) => %HasDoubleElements(array)") as (
  array: unknown,
) => boolean;

const numbers = fc.array(fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.constant(-0)));

describe("a closed array", () => {
  test("has the elements of the open one, whatever they are", () => {
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

  test.each([1, 2, 255, 256, 257, 10_000])("of %i fractions has them in place", (length) => {
    const array = Array.from({ length }, (_, i) => i + 0.25);
    const closed = closedArray(array);
    expect(hasNumbersInPlace(closed)).toBe(true); // first, as toEqual() may change that
    expect(closed).toEqual(array);
    closed.push("stays an array like any other"); // whoever has the value may go on with it
    expect(closedArray(array)).toEqual(array);
  });

  test("is kept as JSON.parse keeps it, also when arrays of all else were read before", () => {
    const rows: JsonValue[] = [
      // So many that the engine has learnt what arrays made at this place come to hold.
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
    const parser = new JsonParser();
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
