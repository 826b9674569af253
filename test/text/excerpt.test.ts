import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cut, quoted } from "#src/text/cut.js";
import { excerpt, messageOf } from "#src/text/excerpt.js";
import { runs } from "../json/support/runs.js";

const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

describe("a cut text", () => {
  test("is a beginning of the text, and never half a surrogate pair", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), fc.nat(25), (text, length) => {
        const short = cut(text, length);
        if (text.length <= length) expect(short).toBe(text);
        else {
          expect(short.endsWith("…")).toBe(true);
          expect(text.startsWith(short.slice(0, -1))).toBe(true);
          expect(short.length).toBeLessThanOrEqual(length + 1);
          if (!lone.test(text)) expect(short).not.toMatch(lone);
        }
      }),
      { numRuns: runs },
    );
  });
});

describe("an excerpt", () => {
  test("is one line of a text", () => {
    expect(excerpt(" a\r\n\u001b[31m\tb ")).toBe("a [31m b");
  });

  test("is the JSON of any other value", () => {
    expect(excerpt({ a: [1, "x"] })).toBe('{"a":[1,"x"]}');
    expect(excerpt(null)).toBe("null");
    expect(excerpt(undefined)).toBe("undefined");
  });

  test("is short, however long, deep or hostile the value is", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const deep: unknown = JSON.parse("[".repeat(50_000) + "]".repeat(50_000));
    const cycle: unknown[] = [];
    cycle.push(cycle);
    for (const value of [
      "x".repeat(1e6),
      deep,
      cycle,
      proxy,
      { a: "y".repeat(1e6) },
      Symbol("s"),
      1n,
      () => 1,
    ]) {
      const text = excerpt(value);
      expect(text.length).toBeGreaterThan(0);
      expect(text.length).toBeLessThanOrEqual(301);
    }
    expect(excerpt(deep)).toMatch(/…$/);
    expect(excerpt(cycle)).toBe("[…");
  });
});

test("a quoted text shows where it was cut", () => {
  expect(quoted('a"b')).toBe('"a\\"b"');
  expect(quoted("abcdef", 3)).toBe('"abc"…');
});

describe("the message of", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const hostile = new Error("x");
  Object.defineProperty(hostile, "message", {
    get() {
      throw new Error("no");
    },
  });
  test.each([
    ["an error", new TypeError("bad"), "bad"],
    ["a string", "bad", "bad"],
    ["an object", { bad: true }, '{"bad":true}'],
    ["nothing", undefined, "undefined"],
  ])("%s", (_name, thrown, message) => {
    expect(messageOf(thrown)).toBe(message);
  });

  test.each([
    ["a revoked proxy", proxy],
    ["an error whose message cannot be read", hostile],
    ["an object without a prototype", Object.create(null)],
  ])("%s is some text", (_name, thrown) => {
    expect(messageOf(thrown)).toMatch(/./);
  });
});
