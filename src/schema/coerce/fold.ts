import { lazyPattern } from "../../text/lazy-pattern.js";

/**
 * The text without differences of case, of width and of accents. `10²` stays different from `102`. In upper case, because
 * the lower case of a sigma depends on the letter after it, and because `ß` has `SS`.
 */
export function foldCase(text: string): string {
  const apart = text.trim().replace(beforeNumeral(), "^");
  return apart.normalize("NFKD").replace(mark(), "").toUpperCase();
}

/**
 * The text also without space and punctuation: `first_name`, `firstName` and `First name` are equal. What may belong to
 * a number or change the meaning stays: `-5` is not `5`, `1.5` not `15`, `!active` not `active`, and `C#` not `C`.
 */
export function foldWords(text: string): string {
  return foldCase(text).replace(between(), (run: string, at: number, whole: string) => {
    const before = whole.charAt(at - 1);
    const after = whole.charAt(at + run.length);
    const isInNumber = digit().test(after) && !letter().test(before);
    return isInNumber || (before === "" && run.includes("!")) ? run : "";
  });
}

/** The place between a digit and a superscript, a fraction or another numeral that is read as digits. */
const beforeNumeral = lazyPattern(String.raw`(?<=\p{N})(?=\p{No})`, "gu");
const mark = lazyPattern(String.raw`\p{M}`, "gu");
const digit = lazyPattern(String.raw`\p{N}`);
const letter = lazyPattern(String.raw`\p{L}`);
const between = lazyPattern(
  String.raw`[\p{Z}\s_\p{Pd}.,;:'"\x60\u2019\u2018\u201c\u201d*()[\]{}/\\!?\u2026]+`,
  "gu",
);
