import fc from "fast-check";
import { JsonParseError, type JsonRepair } from "millrace/json";
import { fixedSizes } from "millrace/testing";
import { describe, expect, test, vi } from "vitest";
import { CountingText } from "../support/counting-text.js";
import { runs } from "../support/runs.js";
import { expectSame } from "../support/same-json.js";
import { anyCharacter } from "../../support/any-character.js";
import { type InWords, parserOf } from "../../support/parser-of.js";

/** Lists of records, as models write them: long enough for the native `JSON.parse`, and sometimes invalid. */
const scalar = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.constantFrom('},{"id"', "],[", "\\", '"', "// no", "}\n,"),
);
const record = fc.oneof(
  fc.record({ id: fc.nat(), name: fc.string(), tags: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ id: fc.nat(), at: fc.record({ x: scalar, y: scalar }) }, { requiredKeys: ["id"] }),
  fc.array(scalar, { maxLength: 5 }),
);
const records = fc
  .tuple(fc.array(record, { minLength: 1, maxLength: 4 }), fc.integer({ min: 10, max: 60 }))
  .map(([some, count]) => Array.from({ length: count }, (_, i) => some[i % some.length]));
const document = fc.oneof(
  records,
  records.map((list) => ({ title: "list", list })),
  records.map((list) => ({ ...Object.fromEntries(list.map((it, i) => [`r${i % 40}`, it])), end: 1 })),
  fc.tuple(records, records),
);
const keysTwice = fc
  .tuple(records, fc.constantFrom(1, 3, 29, 30, 31))
  .map(
    ([list, count]) => `{${list.map((it, i) => `"r${i % count}":${JSON.stringify(it)}`).join(",")},"end":[]}`,
  );
const longText = fc
  .tuple(document, fc.constantFrom(undefined, 1, 2))
  .map(([value, indent]) => JSON.stringify(value, null, indent));
const sizes = fc.array(fc.oneof(fc.integer({ min: 400, max: 9_000 }), fc.integer({ min: 1, max: 40 })), {
  minLength: 1,
  maxLength: 6,
});
const damage = fc.option(
  fc.record({
    at: fc.nat(),
    remove: fc.integer({ min: 0, max: 3 }),
    insert: fc.constantFrom("", ",", "]", "}", "{", "[", '"', "x", "// c\n", "'", ":", "\u0001", "True"),
  }),
);

