/** Long strings, which consist of several parts (stream/growing-text.ts), behave like others. */
import type { JsonValue } from "millrace";
import { applyPatch } from "millrace/json";
import { describe, expect, test } from "vitest";
import { expectSame } from "../../json/support/same-json.js";
import { type InWords, parserOf } from "../../support/parser-of.js";

const sentence = 'A "quoted" duck 🦆, a path C:\\tmp and a line\n';
const long = sentence.repeat(2_400); // over 100,000 characters: dozens of parts
const value = { before: "short", long, between: ["short"], again: long, after: 1 };
const text = JSON.stringify(value);

/** `long.startsWith(text)`, which takes over twenty times as long, as it compares one character after the other. */
function isBeginning(text: string): boolean {
  const beginning = long.slice(0, text.length);
  return beginning === text;
}

const readings: readonly (readonly [string, InWords])[] = [
  ["strict", {}],
  ["strict, append", { append: true }],
  ["with repair", { repair: true, extract: "auto" }],
  ["with repair, append", { repair: true, extract: "auto", append: true }],
];

describe.each(readings)("long strings, %s", (_name, options) => {
  test.each([211, 1_000, 32_768, 50_000])("in chunks of %i", (size) => {
    const parser = parserOf(options);
    let patched: JsonValue = null;
    let shown = 0;
    for (let at = 0; at < text.length; at += size) {
      parser.write(text.slice(at, at + size));
      patched = applyPatch(patched, parser.takePatch());
      const { long: first = "", again = "" } = patched as Partial<typeof value>;
      if (!isBeginning(first) || !isBeginning(again) || first.length + again.length < shown)
        expect.fail(`not the beginning of the strings, in the chunk at ${at}`);
      shown = first.length + again.length;
      if (at % (size * 64) === 0) expectSame(parser.snapshot(), patched);
    }
    parser.end();
    expect(patched).toEqual(value);
    expect(parser.value).toEqual(value);
    expect(parser.snapshot()).toEqual(value);
  });

  test("truncated", () => {
    const parser = parserOf({ ...options, onTruncated: "keep" });
    const cut = JSON.stringify([long]).slice(0, 90_001);
    for (let at = 0; at < cut.length; at += 1_000) parser.write(cut.slice(at, at + 1_000));
    parser.end({ truncated: true });
    const [string] = parser.value as [string];
    expect(isBeginning(string)).toBe(true);
    expect(string.length).toBeGreaterThan(80_000);
  });
});

test("a long key is one string", () => {
  const parser = parserOf();
  const keyed = JSON.stringify({ [long]: long });
  for (let at = 0; at < keyed.length; at += 1_000) parser.write(keyed.slice(at, at + 1_000));
  parser.end();
  expect(parser.value).toEqual({ [long]: long });
});

test("a long single-quoted string that contains quotes is repaired", () => {
  const inner = "it's said ".repeat(10_000);
  const kinds = new Set<string>();
  const parser = parserOf({ repair: true, onRepair: ({ kind }) => kinds.add(kind) });
  const quoted = `{'a': '${inner}', "b": "${'say "so" now '.repeat(8_000)}"}`;
  for (let at = 0; at < quoted.length; at += 999) parser.write(quoted.slice(at, at + 999));
  parser.end();
  expect(parser.value).toEqual({ a: inner, b: 'say "so" now '.repeat(8_000) });
  expect([...kinds].sort()).toEqual(["inner_quote", "quote"]);
});
