import { valueAt } from "#src/json/value.js";
import fc from "fast-check";
import fastJsonPatch from "fast-json-patch";
import type { JsonValue } from "millrace";
import { describe, expect, test } from "vitest";
import { childPointer, isBelow, isIndex, parsePointer } from "#src/tree/pointer.js";
import { runs } from "../json/support/runs.js";
import { anyCharacter } from "../support/any-character.js";
import { parserOf } from "../support/parser-of.js";

/** The example of RFC 6901, section 5. */
const example: JsonValue = {
  foo: ["bar", "baz"],
  "": 0,
  "a/b": 1,
  "c%d": 2,
  "e^f": 3,
  "g|h": 4,
  "i\\j": 5,
  'k"l': 6,
  " ": 7,
  "m~n": 8,
};

const examples: readonly (readonly [string, readonly string[], JsonValue])[] = [
  ["", [], example],
  ["/foo", ["foo"], ["bar", "baz"]],
  ["/foo/0", ["foo", "0"], "bar"],
  ["/", [""], 0],
  ["/a~1b", ["a/b"], 1],
  ["/c%d", ["c%d"], 2],
  ["/e^f", ["e^f"], 3],
  ["/g|h", ["g|h"], 4],
  ["/i\\j", ["i\\j"], 5],
  ['/k"l', ['k"l'], 6],
  ["/ ", [" "], 7],
  ["/m~0n", ["m~n"], 8],
];

describe("a JSON Pointer", () => {
  test.each(examples)("%j names the keys %j, as in RFC 6901", (pointer, keys, value) => {
    expect(parsePointer(pointer)).toEqual(keys);
    expect(keys.reduce(childPointer, "")).toBe(pointer);
    expect(valueAt(example, keys)).toEqual(value);
  });

  test.each([
    ["/~01", ["~1"]],
    ["/~10", ["/0"]],
    ["/~0~1", ["~/"]],
    ["//", ["", ""]],
    ["/a//b/", ["a", "", "b", ""]],
    ["/😀\n", ["😀\n"]],
    ["/__proto__", ["__proto__"]],
  ])("%j names %j", (pointer, keys) => {
    expect(parsePointer(pointer)).toEqual(keys);
    expect(keys.reduce(childPointer, "")).toBe(pointer);
  });

  test.each(["a", "a/b", "#/a", " /a", "/~", "/~2", "/a~/b", "/~a0"])(
    "rejects %j with a TypeError that names it",
    (text) => {
      expect(() => parsePointer(text)).toThrow(TypeError);
      expect(() => parsePointer(text)).toThrow(`${JSON.stringify(text)} `);
      expect(() => parserOf().isComplete(text)).toThrow(TypeError);
    },
  );

  test("is built from any keys and split into them again", () => {
    const key = fc.oneof(fc.string({ unit: anyCharacter }), fc.stringMatching(/^[~/01]{0,4}$/));
    fc.assert(
      fc.property(fc.array(key, { maxLength: 5 }), (keys) => {
        const pointer = keys.reduce(childPointer, "");
        expect(parsePointer(pointer)).toEqual(keys);
        expect(pointer).toBe(keys.map((one) => `/${fastJsonPatch.escapePathComponent(one)}`).join(""));
      }),
      { numRuns: Math.ceil(runs / 4) },
    );
  });

  test("accepts the index of an element as a number", () => {
    expect(childPointer("/a", 12)).toBe("/a/12");
  });
});

describe("valueAt", () => {
  const value: JsonValue = { list: ["a", ["b"]], text: "abc", none: null, "0": "zero" };

  test.each<[string, JsonValue | undefined]>([
    ["/list/0", "a"],
    ["/list/1/0", "b"],
    ["/none", null],
    ["/0", "zero"],
    ["/list/2", undefined],
    ["/list/-", undefined],
    ["/list/-1", undefined],
    ["/list/01", undefined],
    ["/list/1.0", undefined],
    ["/list/1e0", undefined],
    ["/list/length", undefined],
    ["/list/ 0", undefined],
    ["/list/", undefined],
    ["/text/0", undefined],
    ["/text/length", undefined],
    ["/none/a", undefined],
    ["/missing/a", undefined],
    ["/toString", undefined],
    ["/constructor/name", undefined],
    ["/__proto__", undefined],
  ])("%s is %j", (pointer, expected) => {
    expect(valueAt(value, parsePointer(pointer))).toEqual(expected);
  });

  test("finds an own __proto__", () => {
    expect(valueAt(JSON.parse('{"__proto__": {"a": 1}}') as JsonValue, ["__proto__", "a"])).toBe(1);
  });

  test("returns undefined without a value", () => {
    expect(valueAt(undefined, [])).toBeUndefined();
    expect(valueAt(undefined, ["a"])).toBeUndefined();
  });
});

describe("isIndex", () => {
  test.each(["0", "7", "10", "4294967295"])("%s is an index", (key) => {
    expect(isIndex(key)).toBe(true);
  });

  test.each(["", "-", "-0", "00", "01", "+1", "1 ", "1.0", "0x1", "1e1", "1\n", "١"])(
    "%j is not an index",
    (key) => {
      expect(isIndex(key)).toBe(false);
    },
  );
});

test.each([1, 100])("a place is below the containers around it, among %d places", (count) => {
  const others = Array.from({ length: count }, (_, i) => `/x${i}`);
  const below = (pointer: string, around: string): boolean =>
    isBelow(pointer, new Map([...others, around].map((it) => [it, 0])));
  expect(["/a/b/c", "/a/b", "/a//"].map((it) => below(it, "/a"))).toEqual([true, true, true]);
  expect(["/a", "/ab", "/ab/c", "", "/b/a"].map((it) => below(it, "/a"))).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
  expect(["/a", "/", ""].map((it) => below(it, ""))).toEqual([true, true, false]);
});
