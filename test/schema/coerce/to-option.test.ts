import { describe, expect, test } from "vitest";
import type { Scalar } from "#src/schema/guard/problems.js";
import { toOption } from "#src/schema/coerce/to-option.js";

describe("toOption() finds an option", () => {
  test.each<[difference: string, text: string, options: Scalar[], option: Scalar]>([
    ["case", "RED", ["red", "blue"], "red"],
    ["space", "  red\n", ["red", "blue"], "red"],
    ["capitals of two letters", "GROSSE STRASSE", ["Große Straße", "Weg"], "Große Straße"],
    ["the two forms of a letter", "ΟΔΟΣ", ["οδός", "πλατεία"], "οδός"],
    ["small digits", "H₂O and CO²", ["h2o and co2", "air"], "h2o and co2"],
    ["separators", "In progress", ["in_progress", "done"], "in_progress"],
    ["camel case", "inProgress", ["in-progress", "done"], "in-progress"],
    ["accents", "creme brulee", ["Crème brûlée", "Flan"], "Crème brûlée"],
    ["punctuation", '"Red".', ["red", "blue"], "red"],
    ["markdown", "**red**", ["red", "blue"], "red"],
    ["only case, where signs matter", "c++", ["C", "C++", "C#"], "C++"],
    ["an explanation", "High: it must be fixed today", ["low", "high"], "high"],
    ["an explanation in brackets", "high (urgent)", ["low", "high"], "high"],
    ["an explanation after a dash", "high - urgent", ["low", "high"], "high"],
    [
      "the longest of several beginnings",
      "New York, NY (east)",
      ["New York", "New York, NY"],
      "New York, NY",
    ],
    ["the longer of two options", "dark red!", ["red", "dark red"], "dark red"],
    ["an option that is listed twice", "RED", ["red", "red"], "red"],
    ["a type that is not text", "1", [1, 2], 1],
    ["a literal", "True", [true, false], true],
    ["a null", "null", [null, "x"], null],
  ])("despite %s", (_, text, options, option) => {
    expect(toOption(text, options)).toBe(option);
  });
});

describe("toOption() finds none", () => {
  test.each<[reason: string, text: string, options: Scalar[]]>([
    ["nothing is written", "", ["red"]],
    ["no option is named", "green", ["red", "blue"]],
    ["two options differ only in case", "red", ["Red", "RED"]],
    ["two options differ only in punctuation", "a b", ["a-b", "a_b"]],
    ["the explanation names another", "one - is the answer, not two", ["one", "two"]],
    ["the text is a negation", "not red", ["red", "blue"]],
    ["a sign negates it", "!active", ["active"]],
    ["a prefix negates it", "non-smoker", ["smoker"]],
    ["it is part of a word", "redder", ["red"]],
    ["it is followed by words", "red and so on", ["red"]],
    ["a number has another sign", "-5", ["5"]],
    ["a number has an exponent", "10²", ["102"]],
    ["a number has a fraction", "1½", ["112"]],
    ["a number has a decimal point", "1.5", ["15"]],
    ["a sign matters", "C#", ["C"]],
  ])("if %s", (_, text, options) => {
    expect(toOption(text, options)).toBeUndefined();
  });

  test("in a long text, at a cost of one pass", () => {
    expect(toOption(`${"red ".repeat(100_000)}: x`, ["red", "blue"])).toBeUndefined();
  });
});
