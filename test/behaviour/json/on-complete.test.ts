import fc from "fast-check";
import type { JsonValue } from "millrace";
import { Allow, type JsonParser } from "millrace/json";
import { everyWay } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { jsonText } from "../../json/support/arbitraries.js";
import { chunksOf, stepsArbitrary } from "../../json/support/cuts.js";
import { places } from "../../json/support/differences.js";
import { optionsArbitrary } from "../../json/support/play.js";
import { runs } from "../../json/support/runs.js";
import { copyOf, expectSame } from "../../json/support/same-json.js";
import { type InWords, parserOf } from "../../support/parser-of.js";

describe("onComplete", () => {
  test("is called with each value when it completes, inner ones first", () => {
    const { parser, calls } = listening();
    parser.write('{"a": [1, "x');
    expect(calls).toEqual([["/a/0", 1]]);
    parser.write('y"');
    expect(calls.splice(0)).toEqual([
      ["/a/0", 1],
      ["/a/1", "xy"],
    ]);
    parser.write('], "b/c": {"": null}');
    expect(calls.splice(0)).toEqual([
      ["/a", [1, "xy"]],
      ["/b~1c/", null],
      ["/b~1c", { "": null }],
    ]);
    parser.write("}");
    expect(calls).toEqual([["", { a: [1, "xy"], "b/c": { "": null } }]]);
  });

  test("is called for each value of a chunk that JSON.parse reads", () => {
    const list = Array.from({ length: 400 }, (_, id) => ({ id, at: [id] }));
    const text = JSON.stringify(list);
    const cut = JSON.stringify(list.slice(0, 2)).length;
    for (const chunks of [[text], [text.slice(0, cut), text.slice(cut)]]) {
      const { parser, calls } = listening();
      for (const chunk of chunks) parser.write(chunk);
      expect(calls.length).toBe(4 * list.length + 1);
      expect(calls.slice(-5)).toEqual([
        ["/399/id", 399],
        ["/399/at/0", 399],
        ["/399/at", [399]],
        ["/399", { id: 399, at: [399] }],
        ["", list],
      ]);
    }
  });

  test("is called by end() for a number at the root", () => {
    const { parser, calls } = listening();
    parser.write("12");
    expect(calls).toEqual([]);
    parser.end();
    expect(calls).toEqual([["", 12]]);
  });

  test("is called for complete values that allow does not show", () => {
    const { parser, calls } = listening({ allow: Allow.OBJ });
    parser.write('{"a": [1, {"b": 2}');
    expect(calls).toEqual([
      ["/a/0", 1],
      ["/a/1/b", 2],
      ["/a/1", { b: 2 }],
    ]);
    expect(parser.snapshot()).toEqual({});
  });

  test("is called again for a repeated key", () => {
    const { parser, calls } = listening();
    parser.write('{"a": [1], "a": [2]}');
    expect(calls.map(([pointer]) => pointer)).toEqual(["/a/0", "/a", "/a/0", "/a", ""]);
  });

  test("tells the elements of arrays from the members of objects", () => {
    const text = '[{"0": [1, {"1": 2}]}, "3"]';
    const elements = ["/0/0/0", "/0/0/1", "/0", "/1"];
    for (const options of [{}, { fast: true }, { allow: 0 }]) {
      for (const pieces of everyWay(text)) {
        const found: string[] = [];
        const parser = parserOf({
          ...options,
          onComplete: (pointer, _value, isElement) => {
            if (isElement) found.push(pointer);
          },
        });
        for (const piece of pieces) parser.write(piece);
        parser.end();
        expect(found).toEqual(elements);
      }
    }
  });

  test("its errors are thrown by write(), and by every later call", () => {
    const problem = new Error("No more.");
    const parser = parserOf({
      onComplete: () => {
        throw problem;
      },
    });
    parser.write('{"a": ');
    expect(() => parser.write("1,")).toThrow(problem);
    expect(() => parser.write(" ")).toThrow(problem);
    expect(() => parser.end()).toThrow(problem);
    expect(parser.snapshot()).toEqual({ a: 1 });
  });

  test("is called once for each place with the final value, for any options", () => {
    fc.assert(
      fc.property(
        jsonText({ duplicates: false }),
        stepsArbitrary,
        optionsArbitrary,
        (text, steps, options) => {
          const { parser, calls } = listening(options);
          for (const [i, chunk] of chunksOf(text, steps).entries()) {
            parser.write(chunk);
            if (steps[i % steps.length]?.snapshot === true) parser.snapshot();
          }
          parser.end();
          const all = new Map(places(JSON.parse(text) as JsonValue));
          expect(calls.map(([pointer]) => pointer).sort()).toEqual([...all.keys()].sort());
          for (const [i, [pointer, value]] of calls.entries()) {
            expectSame(value, all.get(pointer));
            const around = pointer.slice(0, pointer.lastIndexOf("/"));
            expect(pointer === "" || calls.findIndex(([other]) => other === around) > i).toBe(true);
          }
        },
      ),
      { numRuns: Math.ceil(runs / 2) },
    );
  });
});

/** A parser and the calls of its onComplete so far. */
function listening(options: InWords = {}): {
  readonly parser: JsonParser;
  readonly calls: (readonly [string, JsonValue])[];
} {
  const calls: (readonly [string, JsonValue])[] = [];
  const onComplete = (pointer: string, value: JsonValue): void => {
    calls.push([pointer, copyOf(value)]);
  };
  return { parser: parserOf({ ...options, onComplete }), calls };
}
