import fc from "fast-check";
import type { JsonValue } from "millrace";
import { Allow } from "millrace/json";
import { describe, expect, test } from "vitest";
import { jsonText } from "../../json/support/arbitraries.js";
import { chunksOf, stepsArbitrary } from "../../json/support/cuts.js";
import { places } from "../../json/support/differences.js";
import { optionsArbitrary } from "../../json/support/play.js";
import { readPrefix } from "../../json/support/reference.js";
import { runs } from "../../json/support/runs.js";
import { expectSame } from "../../json/support/same-json.js";
import { parserOf } from "../../support/parser-of.js";

/**
 * A value is complete when its text has ended, because no continuation of the document changes it. The exception is a
 * repeated key, which cannot be foreseen, so the properties use texts without repeated keys.
 */
const text = jsonText({ duplicates: false });

describe("isComplete", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['{"a": [1, "x', ["/a/0"], ["", "/a", "/a/1", "/a/2", "/b"]],
    ['{"a": [1, "x"', ["/a/0", "/a/1"], ["", "/a", "/a/2"]],
    ['{"a": [1, "x"]', ["/a", "/a/0", "/a/1"], ["", "/a/2"]],
    ['{"a": [1, "x"]}', ["", "/a", "/a/0", "/a/1"], ["/a/2", "/b"]],
    ['{"n": 12', [], ["", "/n"]],
    ['{"n": 12 ', ["/n"], [""]],
    ['{"n": 12, "m": nul', ["/n"], ["", "/m"]],
    ['{"n": {}, "m', ["/n"], ["", "/m"]],
    ['[[], {}, "", null, false, 0, ', ["/0", "/1", "/2", "/3", "/4", "/5"], ["", "/6"]],
    ['{"a/b": {"~": 1, "": "', ["/a~1b/~0"], ["", "/a~1b", "/a~1b/"]],
    ['{"undefined": {"x": 1}, ', ["/undefined", "/undefined/x"], ["", "/x"]],
    ["", [], ["", "/a"]],
    ["nul", [], [""]],
    ["null", [""], ["/a"]],
    ["12", [], [""]],
    ['"a', [], ["", "/0", "/length"]],
    ['"a"', [""], ["/0", "/length"]],
    ["[[1]]", ["/0/0"], ["/00", "/0/length", "/length", "/-", "/0/-"]],
    ['{"__proto__": 1, "x": "', ["/__proto__"], ["/x", "/toString", "/constructor"]],
    ['["abc", "d', ["/0"], ["/0/0", "/0/length", "/1/0"]],
  ])("returns the right result for %s", (json, complete, open) => {
    const parser = parserOf();
    parser.write(json);
    expect([...complete, ...open].filter((pointer) => parser.isComplete(pointer))).toEqual(complete);
  });

  test("returns true for a number at the root only after the end", () => {
    const parser = parserOf();
    parser.write("12");
    expect(parser.isComplete("")).toBe(false);
    parser.end();
    expect(parser.isComplete("")).toBe(true);
  });

  test("returns false for a value that allow shows early", () => {
    const parser = parserOf({ allow: Allow.ALL });
    parser.write("[t");
    expect([parser.snapshot(), parser.isComplete("/0")]).toEqual([[true], false]);
    parser.write("rue");
    expect(parser.isComplete("/0")).toBe(true);
    parser.write(",12");
    expect([parser.snapshot(), parser.isComplete("/1")]).toEqual([[true, 12], false]);
  });

  test("returns false for a value that is not shown yet", () => {
    const parser = parserOf({ allow: Allow.OBJ });
    parser.write('{"a": [1, {"b": 2}');
    expect(["", "/a", "/a/0", "/a/1", "/a/1/b"].filter((pointer) => parser.isComplete(pointer))).toEqual([]);
    parser.write("]");
    expect(["/a", "/a/0", "/a/1", "/a/1/b"].every((pointer) => parser.isComplete(pointer))).toBe(true);
  });

  test("keeps its result after an error and after a truncated end", () => {
    const parser = parserOf({ onTruncated: "keep" });
    parser.write('{"a": 1, "b": "x');
    parser.end();
    expect(["", "/a", "/b"].map((pointer) => parser.isComplete(pointer))).toEqual([false, true, false]);
    const wrong = parserOf();
    expect(() => wrong.write('{"a": 1, "b": "x\n')).toThrow("control character");
    expect(["", "/a", "/b"].map((pointer) => wrong.isComplete(pointer))).toEqual([false, true, false]);
  });

  test("returns false again when a key is repeated", () => {
    const parser = parserOf();
    parser.write('{"a": {"x": 1}, "a');
    expect(parser.isComplete("/a/x")).toBe(true);
    parser.write('": {"x": "');
    expect(["/a", "/a/x"].map((pointer) => parser.isComplete(pointer))).toEqual([false, false]);
    parser.write('"}');
    expect(["/a", "/a/x"].map((pointer) => parser.isComplete(pointer))).toEqual([true, true]);
  });

  test("returns true exactly for the values that are shown and have ended", () => {
    fc.assert(
      fc.property(text, stepsArbitrary, optionsArbitrary, (json, steps, options) => {
        const everywhere = [...places(JSON.parse(json) as JsonValue)].map(([pointer]) => pointer);
        const parser = parserOf(options);
        let prefix = "";
        for (const chunk of chunksOf(json, steps)) {
          parser.write(chunk);
          prefix += chunk;
          const { complete } = readPrefix(prefix, options.allow);
          expect(everywhere.filter((pointer) => parser.isComplete(pointer))).toEqual(
            everywhere.filter((pointer) => complete.has(pointer)),
          );
        }
        parser.end();
        expect(everywhere.filter((pointer) => !parser.isComplete(pointer))).toEqual([]);
      }),
      { numRuns: Math.ceil(runs / 4) },
    );
  });

  test("returns true only for values that no continuation changes", () => {
    fc.assert(
      fc.property(
        text,
        fc.double({ min: 0, max: 1, noNaN: true }),
        optionsArbitrary,
        (json, part, options) => {
          const prefix = json.slice(0, Math.floor(part * (json.length + 1)));
          const parser = parserOf(options);
          parser.write(prefix);
          const shown = parser.snapshot();
          // One continuation closes everything at once, the other changes and extends it.
          const { shortest, longest } = readPrefix(prefix, options.allow);
          const [ended, changed] = [shortest, longest].map(
            (rest) => new Map(places(JSON.parse(prefix + rest) as JsonValue)),
          );
          for (const [pointer, value] of shown === undefined ? [] : places(shown)) {
            if (!parser.isComplete(pointer)) continue;
            expectSame(ended?.get(pointer), value);
            expectSame(changed?.get(pointer), value);
          }
        },
      ),
      { numRuns: runs },
    );
  });

  test("returns false only for values that a continuation changes or extends", () => {
    fc.assert(
      fc.property(text, fc.double({ min: 0, max: 1, noNaN: true }), (json, part) => {
        const prefix = json.slice(0, Math.floor(part * (json.length + 1)));
        const parser = parserOf();
        parser.write(prefix);
        const shown = parser.snapshot();
        const changed = new Map(places(JSON.parse(prefix + readPrefix(prefix).longest) as JsonValue));
        for (const [pointer, value] of shown === undefined ? [] : places(shown)) {
          if (!parser.isComplete(pointer)) expect(changed.get(pointer)).not.toEqual(value);
        }
      }),
      { numRuns: runs },
    );
  });
});
