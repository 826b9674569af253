import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Redactor } from "#src/text/redactor.js";
import { runs } from "../json/support/runs.js";
import { encodings, shownPart } from "./support/encodings.js";
import { anyCharacter } from "../support/any-character.js";

const keys = fc
  .array(
    fc.constantFrom(...Array.from("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+=~")),
    {
      minLength: 16,
      maxLength: 60,
    },
  )
  .map((characters) => characters.join(""));

const around = fc.string({ maxLength: 30 });

describe("no part of a key of eight characters is left,", () => {
  test.each(Object.entries(encodings))("written in %s, wherever the text is cut", (_name, encode) => {
    fc.assert(
      fc.property(keys, around, around, fc.nat(), fc.nat(), (key, before, after, a, b) => {
        const whole = before + encode(key) + after;
        const [from, to] = [a % (whole.length + 1), b % (whole.length + 1)].sort((x, y) => x - y) as [
          number,
          number,
        ];
        const redactor = new Redactor([key]);
        expect(shownPart(redactor.redact(whole), key)).toBeUndefined();
        expect(shownPart(redactor.redact(whole.slice(from, to)), key)).toBeUndefined();
      }),
      { numRuns: Math.ceil(runs / 50) },
    );
  });
});

describe("the text around a key", () => {
  test("stays as it is", () => {
    const redactor = new Redactor(["sk-0123456789abcdef", "token-of-the-proxy"]);
    for (const [text, clean] of [
      ["Incorrect API key: sk-0123456789abcdef.", "Incorrect API key: [key]."],
      ["sk-0123456789abcdef", "[key]"],
      ["a sk-0123456789abcdef b token-of-the-proxy c", "a [key] b [key] c"],
      ["cut: sk-0123456", "cut: [key]"],
      ["cut: sk-0123", "cut: sk-0123"],
      ['{"a":"\\u0073k-0123456789abcdef\\n"}', '{"a":"[key]\\n"}'],
      ["100 % & more \\ of this\n  kind", "100 % & more \\ of this\n  kind"],
    ] as const) {
      expect(redactor.redact(text)).toBe(clean);
    }
  });

  test("is unchanged where it has no part of a key", () => {
    fc.assert(
      fc.property(keys, fc.string({ unit: anyCharacter, maxLength: 100 }), (key, text) => {
        fc.pre(shownPart(text, key) === undefined);
        expect(new Redactor([key]).redact(text)).toBe(text);
      }),
      { numRuns: Math.ceil(runs / 20) },
    );
  });
});

test("short secrets are ignored", () => {
  const redactor = new Redactor(["", "secret", "1234567"]);
  expect(redactor.empty).toBe(true);
  expect(redactor.redact("a secret 1234567")).toBe("a secret 1234567");
});

test("a long text takes time in proportion to its length", () => {
  const redactor = new Redactor(["sk-0123456789abcdef"]);
  const text = "sk-0123456789abcdef\\u0073 %73 &#115; ".repeat(20_000);
  expect(redactor.redact(text)).not.toContain("0123456");
});
