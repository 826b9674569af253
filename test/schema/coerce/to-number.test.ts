import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { separatorsOf, toNumber } from "#src/schema/coerce/to-number.js";

const read = (text: string, locale?: string): number | undefined =>
  toNumber(text, locale === undefined ? undefined : separatorsOf(locale), false);

describe("toNumber() reads", () => {
  test.each<[string, number]>([
    ["12", 12],
    [" -3.5 ", -3.5],
    ["+7", 7],
    ["−7", -7],
    [".5", 0.5],
    ["007", 7],
    ["1e3", 1000],
    ["1.234e2", 123.4],
    ["1.5E+3", 1500],
    ["$1,234.50", 1234.5],
    ["-$5", -5],
    ["$-5", -5],
    ["US$ 5", 5],
    ["5 €", 5],
    ["USD 12", 12],
    ["12 EUR", 12],
    ["1,234", 1234],
    ["1,234,567.8", 1_234_567.8],
    ["12,34,567", 1_234_567],
    ["1.234.567", 1_234_567],
    ["1.234,56", 1234.56],
    ["１，２３４．５", 1234.5],
    ["٣٫٥", 3.5],
    ["۱۲٪", 12],
    ["1 234 567,8", 1_234_567.8],
    ["1\u202f234", 1234],
    ["1'234.5", 1234.5],
    ["1’234", 1234],
    ["1_000", 1000],
    ["3,14", 3.14],
    ["0.234", 0.234],
    ["0,234", 0.234],
    ["12111.123", 12_111.123],
    ["12%", 12],
    ["12.5 %", 12.5],
    ["1/5", 0.2],
    ["3 1/2", 3.5],
    ["½", 0.5],
    ["3½", 3.5],
    ["1⁄4", 0.25],
    ["9007199254740992", 2 ** 53],
  ])("%j as %d", (text, value) => {
    expect(read(text)).toBe(value);
  });

  test("a percentage as a ratio, if the number is at most 1", () => {
    expect(toNumber("12.5 %", undefined, true)).toBe(0.125);
    expect(toNumber("12.3%", undefined, true)).toBe(0.123);
    expect(toNumber("3e22%", undefined, true)).toBe(3e20);
    expect(toNumber("0.5", undefined, true)).toBe(0.5);
  });

  test.each<[text: string, locale: string, value: number]>([
    ["1.234", "en", 1.234],
    ["1.234", "de", 1234],
    ["1,234", "en", 1234],
    ["1,234", "de", 1.234],
    ["1,234", "fr", 1.234],
    ["3,14", "en", 3.14],
    ["1,234.5", "de", 1234.5],
    ["1'234", "de-CH", 1234],
  ])("%j in the locale %s as %d", (text, locale, value) => {
    expect(read(text, locale)).toBe(value);
  });

  test("every number as JavaScript and as English write it", () => {
    const english = new Intl.NumberFormat("en", { maximumFractionDigits: 20 });
    fc.assert(
      fc.property(
        fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true })),
        (value) => {
          const written = String(value);
          // Of more than 15 digits not all are certain.
          fc.pre(written.replace(/e.*|\D/g, "").replace(/^0+/, "").length <= 15);
          expect(read(written, "en")).toBe(value === 0 ? 0 : value);
          if (Math.abs(value) < 1e15 && Math.abs(value) > 1e-6)
            expect(read(english.format(value), "en")).toBe(value);
        },
      ),
    );
  });
});

describe("toNumber() does not read", () => {
  test.each([
    ["nothing", ""],
    ["a word", "abc"],
    ["a unit", "12 kg"],
    ["an unknown currency", "12 ABC"],
    ["soms or kilograms", "12 KGS"],
    ["pesos or cups", "2 CUP"],
    ["leks or all", "ALL 5"],
    ["pa'anga or the first", "TOP 10"],
    ["two signs", "--5"],
    ["two currencies", "$5 €"],
    ["what can be 1.234 or 1234", "1.234"],
    ["the same as a price", "$1.234"],
    ["the same as a percentage", "1.234%"],
    ["the same with a sign", "-1.234"],
    ["groups of the wrong size", "1,23,4"],
    ["groups after four digits", "1234,567,890"],
    ["an apostrophe after a point", "1.234'567"],
    ["a list of digits", "1,2,3"],
    ["two numbers", "1 2"],
    ["a range", "1-2"],
    ["a decimal point without digits", "5."],
    ["an integer that would be rounded", "12345678901234567890"],
    ["a fraction that would be rounded", "0.1234567890123456789"],
    ["a division by zero", "1/0"],
    ["hexadecimal digits", "0x10"],
    ["infinity", "Infinity"],
    ["a superscript", "10²"],
    ["a digit after a fraction", "½5"],
    ["four letters before a currency", "AUST$5"],
    ["a text that is too long", "1".repeat(1_000)],
  ])("%s: %j", (_, text) => {
    expect(read(text)).toBeUndefined();
  });

  test("what is ambiguous, in a locale that is not known", () => {
    expect(read("1.234", "xx")).toBeUndefined();
    expect(read("1,234", "xx")).toBe(1234);
  });

  test("3,14 as 314, in any locale", () => {
    for (const locale of [undefined, "en", "de", "fr", "hi", "de-CH"])
      expect(read("3,14", locale)).toBe(3.14);
  });
});
