import { describe, expect, it } from "vitest";
import { clip, widthOf, wrapText } from "#src/cli/terminal/text-layout.js";

describe("wrapText", () => {
  const cases: [name: string, text: string, first: number, width: number, lines: string[]][] = [
    ["returns a short text unchanged", "one two", 10, 10, ["one two"]],
    ["breaks between words and removes the space", "one two three", 7, 7, ["one two", "three"]],
    ["leaves less room in the first line", "one two three", 3, 9, ["one", "two three"]],
    ["leaves the first line empty if no word fits", "three two", 4, 9, ["", "three two"]],
    ["breaks inside a word that is longer than a line", "abcdefgh", 3, 3, ["abc", "def", "gh"]],
    ["keeps line breaks of the text", "a\n\nb", 5, 5, ["a", "", "b"]],
    ["keeps spaces inside a line", "a   b", 9, 9, ["a   b"]],
    ["returns one line for an empty text", "", 5, 5, [""]],
    ["counts wide characters as two columns", "日本語", 4, 4, ["日本", "語"]],
    ["never splits a grapheme", "👩‍👩‍👧‍👧👩‍👩‍👧‍👧", 2, 2, ["👩‍👩‍👧‍👧", "👩‍👩‍👧‍👧"]],
  ];
  it.each(cases)("%s", (_name, text, first, width, lines) => {
    expect(wrapText(text, first, width)).toEqual(lines);
  });

  it("never returns a line wider than the limit", () => {
    const text = "Sauté the 日本 onions in butter; antidisestablishmentarianism 👍 follows\nthen the rest.";
    for (let width = 2; width < 40; width++) {
      for (let first = 0; first <= width; first++) {
        const [head = "", ...rest] = wrapText(text, first, width);
        expect(widthOf(head)).toBeLessThanOrEqual(first);
        for (const line of rest) expect(widthOf(line)).toBeLessThanOrEqual(width);
      }
    }
  });

  it("keeps all words", () => {
    const text = "one two three four five six seven";
    for (let width = 2; width < 40; width++) {
      expect(wrapText(text, width, width).join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
    }
  });
});

describe("clip", () => {
  it("cuts at the width and appends an ellipsis", () => {
    expect(clip("abcdef", 6)).toBe("abcdef");
    expect(clip("abcdef", 5)).toBe("abcd…");
    expect(clip("日本語", 4)).toBe("日…");
    expect(clip("a".repeat(100_000), 3)).toBe("aa…");
    expect(clip(`a${"\u0301".repeat(100_000)}`, 3).endsWith("…")).toBe(true);
  });
});
