import type { JsonPatch, JsonValue } from "millrace";
import { Allow } from "millrace/json";
import fc from "fast-check";
import { Allow as flagsOfPartialJson } from "partial-json/options";
import { describe, expect, test, vi } from "vitest";
import { jsonText } from "./support/arbitraries.js";
import { chunksOf, stepsArbitrary } from "./support/cuts.js";
import { places } from "./support/differences.js";
import { readPrefix } from "./support/reference.js";
import { runs } from "./support/runs.js";
import { expectSame } from "./support/same-json.js";
import { parserOf } from "../support/parser-of.js";

const usual = Allow.STR | Allow.ARR | Allow.OBJ;

/** The visible value of incomplete text with each flag, and without it. */
const flags: readonly {
  readonly flag: keyof typeof Allow;
  readonly text: string;
  readonly shown: JsonValue | undefined;
  readonly without: JsonValue | undefined;
}[] = [
  { flag: "STR", text: '["a", "b', shown: ["a", "b"], without: ["a"] },
  { flag: "STR", text: '{"a": "', shown: { a: "" }, without: {} },
  { flag: "STR", text: '"a\\', shown: "a", without: undefined },
  { flag: "NUM", text: "[1, 12", shown: [1, 12], without: [1] },
  { flag: "NUM", text: "[1, -", shown: [1], without: [1] },
  { flag: "NUM", text: "[1, -0", shown: [1, -0], without: [1] },
  { flag: "NUM", text: "[12.", shown: [12], without: [] },
  { flag: "NUM", text: "[12.50", shown: [12.5], without: [] },
  { flag: "NUM", text: "[12.5E", shown: [12.5], without: [] },
  { flag: "NUM", text: "[12.5e-", shown: [12.5], without: [] },
  { flag: "NUM", text: "[12.5e-1", shown: [1.25], without: [] },
  { flag: "NUM", text: "[1.25", shown: [1.25], without: [] },
  { flag: "NUM", text: "[1e12", shown: [1e12], without: [] },
  { flag: "NUM", text: "42", shown: 42, without: undefined },
  { flag: "NULL", text: "[n", shown: [null], without: [] },
  { flag: "NULL", text: "nul", shown: null, without: undefined },
  { flag: "BOOL", text: "[t", shown: [true], without: [] },
  { flag: "BOOL", text: '{"a": fals', shown: { a: false }, without: {} },
  { flag: "ARR", text: '{"a": 1, "b": [2', shown: { a: 1, b: [] }, without: { a: 1 } },
  { flag: "ARR", text: "[[1], [2,", shown: [[1], [2]], without: undefined },
  { flag: "OBJ", text: '[{"a": 1}, {"b": 2,', shown: [{ a: 1 }, { b: 2 }], without: [{ a: 1 }] },
  { flag: "OBJ", text: '{"a": [', shown: { a: [] }, without: undefined },
];

test("Allow has the flags of partial-json", () => {
  expect(Allow).toEqual(flagsOfPartialJson);
});

