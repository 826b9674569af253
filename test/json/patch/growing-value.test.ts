import { applyPatch, type Operation } from "fast-json-patch";
import type { JsonValue } from "millrace";
import { describe, expect, it } from "vitest";
import { GrowingValue } from "#src/json/patch/growing-value.js";
import { parserOf } from "../../support/parser-of.js";

const texts = [
  '{"a": "one two", "b": [1, {"c": "three"}, []], "d": {}, "e": null, "f~/": true}',
  '["x", ["yy", ["zzz"]]]',
  '"a string \\ud83d\\ude00 at the root"',
  '{"a": "first", "b": 1, "a": ["second"]}',
  '{"__proto__": {"polluted": "yes"}, "constructor": "text"}',
  "12",
  "null",
];

describe("GrowingValue", () => {
  it.each(texts)("equals the value of the parser after every chunk of %s", (text) => {
    for (const append of [false, true]) {
      for (let size = 1; size <= text.length; size++) {
        const parser = parserOf({ append });
        const patched = new GrowingValue();
        const follow = (): void => {
          patched.apply(parser.takePatch());
          expect(patched.value).toEqual(parser.snapshot());
        };
        for (let i = 0; i < text.length; i += size) {
          parser.write(text.slice(i, i + size));
          follow();
        }
        parser.end();
        follow();
        expect(JSON.stringify(patched.value)).toBe(JSON.stringify(JSON.parse(text)));
      }
    }
  });

  it("agrees with fast-json-patch on RFC 6902", () => {
    const text = texts[0] as string;
    const parser = parserOf();
    const patched = new GrowingValue();
    let document: unknown = null;
    for (const character of text) {
      parser.write(character);
      const patch = parser.takePatch();
      patched.apply(patch);
      if (patch.length > 0)
        document = applyPatch(document, structuredClone(patch) as Operation[]).newDocument;
      expect(patched.value ?? null).toEqual(document);
    }
  });

  it("does not mutate its patches", () => {
    const parser = parserOf({ append: true });
    const patched = new GrowingValue();
    const patches = [];
    const before = [];
    for (const chunk of ['{"a": {"b": "x', 'y", "c": [', '1, "z', 'z"]}}']) {
      parser.write(chunk);
      const patch = parser.takePatch();
      patches.push(patch);
      before.push(JSON.stringify(patch));
      patched.apply(patch);
    }
    expect(patches.map((patch) => JSON.stringify(patch))).toEqual(before);
  });

  it("expands the appends of the patches that it applies", () => {
    const appended = new GrowingValue();
    const expanded = new GrowingValue();
    const parser = parserOf({ append: true });
    for (const character of texts[0] as string) {
      parser.write(character);
      const patch = appended.expand(parser.takePatch());
      expect(patch.map(({ op }) => op)).not.toContain("append");
      expanded.apply(patch);
      expect(appended.value).toEqual(expanded.value);
    }
    expect(appended.value).toEqual(JSON.parse(texts[0] as string));
  });

  it("does not mutate what was shared or shown", () => {
    const value = new GrowingValue();
    value.apply([{ op: "replace", path: "", value: { a: { list: [1] }, b: {} } }]);
    value.apply([{ op: "add", path: "/a/list/1", value: 2 }]);
    const { a } = value.value as { a: JsonValue };
    value.share(a);
    value.apply([{ op: "add", path: "/a/list/2", value: 3 }]);
    const shown = value.snapshot();
    value.apply([{ op: "add", path: "/b/c", value: 4 }]);
    expect([a, shown, value.value]).toEqual([
      { list: [1, 2] },
      { a: { list: [1, 2, 3] }, b: {} },
      { a: { list: [1, 2, 3] }, b: { c: 4 } },
    ]);
  });
});
