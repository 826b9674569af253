import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { grown } from "#src/messages/grown.js";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

test("a text that grows is the pieces, one behind the other", () => {
  const piece = fc.string({ maxLength: 400 });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      expect(pieces.reduce(grown, "")).toBe(pieces.join(""));
    }),
  );
});

test("it takes a few bytes a character, and not the chain of its pieces", () => {
  const size = 2 ** 20;
  const pieceOf = (i: number): string => Buffer.from(String(i).padStart(4, "0").slice(-4)).toString("latin1");
  const bytesOf = (make: () => string): number => {
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const text = make();
    collectGarbage();
    const bytes = process.memoryUsage().heapUsed - before;
    expect(text.length).toBe(size);
    return bytes / size;
  };
  const grow = (join: (text: string, piece: string) => string) => (): string => {
    let text = "";
    for (let i = 0; text.length < size; i++) text = join(text, pieceOf(i));
    return text;
  };
  expect(bytesOf(grow((text, piece) => text + piece))).toBeGreaterThan(10); // what it is for
  expect(bytesOf(grow(grown))).toBeLessThan(6);
});
