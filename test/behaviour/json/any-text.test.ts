import fc from "fast-check";
import type { JsonValue } from "millrace";
import { Allow, applyPatch } from "millrace/json";
import { everyCut } from "millrace/testing";
import { describe, expect, test, vi } from "vitest";
import { stepsArbitrary } from "../../json/support/cuts.js";
import { expectLaws, type Reading } from "../../json/support/expect-laws.js";
import { defaultAllow } from "../../json/support/reference.js";
import { runs } from "../../json/support/runs.js";
import { editedText, modelText, soup } from "../../json/support/texts.js";
import { parserOf } from "../../support/parser-of.js";

/** The invariants of JSON for arbitrary text, split and read in any way. */

vi.setConfig({ testTimeout: 120_000 });

const allowed = fc.oneof(
  fc.constantFrom(defaultAllow, Allow.ALL),
  fc.integer({ min: 0, max: Allow.ATOM | Allow.COLLECTION }),
);
/** Values whose type a repair may change: `[01` becomes a string. */
const growing = Allow.NUM | Allow.BOOL | Allow.NULL;

describe.each([
  ["strict", { repair: false, extract: "none" }],
  ["repair", { repair: true, extract: "none" }],
  ["strict, extract anywhere", { repair: false, extract: "auto" }],
  ["repair, extract anywhere", { repair: true, extract: "auto" }],
] as const)("%s", (_name, mode) => {
  const readings: fc.Arbitrary<Reading> = fc.record({
    repair: fc.constant(mode.repair),
    extract: fc.constant(mode.extract),
    append: fc.boolean(),
    allow: allowed.map((allow) => (mode.repair ? allow & ~growing : allow)),
    onTruncated: fc.constantFrom("error", "keep"),
    truncated: fc.boolean(),
    maxDepth: usually(1_000, 4),
    maxKeys: usually(100_000, 2),
    maxLength: usually(10_000, 40),
  });

  test.each([
    ["modified JSON", editedText()],
    ["JSON tokens in any order", soup()],
    ["output of models", modelText()],
  ])("returns the same for %s with any splits and reads, and keeps the invariants", (_texts, texts) => {
    fc.assert(
      fc.property(texts, stepsArbitrary, readings, (text, steps, reading) => {
        expectLaws(text, steps, reading);
      }),
      { numRuns: Math.ceil(runs / 10) },
    );
  });
});

describe("a value that looked like another type", () => {
  test("an incomplete literal that becomes a string is replaced, also with append", () => {
    const parser = parserOf({ repair: true, append: true, allow: Allow.ALL });
    parser.write("[nul");
    expect(parser.takePatch()).toEqual([{ op: "replace", path: "", value: [null] }]);
    parser.write("]");
    expect(parser.takePatch()).toEqual([{ op: "replace", path: "/0", value: "nul" }]);
  });

  test.each([true, false])(
    "a number ends only at a character that ends it, for any split (repair: %s)",
    (repair) => {
      const outcomes = [["123\u0000"], ["123", "\u0000"], ["12", "3\u0000"]].map((chunks) => {
        const parser = parserOf({ repair });
        expect(() => {
          for (const chunk of chunks) parser.write(chunk);
        }).toThrow(expect.objectContaining({ offset: 3 }));
        return [parser.value, parser.complete];
      });
      expect(outcomes).toEqual(outcomes.map(() => (repair ? [undefined, false] : [123, true])));
    },
  );

  test("the error for a text without a document is on its last line", () => {
    const parser = parserOf({ extract: "auto" });
    parser.write("I am sorry.\nNo JSON.");
    expect(() => parser.end()).toThrow(
      expect.objectContaining({ code: "empty", offset: 20, line: 2, column: 9 }),
    );
  });

  test("the error for a text that is too long is at the first character beyond maxLength, also after prose", () => {
    const parser = parserOf({ extract: "auto", maxLength: 20 });
    expect(() => parser.write('Here you are: {"a": 1}')).toThrow(
      expect.objectContaining({ code: "max_length", offset: 20, column: 21 }),
    );
  });

  test.each([true, false])(
    "the error for a text that is too long has the same character for any split (repair: %s)",
    (repair) => {
      for (const chunks of everyCut('So: {"a": "b", "c": "d"} or not')) {
        for (const [maxLength, found] of [
          [6, "a"],
          [9, " "],
          [11, "b"],
          [24, " "],
          [25, "o"],
        ] as const) {
          const parser = parserOf({ repair, extract: "auto", maxLength });
          expect(() => chunks.forEach((chunk) => parser.write(chunk))).toThrow(
            expect.objectContaining({ code: "max_length", offset: maxLength, found }),
          );
        }
      }
    },
  );

  test.each([
    '["\ud83d", ',
    '["x \ud83d"   ,"b"]',
    '{"a": "x  ", "b": "   ", "c": 1',
    '{"a":"\ud83d","b":"\ude00"}',
  ])("a string that may have ended is shown in the same way for any split: %j", (text) => {
    const last = (chunks: readonly string[]): unknown => {
      const parser = parserOf({ repair: true, append: true });
      let sum: JsonValue | undefined;
      for (const chunk of chunks) {
        parser.write(chunk);
        sum = applyPatch(sum, parser.takePatch());
        expect(sum).toEqual(parser.snapshot());
      }
      return sum;
    };
    for (let end = 1; end <= text.length; end++) {
      const characters = last(text.slice(0, end).split(""));
      for (const chunks of everyCut(text.slice(0, end))) expect(last(chunks)).toEqual(characters);
    }
  });
});

/** A limit that is usually not reached. */
function usually(bound: number, reached: number): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(bound) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: reached }) },
  );
}