describe("the native reader", () => {
  // G-json-2
  test("has the results of the scanner: values, patches, repairs, and errors with their positions", () => {
    const options = fc.record({
      repair: fc.boolean(),
      extract: fc.constantFrom("none" as const, "auto" as const),
      append: fc.boolean(),
      maxDepth: fc.constantFrom(2, 3, 4, 1_000),
      maxKeys: fc.constantFrom(2, 30, 100_000),
    });
    fc.assert(
      fc.property(longText, sizes, damage, options, (valid, lengths, damaged, choice) => {
        const at = damaged === null ? 0 : damaged.at % valid.length;
        const text =
          damaged === null ? valid : valid.slice(0, at) + damaged.insert + valid.slice(at + damaged.remove);
        expectAsScanned(text, lengths, choice);
      }),
      { numRuns: runs },
    );
  });

  // Bounds are not checked for values overwritten by a duplicate key.
  test("has the results of the scanner for repeated keys too, and counts each once for maxKeys", () => {
    const options = fc.record({ append: fc.boolean(), maxKeys: fc.constantFrom(29, 30, 31, 100_000) });
    fc.assert(
      fc.property(keysTwice, sizes, options, (text, lengths, choice) => {
        expectAsScanned(text, lengths, choice, inAnyOrder);
      }),
      { numRuns: runs },
    );
  });

  test("reads a document in one chunk, also in a fence", () => {
    const text = JSON.stringify({ list: Array.from({ length: 100 }, (_, id) => ({ id })) });
    const once = { tried: 1, taken: 1 };
    expect(nativeCalls([text], {})).toEqual(once);
    expect(nativeCalls(["Here:\n```json\n" + text + "\n```\n"], { extract: "auto", repair: true })).toEqual(
      once,
    );
  });

  test("does not try a document that continues after its chunk", () => {
    const text = JSON.stringify({ list: Array.from({ length: 100 }, (_, id) => id) });
    expect(nativeCalls([text.slice(0, -2), "]}"], {}).tried).toBe(0);
  });

  test("applies the limits exactly, also in a late run", () => {
    const rows = Array.from({ length: 1_000 }, (_, i) => [i]);
    expect(nativeCalls(cut(JSON.stringify(rows), 600), { maxDepth: 2 }).taken).toBeGreaterThan(5);
    const deeper = JSON.stringify({ rows: rows.map((row, i) => (i === 700 ? [[[row]]] : row)) });
    const wider = JSON.stringify(rows.map(([id], i) => (i === 700 ? { id, a: 1, b: [] } : { id })));
    const members = JSON.stringify(Object.fromEntries(rows.map((row, i) => [`member ${i}`, row])));
    for (const bound of [1, 2, 3, 4, 5, 6, 7]) {
      for (const size of [600, 100_000]) expectAsScanned(deeper, [size], { maxDepth: bound });
      for (const size of [4_200, 100_000]) expectAsScanned(wider, [size], { maxKeys: bound });
    }
    for (const bound of [300, 700, 701, 999, 1_000, 1_001]) {
      for (const size of [4_200, 100_000]) expectAsScanned(members, [size], { maxKeys: bound });
    }
  });

  test("continues after the value with which a chunk begins", () => {
    const chunks = Array.from({ length: 20 }, (_, k) =>
      Array.from({ length: 200 }, (_value, i) => `{"id":1},"order number ${k}, ${i}":`).join(""),
    );
    expect(nativeCalls(['{"first":', ...chunks, "{}}"], {})).toEqual({ tried: 20, taken: 20 });
  });

  test("reads the rows of a chunk of 1 KB and the objects of one of 8 KB", () => {
    const rows = JSON.stringify(Array.from({ length: 1_000 }, (_, i) => [i, i * i]));
    const objects = JSON.stringify({ list: Array.from({ length: 2_000 }, (_, id) => ({ id, name: "Ada" })) });
    const members = JSON.stringify(
      Object.fromEntries(Array.from({ length: 2_000 }, (_, id) => [`order ${id}`, { id }])),
    );
    for (const [text, size] of [
      [rows, 1_024],
      [objects, 8_192],
      [members, 8_192],
    ] as const) {
      const chunks = cut(text, size);
      const { tried, taken } = nativeCalls(chunks, {});
      expect(taken).toBeGreaterThan(chunks.length / 2);
      expect(tried).toBeLessThanOrEqual(chunks.length + 1); // the first one may be the whole document
    }
  });

  test("tries less often after wrong guesses", () => {
    // The separator of the elements also appears inside each element.
    const list = Array.from({ length: 2_000 }, () => [[[1]], [[2]], [[3]]]);
    const text = JSON.stringify({ list, more: 1 });
    const chunks = cut(text, 600);
    expect(chunks.length).toBeGreaterThan(60);
    expect(nativeCalls(chunks, {}).tried).toBeLessThan(chunks.length / 4);
  });

  // G-json-1
  test("reads each character a bounded number of times, right or wrong", () => {
    for (const text of [
      JSON.stringify(Array.from({ length: 3_000 }, (_, i) => [i])) + " ",
      JSON.stringify(Array.from({ length: 500 }, () => [[[1]], [[2]], [[3]]])).slice(0, -1) + ",[",
      `{"a":${JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id, in: [{ id }, { id }] })))},"b":[`,
    ]) {
      for (const size of [600, 5_000, text.length]) {
        let looks = 0;
        const parser = parserOf();
        for (let at = 0; at < text.length; at += size) {
          const chunk = new CountingText(text.slice(at, at + size));
          parser.write(chunk as unknown as string);
          looks += chunk.looks;
        }
        expect(looks).toBeLessThan(6 * text.length);
      }
    }
  });

  test("keeps the line of what follows", () => {
    const text = JSON.stringify(
      Array.from({ length: 300 }, (_, i) => [i]),
      null,
      1,
    );
    const lines = text.split("\n").length;
    expect(() => {
      parserOf().write(text + "\n!");
    }).toThrow(expect.objectContaining({ code: "trailing_text", line: lines + 1, column: 1 }) as Error);
    expect(() => {
      parserOf().write(text + " !");
    }).toThrow(expect.objectContaining({ code: "trailing_text", line: lines, column: 3 }) as Error);
    const parser = parserOf();
    parser.write(text);
    expect(() => {
      parser.write("\n !");
    }).toThrow(expect.objectContaining({ line: lines + 1, column: 2, offset: text.length + 2 }) as Error);
  });
});

function expectAsScanned(
  text: string,
  lengths: readonly number[],
  options: InWords,
  view = (seen: unknown[]): unknown[] => seen,
): void {
  // With onComplete, the scanner must read each value.
  const scanned = read(text, lengths, { ...options, onComplete: () => {} });
  expect(view(read(text, lengths, options))).toEqual(view(scanned));
}

/** With repeated keys, the operations of a patch may have another order. Each has its own place. */
function inAnyOrder(seen: unknown[]): unknown[] {
  return seen.map((it) => (Array.isArray(it) ? it.map((item) => JSON.stringify(item)).sort() : it));
}

function read(text: string, sizes: readonly number[], options: InWords): unknown[] {
  const repairs: JsonRepair[] = [];
  const parser = parserOf({ ...options, onRepair: (repair) => repairs.push(repair) });
  const seen: unknown[] = [];
  try {
    for (let at = 0, i = 0; at < text.length; i++) {
      const end = at + (sizes[i % sizes.length] as number);
      parser.write(text.slice(at, end));
      seen.push(parser.takePatch());
      at = end;
    }
    parser.end();
  } catch (error) {
    if (!(error instanceof JsonParseError)) throw error;
    const { code, offset, line, column, pointer, message, value } = error;
    seen.push({ code, offset, line, column, pointer, message, value });
  }
  seen.push(parser.takePatch(), parser.complete, repairs);
  const snapshot = parser.snapshot();
  if (snapshot !== undefined) expectSame(parser.value, snapshot);
  return [...seen, JSON.stringify(snapshot)];
}

/** The number of calls of `JSON.parse`, and the number that returned a value. */
function nativeCalls(chunks: readonly string[], options: InWords): { tried: number; taken: number } {
  const parse = vi.spyOn(JSON, "parse");
  const parser = parserOf(options);
  for (const chunk of chunks) parser.write(chunk);
  parser.end();
  const { results } = parse.mock;
  const calls = { tried: results.length, taken: results.filter(({ type }) => type === "return").length };
  parse.mockRestore();
  const text = chunks.join("");
  expectSame(parser.value, JSON.parse(text.slice(text.search(/[[{]/), text.search(/[\]}][^\]}]*$/) + 1)));
  return calls;
}

function cut(text: string, size: number): string[] {
  return [...fixedSizes(text, [size])].flat();
}
