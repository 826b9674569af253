import { describe, expect, test } from "vitest";
import { blocks, cuts, decoded, decoderOf, tokens } from "../../bench/chunks.js";
import { inputs } from "../../bench/inputs.js";

describe("the chunks of the benchmarks", () => {
  const mixed = 'caf\u00e9 \u2192 "\ud83e\udd86" \u5e78\u5b50 plain'.repeat(50);

  for (const [name, text] of Object.entries({ mixed, contacts: inputs.contacts(8192) })) {
    test(`join to the text of ${name}, whatever its characters and however it is cut`, () => {
      for (const cut of Object.values(cuts)) expect(cut(text).join("")).toBe(text);
      expect(blocks(text, 7).join("")).toBe(text);
      expect(decoded(text)).toBe(text);
    });
  }

  test("have 1 to 8 characters, each size about as often, or all the same", () => {
    const counts = new Map<number, number>();
    for (const { length } of tokens(inputs.contacts(128 * 1024)).slice(0, -1)) {
      counts.set(length, (counts.get(length) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(Math.max(...counts.values()) / Math.min(...counts.values())).toBeLessThan(1.2);

    const text = inputs.contacts(8192);
    const sizes = (cut: keyof typeof cuts): number[] => [
      ...new Set(
        cuts[cut](text)
          .slice(0, -1)
          .map(({ length }) => length),
      ),
    ];
    expect([sizes("4"), sizes("64"), sizes("1 KB")]).toEqual([[4], [64], [1024]]);
    expect(cuts.whole(text)).toHaveLength(1);
  });

  test("are the same for the same seed", () => {
    expect(tokens(mixed, 9)).toEqual(tokens(mixed, 9));
    expect(tokens(mixed, 9)).not.toEqual(tokens(mixed, 10));
  });

  test("may be cut inside a surrogate pair, as a model's are", () => {
    const pieceOf = decoderOf("a\ud83e\udd86b");
    expect([pieceOf(0, 2), pieceOf(2, 9)]).toEqual(["a\ud83e", "\udd86b"]);
  });
});
