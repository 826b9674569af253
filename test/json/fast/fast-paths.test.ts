import fc from "fast-check";
import type { JsonValue } from "millrace";
import { applyPatch, JsonParseError, type JsonRepair } from "millrace/json";
import { fixedSizes } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { runs } from "../support/runs.js";
import { expectSame } from "../support/same-json.js";
import { type InWords, parserOf } from "../../support/parser-of.js";

/** Enough records for the fast paths to know their keys and the text between them. */
const many = 130;

const shapes: readonly ((i: number) => unknown)[] = [
  (i) => ({ id: i, name: `Ada ${i}`, "a.b|c$": `${i}`, tags: [`${i}`], at: { x: i, y: "north" } }),
  (i) => ({ id: i, name: `Grace ${i}`, nested: { id: `${i}`, name: "x", deeper: [{ id: i, name: "" }] } }),
  (i) => ({ name: `Edsger ${i}`, id: -i, last: null, ok: i % 2 === 0, "ünï→": "ö→" }),
  (i) => ({ a: `${i}`, a2: "}", b: { a: ",", a2: '"' }, c: 1.5 * i, __proto__2: "\\" }),
];

const styles: readonly ((list: unknown) => string)[] = [
  (list) => JSON.stringify(list),
  (list) => JSON.stringify(list, null, 2),
  (list) => JSON.stringify(list, null, "\t"),
  (list) => JSON.stringify({ list }, null, 1).replaceAll("\n", "\r\n"),
  // As Python writes it, and with a space before the colon.
  (list) => JSON.stringify(list, null, 1).replaceAll(/\n */g, " "),
  (list) => JSON.stringify(list, null, 1).replaceAll('":', '" :'),
  (list) => JSON.stringify(list, null, 1).replaceAll(/("id"|"a"): /g, "$1:\n\n "),
];

/** Variants that a model may write of a key, of a value, or of the text between them. */
const oddities: readonly (readonly [find: string, write: string])[] = [
  ['"name"', '"nam"'],
  ['"name"', "name"],
  ['"name"', "'name'"],
  ['"name"', '"name" '],
  ['"name"', '// a name\n"name"'],
  ['"name"', '"n\\u0061me"'],
  ['"name":', '"name"'],
  ['"name":', '"name"::'],
  ['"name":', '"name":"",  "name":'],
  [",", ""],
  [",", ",,"],
  [",", " /* next */ ,"],
  ['",', '\\"",'],
  ['",', '" ,'],
  ['",', '" and "so on",'],
  ['",', '", which is it",'],
  ['",', '\n",'],
  ['",', '\\q",'],
  ['",', '\u0001",'],
  ['",', '🦆→",'],
  ['"', "“"],
  ["}", ",}"],
  ["}", ""],
  ["{", "{{"],
  ["\n", "\r\n"],
  [" ", "\u00a0"],
  [":", ": None //"],
  [":", ":["],
];