describe("allow", () => {
  test("has the bits of partial-json", () => {
    expect([Allow.STR, Allow.NUM, Allow.ARR, Allow.OBJ, Allow.NULL, Allow.BOOL]).toEqual([
      1, 2, 4, 8, 16, 32,
    ]);
    expect(Allow.COLLECTION).toBe(Allow.ARR | Allow.OBJ);
  });

  test.each(flags)(
    "$flag: of $text it shows $shown, and without it $without",
    ({ flag, text, shown, without }) => {
      for (const [allow, expected] of [
        [usual | Allow[flag], shown],
        [Allow.ALL, expectedOfAll(text)],
        [usual & ~Allow[flag], without],
      ] as const) {
        const parser = parserOf({ allow });
        parser.write(text);
        expectSame(parser.snapshot(), expected);
        expectSame(parser.value, expected);
        expectSame(sumOf(parser.takePatch()), expected);
      }
    },
  );

  test("is strings, arrays and objects by default", () => {
    for (const { text } of flags) {
      const [parser, other] = [parserOf(), parserOf({ allow: usual })];
      parser.write(text);
      other.write(text);
      expectSame(parser.snapshot(), other.snapshot());
    }
  });

  test("NaN and Infinity, which partial-json accepts, are invalid for any flags", () => {
    for (const text of ["NaN", "Infinity", "-Infinity", "[N", "[I", "[-I"]) {
      expect(() => parserOf({ allow: Allow.ALL }).write(text)).toThrow("Expected");
    }
  });

  test("a growing number is replaced, also with append", () => {
    for (const append of [true, false]) {
      const parser = parserOf({ allow: Allow.ALL, append });
      const patches = ["[1", "2", ".", "5", "e1", ",", "-", "0", "]"].map((chunk) => {
        parser.write(chunk);
        return parser.takePatch();
      });
      expect(patches).toEqual([
        [{ op: "replace", path: "", value: [1] }],
        [{ op: "replace", path: "/0", value: 12 }],
        [],
        [{ op: "replace", path: "/0", value: 12.5 }],
        [{ op: "replace", path: "/0", value: 125 }],
        [],
        [],
        [{ op: "add", path: "/1", value: -0 }],
        [],
      ]);
    }
  });

  test("a literal that is shown early does not change when it is complete", () => {
    const parser = parserOf({ allow: Allow.ALL });
    parser.write('{"a": t');
    const snapshot = parser.snapshot();
    parser.takePatch();
    for (const chunk of ["r", "u", "e", ","]) {
      parser.write(chunk);
      expect(parser.snapshot()).toBe(snapshot);
      expect(parser.takePatch()).toEqual([]);
    }
  });

  test("a hidden container appears complete, in one operation", () => {
    const parser = parserOf({ allow: Allow.OBJ | Allow.STR });
    parser.write('{"a": "x", "list": [{"b": "y"}, [1');
    expect(parser.takePatch()).toEqual([{ op: "replace", path: "", value: { a: "x" } }]);
    const snapshot = parser.snapshot();
    parser.write('], "z"');
    expect(parser.snapshot()).toBe(snapshot);
    expect(parser.takePatch()).toEqual([]);
    parser.write('], "c": {"d": "w');
    expect(parser.takePatch()).toEqual([
      { op: "add", path: "/list", value: [{ b: "y" }, [1], "z"] },
      { op: "add", path: "/c", value: { d: "w" } },
    ]);
  });

  test("a growing number shows its first 100 characters, to bound the cost of a long one", () => {
    const digits = "7".repeat(100);
    const parser = parserOf({ allow: Allow.ALL });
    parser.write("[");
    for (const digit of digits) {
      parser.write(digit);
      parser.takePatch();
    }
    expect(parser.snapshot()).toEqual([Number(digits)]);
    const snapshot = parser.snapshot();
    for (let i = 0; i < 50; i++) {
      parser.write("777");
      expect(parser.snapshot()).toBe(snapshot);
    }
    parser.write("]");
    expect(parser.snapshot()).toEqual([Number(digits + "777".repeat(50))]);

    const exec = vi.spyOn(RegExp.prototype, "exec");
    const again = parserOf({ allow: Allow.ALL });
    for (let i = 0; i < 1_000; i++) again.write("7");
    expect(exec.mock.calls.length).toBeLessThanOrEqual(100);
    exec.mockRestore();

    const atOnce = parserOf({ allow: Allow.ALL });
    atOnce.write(`[${digits}777`);
    expect(atOnce.snapshot()).toEqual([Number(digits)]);
  });

  test("each hidden type appears when it is complete, with any other flags", () => {
    const kinds = [Allow.STR, Allow.NUM, Allow.ARR, Allow.OBJ, Allow.NULL, Allow.BOOL];
    fc.assert(
      fc.property(jsonText({ duplicates: false }), stepsArbitrary, fc.nat(63), (text, steps, allow) => {
        const parser = parserOf({ allow });
        let prefix = "";
        for (const chunk of chunksOf(text, steps)) {
          parser.write(chunk);
          prefix += chunk;
          const value = parser.snapshot();
          if (value === undefined) continue;
          const { complete } = readPrefix(prefix, allow);
          const early = [...places(value)].filter(
            ([pointer, shown]) => !complete.has(pointer) && (allow & kinds[kindOf(shown)]!) === 0,
          );
          expect(early).toEqual([]);
        }
      }),
      { numRuns: Math.ceil(runs / 4) },
    );
  });
});

/** All flags. The tables above test one flag at a time. */
function expectedOfAll(text: string): JsonValue | undefined {
  return readPrefix(text, Allow.ALL).shown;
}

function sumOf(patch: JsonPatch): JsonValue | undefined {
  return patch[0]?.value;
}

function kindOf(value: JsonValue): number {
  if (Array.isArray(value)) return 2;
  if (value === null) return 4;
  return ["string", "number", "array", "object", "null", "boolean"].indexOf(typeof value);
}
