import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { appendText, GrowingText } from "#src/text/growing-text.js";
import { settledHeap } from "../stream/support/garbage.js";

describe.each<readonly [name: string, join: (pieces: Iterable<string>) => string]>([
  ["appendText()", (pieces) => joined(pieces, appendText)],
  ["GrowingText", (pieces) => growing(pieces).value],
])("%s", (_, join) => {
  test("equals its joined pieces", () => {
    const piece = fc.oneof(fc.string({ maxLength: 400 }), fc.string({ minLength: 1_000, maxLength: 5_000 }));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(join(pieces)).toBe(pieces.join(""));
      }),
    );
  });

  test("uses a few bytes per character, and releases its pieces", async () => {
    expect(await bytesACharacter((pieces) => joined(pieces, (a, b) => a + b))).toBeGreaterThan(10); // its purpose
    expect(await bytesACharacter(join)).toBeLessThan(6);
  });
});

test("a text that was read does not change when more is added", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 1_000 }), { maxLength: 20 }), (pieces) => {
      const text = new GrowingText();
      const read = pieces.map((piece) => {
        text.add(piece);
        return text.value;
      });
      expect(read).toEqual(pieces.map((_, i) => pieces.slice(0, i + 1).join("")));
    }),
  );
});

function joined(pieces: Iterable<string>, join: (text: string, piece: string) => string): string {
  let text = "";
  for (const piece of pieces) text = join(text, piece);
  return text;
}

function growing(pieces: Iterable<string>): GrowingText {
  const text = new GrowingText();
  for (const piece of pieces) text.add(piece);
  return text;
}

async function bytesACharacter(join: (pieces: Iterable<string>) => string): Promise<number> {
  const count = 2 ** 18;
  function* pieces(): Generator<string> {
    for (let i = 0; i < count; i++) yield Buffer.from(String(i % 10_000).padStart(4, "0")).toString("latin1");
  }
  const before = await settledHeap();
  const text = join(pieces());
  const bytes = (await settledHeap()) - before;
  expect(text.length).toBe(count * 4);
  return bytes / text.length;
}
