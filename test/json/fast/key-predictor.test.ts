import { collect, jsonParser, pipe } from "millrace";
import { everyCut, fixedSizes } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { Nesting } from "#src/json/scan/nesting.js";
import { Position } from "#src/json/scan/position.js";
import { Builder } from "#src/json/build/builder.js";
import type { GuessedKeys } from "#src/json/scan/short-cuts.js";
import { sharedFast } from "#src/json/fast/fast-paths.js";
import { KnownKeys } from "#src/json/fast/known-keys.js";
import { expectSame } from "../support/same-json.js";
import { type InWords, parserOf } from "../../support/parser-of.js";

describe("a predicted key", () => {
  test.each([
    ["is repeated", '[{"name":1,"age":2},{"name":3,"age":4},{"name":5,"age":6}]'],
    ["begins like another key", '[{"ab":1,"a":2},{"a":3,"abc":4},{"abc":5,"":6},{"":7,"ab":8}]'],
    ["begins with the key that follows", '[{"type": 1, "column_list": 2}, {"type": 3, "column": 4}]'],
    ["is missing sometimes", '[{"a":1,"b":2,"c":3},{"a":4,"c":5},{"b":6},{"a":7,"b":8,"c":9}]'],
    [
      "is written with escapes",
      String.raw`[{"a\"b":1,"\\":2},{"a\"b":3,"\\":4},{"a":5,"":6},{"\u0061\"b":7}]`,
    ],
    ["has a line break", String.raw`[{"a\nb":1},{"a\nb":2},{"a":3},{"a\nb":4}]`],
    ["is long", `[{"${"k".repeat(70)}":1},{"${"k".repeat(70)}":2},{"${"k".repeat(64)}":3}]`],
    ["is a member of every object", '[{"__proto__":1,"constructor":2},{"__proto__":3,"constructor":4}]'],
    ["is repeated in its object", '[{"a":1,"a":2,"b":3},{"a":4,"a":5,"b":6},{"a":7,"b":8}]'],
    ["has objects with the same key", '{"a":{"a":{"a":1}},"b":[{"a":{"a":2}},{"a":3}],"a":{"b":{"a":4}}}'],
    ["has white space around it", '[{ "a" : 1 , "b" : 2 }\n,{\t"a"\n:3,"b" :4}]'],
  ])("is read like any other key, for any split, if it %s", (_, text) => {
    const expected: unknown = JSON.parse(text);
    for (const options of [{}, { repair: true }, { repair: true, extract: "auto" }] as InWords[]) {
      for (const chunks of [...everyCut(text), ...fixedSizes(text, [1, 2, 3, 5])]) {
        const parser = parserOf(options);
        for (const chunk of chunks) parser.write(chunk);
        parser.end();
        expectSame(parser.value, expected);
      }
    }
  });

  test("ends the string if the text ends in it, and a snapshot omits it", () => {
    const parser = parserOf({ onTruncated: "keep" });
    parser.write('[{"name":1},{"na');
    expect(parser.snapshot()).toEqual([{ name: 1 }, {}]);
    expect(() => parserOf().write('[{"name":1},{"na\u0001')).toThrow(
      expect.objectContaining({ code: "control_character", offset: 16 }),
    );
    expect(() => {
      const strict = parserOf();
      strict.write('[{"name":1},{"na');
      strict.end();
    }).toThrow(expect.objectContaining({ code: "unexpected_end", expected: "the end of the string" }));
  });

  test.each([
    ["short", ""],
    ["too long to be predicted", "k".repeat(70)],
  ])("keeps its spelling, not its value: %s", (_, rest) => {
    const records = String.raw`[{"a\"b${rest}":1},{"a\"b${rest}":2},`;
    const parser = parserOf();
    parser.write(records);
    // Without its backslash the quote ends the key.
    expect(() => parser.write(`{"a"b${rest}":3}]`)).toThrow(
      expect.objectContaining({ code: "unexpected_character", offset: records.length + 4 }),
    );
  });

  test("is dropped when there are too many, and all keys are still read", () => {
    const map = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`key ${i}`, { id: i }]));
    const text = JSON.stringify([map, map]);
    const parser = parserOf();
    for (let at = 0; at < text.length; at += 7) parser.write(text.slice(at, at + 7));
    parser.end();
    expectSame(parser.value, [map, map]);
  });
});

describe("parsers that share their keys", () => {
  /** Each piece arrives a moment after the one before it, so other streams read in between. */
  async function* arriving(text: string): AsyncGenerator<string> {
    for (const character of text) {
      await Promise.resolve();
      yield character;
    }
  }

  test.each([{}, { strict: true }])("read different keys at the same time: %o", async (options) => {
    const parser = jsonParser(undefined, options);
    const texts = [
      '[{"name":1,"age":2},{"name":3,"age":4},{"name":5,"age":6}]',
      '[{"names":1,"a":2},{"names":3,"a":4},{"names":5,"a":6}]',
      '[{"nam":1,"ages":2},{"n":3,"age":4},{"name":5,"ag":{"name":1}}]',
      '[{"name":{"age":1}},{"name":{"age":2,"name":3}}]',
    ];
    const read = async (text: string): Promise<unknown> =>
      (await collect(pipe(arriving(text), parser.final))).at(-1);
    for (let round = 0; round < 3; round++) {
      expect(await Promise.all(texts.map(read))).toEqual(texts.map((text) => JSON.parse(text) as unknown));
    }
  });

  test("know the keys of those before them, and start anew after a thousand keys", () => {
    const create = sharedFast();
    const opened = (): GuessedKeys => {
      const nesting = new Nesting();
      const builder = new Builder({});
      const cuts = create({ options: {}, builder, nesting, position: new Position(), afterString: "" });
      nesting.open(false);
      cuts.open(false);
      return cuts.keys;
    };
    opened().learn("first");
    const second = opened();
    expect(second.guess()?.key).toBe("first");
    for (let i = 0; i < 1_000; i++) second.learn(`key ${i}`);
    const third = opened();
    expect(third.guess()).toBeUndefined();
    third.learn("first");
    expect(opened().guess()?.key).toBe("first");
  });

  test("keep no long keys", () => {
    const known = new KnownKeys();
    const long = "k".repeat(65);
    expect(known.get(long, known.root)).not.toBe(known.get(long, known.root));
    expect(known.get("k", known.root)).toBe(known.get("k", known.root));
  });
});
