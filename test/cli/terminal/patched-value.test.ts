import { applyPatch, type Operation } from "fast-json-patch";
import type { JsonValue } from "millrace";
import { describe, expect, it } from "vitest";
import { PatchedValue } from "#src/cli/terminal/patched-value.js";
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

describe("PatchedValue", () => {
  it.each(texts)("equals the value of the parser after every chunk of %s", (text) => {
    for (const append of [false, true]) {
      for (let size = 1; size <= text.length; size++) {
        const parser = parserOf({ append });
        const patched = new PatchedValue();
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
    const patched = new PatchedValue();
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
    const patched = new PatchedValue();
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

  it("reports whether the last value is a growing string", () => {
    const progress = (value: JsonValue): string => {
      const patched = new PatchedValue();
      patched.apply([{ op: "replace", path: "", value }]);
      return patched.progress;
    };
    expect(new PatchedValue().progress).toBe("open");
    expect(progress("te")).toBe("growing");
    expect(progress({ a: 1, b: [{ c: "te" }] })).toBe("growing");
    expect(progress({ a: "text", b: 1 })).toBe("open");
    expect(progress({ a: "text", b: {} })).toBe("open");
    const patched = new PatchedValue();
    patched.apply([{ op: "replace", path: "", value: { a: "te" } }]);
    patched.apply([{ op: "append", path: "/a", value: "xt" }]);
    expect(patched.progress).toBe("growing");
    patched.apply([{ op: "add", path: "/b", value: 1 }]);
    expect(patched.progress).toBe("open");
  });
});
