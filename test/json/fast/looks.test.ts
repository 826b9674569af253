import { fixedSizes } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { CountingText } from "../support/counting-text.js";
import { type InWords, parserOf } from "../../support/parser-of.js";

const list = (length: number, each: (i: number) => unknown): unknown[] =>
  Array.from({ length }, (_, i) => each(i));

const key = "k".repeat(40);
const records = JSON.stringify(list(40, (i) => ({ [`${key}1`]: i, [`${key}2`]: i })));
const nested = JSON.stringify(
  list(40, (i) => ({ [`${key}a`]: { [`${key}x`]: i, [`${key}y`]: [{ [`${key}z`]: i }] }, [`${key}b`]: {} })),
);
const spaced = `[${list(40, (i) => `{"a": ${i}, "b": [${i}, true], "c": "x"}`).join(", ")}]`;
const numbers = JSON.stringify(list(60, (i) => 12_345.25 + i));
const rows = JSON.stringify(list(60, (i) => [12_345 + i]));
const strings = JSON.stringify(list(40, (i) => `text ${i}`));

/**
 * Fast paths read the usual output of models. They change nothing but the time: without one of them, its characters are
 * read once more.
 */
// G-json-1
describe("with the fast paths, each character is read about once", () => {
  test.each<[string, string, number, InWords, number]>([
    ["in an expected key", records, 500, {}, 1.15],
    ["in an expected key, with repair", records, 500, { repair: true }, 1.15],
    ["in keys of nested objects", nested, 500, {}, 1.15],
    ["in an expected key that is split", records, 7, {}, 1.3],
    ["in an expected key that is split, with repair", records, 7, { repair: true }, 1.31],
    ["after commas and colons", spaced, 500, {}, 1.35],
    ["after commas and colons, with repair", spaced, 500, { repair: true }, 1.65],
    ["in a short number", numbers, 500, {}, 1.3],
    ["in a short number before a bracket", rows, 500, {}, 1.3],
    ["in a short number, with repair", numbers, 500, { repair: true }, 1.3],
    ["in a document in one chunk", records, 100_000, {}, 1.05],
    ["once more when it is copied, in a string", strings, 500, {}, 1.95],
  ])("%s", (_, text, size, options, most) => {
    const parser = parserOf(options);
    let looks = 0;
    for (const chunk of [...fixedSizes(text, [size])].flat()) {
      const counting = new CountingText(chunk);
      parser.write(counting as unknown as string);
      looks += counting.looks;
    }
    parser.end();
    expect(parser.value).toEqual(JSON.parse(text));
    expect(looks / text.length).toBeLessThan(most);
  });
});
