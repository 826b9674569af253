import { describe, expect, test } from "vitest";
import { isBlank, isKeyCharacter, isWordCharacter } from "#src/text/around/characters.js";

const all = (one: (character: number) => boolean, text: string): boolean[] =>
  Array.from(text, (character) => one(character.charCodeAt(0)));

describe("the classes of characters, at their boundaries", () => {
  test.each<[string, (character: number) => boolean, string, string]>([
    [
      "blank",
      isBlank,
      "\u0000\t\n \u0085\u00a0\u1680\u180e\u2000\u200f\u2028\u202f\u205f\u2069\u061c\u3000\ufeff",
      "!~\u007f\u0084\u0086\u009f\u00a1\u1fff\u2010\u2027\u2030\u205e\u206a\u061d\u2fff\u3001\ufefe\uffff",
    ],
    ["in a word", isWordCharacter, "azAZ09_$", "`{@[/:^%# -é"],
    [
      "in an unquoted key",
      isKeyCharacter,
      "azAZ09_$-\u00aaéж\u1fff\u2070\u2fff\u3040中\uff21",
      " ,.:/\u007f\u0080\u00a0\u00a9\u2000\u2010\u2026\u202f\u206f\u3000\u3001\u303f\ufeff，；：＝،؛",
    ],
  ])("%s", (_name, isOne, those, others) => {
    expect(all(isOne, those)).toEqual(Array.from(those, () => true));
    expect(all(isOne, others)).toEqual(Array.from(others, () => false));
  });
});
