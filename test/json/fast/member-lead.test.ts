import fc from "fast-check";
import {
  applyPatch,
  JsonParseError,
  JsonParser,
  type JsonParserOptions,
  type JsonRepair,
  type JsonValue,
} from "millrace";
import { fixedSizes } from "millrace/testing";
import { describe, expect, test, vi } from "vitest";
import { runs } from "../support/runs.js";

/** So many that what leads to their members is known, and more. */
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

/** What a model may write in place of what leads to a value, or of the value. */
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

describe("what leads to a member, once it is known", () => {
  test("changes nothing: values, patches, repairs and errors with their places are those without it", () => {
    fc.assert(
      fc.property(
        fc.subarray([...shapes], { minLength: 1, maxLength: 2 }),
        fc.constantFrom(...styles),
        fc.array(fc.tuple(fc.constantFrom(...oddities), fc.double({ min: 0.7, max: 1, noNaN: true })), {
          maxLength: 2,
        }),
        fc.integer({ min: 512, max: 3_000 }),
        fc.record({
          repair: fc.boolean(),
          append: fc.boolean(),
          maxDepth: fc.constantFrom(3, 1_000),
          maxKeys: fc.constantFrom(4, 100_000),
          watched: fc.boolean(),
        }),
        (some, style, odd, size, options) => {
          const list = Array.from({ length: many * some.length }, (_, i) => some[i % some.length]?.(i));
          expectAsInShortChunks(withOddities(style(list), odd), size, options);
        },
      ),
      { numRuns: Math.ceil(runs / 10) },
    );
  });

  test.each(oddities)("is not what is read where %j is %j", (find, write) => {
    const list = Array.from({ length: many }, (_, i) => shapes[0]?.(i));
    for (const style of styles) {
      const text = style(list);
      for (const at of [0.8, 0.97]) {
        for (const repair of [true, false]) {
          expectAsInShortChunks(withOddities(text, [[[find, write], at]]), 1_024, { repair });
        }
      }
    }
  });

  test("ends anywhere in a chunk", () => {
    const text = JSON.stringify(
      Array.from({ length: 3 * many }, (_, i) => shapes[0]?.(i)),
      null,
      2,
    );
    const parsed: unknown = JSON.parse(text);
    for (const repair of [true, false]) {
      // Each place of a record comes to stand at the end of a chunk of 1 KB: records are shorter, and not all as long.
      for (let first = 0; first < 40; first++) {
        const parser = new JsonParser({ repair });
        let value: JsonValue = null;
        for (const chunk of [text.slice(0, first), ...[...fixedSizes(text.slice(first), [1_024])].flat()]) {
          parser.write(chunk);
          value = applyPatch(value, parser.takePatch());
        }
        expect(value).toEqual(parsed);
      }
    }
  });

  test("tells the place of a key too many, which is that of its quote", () => {
    const records = Array.from({ length: 3 * many }, (_, i) =>
      i % 2 === 0 ? { a: "", b: "", c: 1 } : { c: 1, d: "" },
    );
    const text = JSON.stringify([...records, { a: "", b: "", c: 1, d: "too many" }, ...records], null, 1);
    const at = text.indexOf('"d": "too many"');
    const parser = new JsonParser({ maxKeys: 3 });
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

  test("is no lead in an array, where no key can be", () => {
    const record = '{"a":"1","b":[],"c":"2"},';
    const wrong = '{"a":"1","b":["c":"2"]},';
    const text = `[${record.repeat(3 * many)}${wrong}${record.repeat(many)}`;
    const parser = new JsonParser();
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

  test("is another one at each depth of an indented document", () => {
    const list = Array.from({ length: 1_000 }, (_, i) => ({
      name: `${i}`,
      in: { name: `${i}`, in: { name: "" } },
    }));
    expect(testsOf('"name"', JSON.stringify(list, null, 2), 1_024, {})).toBeGreaterThan(2_400);
  });

  test.each([
    ["by one test for each", 2, {}],
    ["by one test for each, with repair", 2, { repair: true }],
    ["by one test for each, on one line", undefined, {}],
  ] as const)("is read %s", (_, indent, options) => {
    const list = Array.from({ length: 1_000 }, (_, id) => ({ id, name: `Ada ${id}`, city: "Bath" }));
    expect(testsOf('"name"', JSON.stringify(list, null, indent), 1_024, options)).toBeGreaterThan(800);
    expect(testsOf('"name"', JSON.stringify(list, null, indent), 511, options)).toBe(0);
  });

  test("is learnt from a hundred members, as it is not worth it for fewer", () => {
    const text = (length: number): string =>
      JSON.stringify(
        Array.from({ length }, (_, id) => ({ id, name: "Ada" })),
        null,
        2,
      );
    expect(testsOf('"name"', text(90), 1_024, {})).toBe(0);
    expect(testsOf('"name"', text(150), 1_024, {})).toBeGreaterThan(20);
  });

  test("is learnt only from what is nothing but white space and the key", () => {
    const text = `[${Array.from({ length: 1_000 }, (_, i) => `{"id": ${i}, /**/ "name": "Ada"}`).join(",")}]`;
    const repairs: JsonRepair[] = [];
    const options: JsonParserOptions = { repair: true, onRepair: (repair) => repairs.push(repair) };
    expect(testsOf('"name"', text, 1_024, options)).toBe(0);
    expect(repairs).toHaveLength(1_000);
  });

  test("is not tried again and again where another key follows each time", () => {
    const keys = Array.from({ length: 7 }, (_, k) => `key ${k}`);
    const list = Array.from({ length: 7_000 }, (_, i) => ({ id: i, [keys[(i * i + i) % 7] as string]: i }));
    const tests = testsOf('"key ', JSON.stringify(list), 1_024, {});
    expect(tests).toBeLessThan(list.length / 2);
  });
});

function withOddities(text: string, odd: readonly (readonly [readonly [string, string], number])[]): string {
  return odd.reduce((changed, [[find, write], part]) => {
    const at = changed.indexOf(find, Math.floor(changed.length * part));
    return at < 0 ? changed : changed.slice(0, at) + write + changed.slice(at + find.length);
  }, text);
}

function expectAsInShortChunks(text: string, size: number, options: Options): void {
  expect(read(text, size, options, 10_000)).toEqual(read(text, size, options, 500));
}

type Options = JsonParserOptions & { readonly watched?: boolean };

/** What is seen after each chunk, which is given in pieces. */
function read(text: string, size: number, { watched = false, ...options }: Options, most: number): unknown[] {
  const repairs: JsonRepair[] = [];
  const seen: unknown[] = [];
  const parser = new JsonParser({
    ...options,
    onRepair: (repair) => repairs.push(repair),
    ...(watched && { onComplete: (pointer, value) => seen.push(pointer, JSON.stringify(value)) }),
  });
  try {
    for (const chunk of [...fixedSizes(text, [size])].flat()) {
      for (const piece of [...fixedSizes(chunk, [most])].flat()) parser.write(piece);
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

/** How often a regular expression that has this in it is asked while a text is read. */
function testsOf(source: string, text: string, size: number, options: JsonParserOptions): number {
  const asked = vi.spyOn(RegExp.prototype, "test");
  const parser = new JsonParser(options);
  for (const chunk of [...fixedSizes(text, [size])].flat()) parser.write(chunk);
  parser.end();
  const count = asked.mock.contexts.filter((it) => (it as RegExp).source.includes(source)).length;
  asked.mockRestore();
  expect(parser.value).toEqual(options.repair === true ? parser.snapshot() : JSON.parse(text));
  return count;
}