describe("the fast paths", () => {
  test("give the values, patches, repairs and errors of the plain scanner", () => {
    fc.assert(
      fc.property(
        fc.subarray([...shapes], { minLength: 1, maxLength: 2 }),
        fc.constantFrom(...styles),
        fc.array(fc.tuple(fc.constantFrom(...oddities), fc.double({ min: 0.7, max: 1, noNaN: true })), {
          maxLength: 2,
        }),
        fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 512, max: 9_000 })),
        fc.record({
          repair: fc.boolean(),
          append: fc.boolean(),
          maxDepth: fc.constantFrom(3, 1_000),
          maxKeys: fc.constantFrom(4, 100_000),
          watched: fc.boolean(),
        }),
        (some, style, odd, size, options) => {
          const list = Array.from({ length: many * some.length }, (_, i) => some[i % some.length]?.(i));
          expectSameAsPlain(withOddities(style(list), odd), size, options);
        },
      ),
      { numRuns: Math.ceil(runs / 10) },
    );
  });

  test.each(oddities)("read a document with %j replaced by %j as the plain scanner does", (find, write) => {
    const list = Array.from({ length: many }, (_, i) => shapes[0]?.(i));
    for (const style of styles) {
      const text = style(list);
      for (const at of [0.8, 0.97]) {
        for (const repair of [true, false]) {
          expectSameAsPlain(withOddities(text, [[[find, write], at]]), 1_024, { repair });
        }
      }
    }
  });

  test("can be interrupted by the end of a chunk at any position", () => {
    const text = JSON.stringify(
      Array.from({ length: 3 * many }, (_, i) => shapes[0]?.(i)),
      null,
      2,
    );
    const parsed: unknown = JSON.parse(text);
    for (const repair of [true, false]) {
      // Each position of a record reaches the end of a 1 KB chunk: records are shorter than that, and differ in length.
      for (let first = 0; first < 40; first++) {
        const parser = parserOf({ repair });
        let value: JsonValue = null;
        for (const chunk of [text.slice(0, first), ...[...fixedSizes(text.slice(first), [1_024])].flat()]) {
          parser.write(chunk);
          value = applyPatch(value, parser.takePatch());
        }
        expect(value).toEqual(parsed);
      }
    }
  });

  test("keep the place of a max_keys error at the quote of the key", () => {
    const records = Array.from({ length: 3 * many }, (_, i) =>
      i % 2 === 0 ? { a: "", b: "", c: 1 } : { c: 1, d: "" },
    );
    const text = JSON.stringify([...records, { a: "", b: "", c: 1, d: "too many" }, ...records], null, 1);
    const at = text.indexOf('"d": "too many"');
    const parser = parserOf({ maxKeys: 3 });
    expect(() => {
      for (const chunk of [...fixedSizes(text, [1_024])].flat()) parser.write(chunk);
    }).toThrow(
      expect.objectContaining({
        code: "max_keys",
        offset: at,
        line: text.slice(0, at).split("\n").length,
        column: at - text.lastIndexOf("\n", at),
      }) as Error,
    );
  });

  test("do not predict keys in an array", () => {
    const record = '{"a":"1","b":[],"c":"2"},';
    const wrong = '{"a":"1","b":["c":"2"]},';
    const text = `[${record.repeat(3 * many)}${wrong}${record.repeat(many)}`;
    const parser = parserOf();
    expect(() => {
      for (const chunk of [...fixedSizes(text, [1_024])].flat()) parser.write(chunk);
    }).toThrow(
      expect.objectContaining({
        code: "unexpected_character",
        offset: text.indexOf(wrong) + wrong.indexOf('"c"') + '"c"'.length,
        found: ":",
      }) as Error,
    );
  });
});

function withOddities(text: string, odd: readonly (readonly [readonly [string, string], number])[]): string {
  return odd.reduce((changed, [[find, write], part]) => {
    const at = changed.indexOf(find, Math.floor(changed.length * part));
    return at < 0 ? changed : changed.slice(0, at) + write + changed.slice(at + find.length);
  }, text);
}

function expectSameAsPlain(text: string, size: number, options: Options): void {
  expectSame(read(text, size, options, false), read(text, size, options, true));
}

type Options = InWords & { readonly watched?: boolean };

/** Everything that can be observed after each chunk. */
function read(
  text: string,
  size: number,
  { watched = false, ...options }: Options,
  plain: boolean,
): unknown[] {
  const repairs: JsonRepair[] = [];
  const seen: unknown[] = [];
  const parser = parserOf({
    ...options,
    fast: !plain,
    onRepair: (repair) => repairs.push(repair),
    ...(watched && { onComplete: (pointer, value) => seen.push(pointer, JSON.stringify(value)) }),
  });
  try {
    for (const chunk of [...fixedSizes(text, [size])].flat()) {
      parser.write(chunk);
      seen.push(parser.takePatch());
    }
    parser.end();
  } catch (error) {
    if (!(error instanceof JsonParseError)) throw error;
    const { code, offset, line, column, pointer, expected, found, value } = error;
    seen.push({ code, offset, line, column, pointer, expected, found, value });
  }
  return [...seen, parser.takePatch(), parser.complete, repairs, parser.snapshot()];
}
