import fc from "fast-check";

const surrogates = 0xe000 - 0xd800;

/**
 * Any character, as `unit: "binary"` of fast-check gives it for the same seed. That builds a table of a million
 * characters first, which takes a second.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: 0x10ffff - surrogates }).map(
  (index) => String.fromCodePoint(index < 0xd800 ? index : index + surrogates),
  (value) => {
    const code = typeof value === "string" ? (value.codePointAt(0) ?? 0) : -1;
    if (code < 0 || String.fromCodePoint(code) !== value) throw new Error("Not one character.");
    return code < 0xd800 ? code : code - surrogates;
  },
);
