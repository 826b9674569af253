import { describe, expect, test } from "vitest";
import { parserOf } from "../../support/parser-of.js";

/** Objects like those of a model: one of them has a unique key. */
function objectOf(keys: number): string {
  const names = Array.from({ length: keys }, (_, i) => (i === 3 ? "__proto__" : `key ${i}`));
  return `{${names.map((name, i) => `"${name}":{"n":${i}}`).join(",")}}`;
}

describe("a snapshot of an open object", () => {
  test.each([0, 1, 4, 16, 24, 25, 26, 200])(
    "of %i keys has all of them with their values at that moment",
    (keys) => {
      const text = objectOf(keys);
      const parser = parserOf();
      const shown: { readonly snapshot: unknown; readonly text: string }[] = [];
      for (const piece of text.slice(0, -1).split(/(?<=\})/)) {
        parser.write(piece);
        const snapshot = parser.snapshot();
        shown.push({ snapshot, text: JSON.stringify(snapshot) });
        expect(Object.getPrototypeOf(snapshot)).toBe(Object.prototype);
      }
      expect(shown.at(-1)?.text).toBe(text);
      for (const { snapshot, text: before } of shown) expect(JSON.stringify(snapshot)).toBe(before);
    },
  );

  test("has no members of Object.prototype", () => {
    const parser = parserOf();
    parser.write(objectOf(30).slice(0, -1));
    Object.defineProperty(Object.prototype, "polluted", { value: 1, enumerable: true, configurable: true });
    const keys = Object.keys(parser.snapshot() as object);
    Reflect.deleteProperty(Object.prototype, "polluted");
    expect(keys).toHaveLength(30);
  });
});
