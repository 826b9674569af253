import { Allow } from "millrace/json";
import { describe, expect, test } from "vitest";
import { thrownBy } from "../../json/support/thrown-by.js";
import { parserOf } from "../../support/parser-of.js";

// G-json-9
describe("hostile input ends with its error code", () => {
  test("a million brackets in a chunk, at maxDepth", () => {
    const chunk = "[".repeat(1_000_000);
    const parser = parserOf();
    const error = thrownBy(() => parser.write(chunk));
    expect([error.code, error.offset, error.column]).toEqual(["max_depth", 1_000, 1_001]);
    expect(error.excerpt.text.length).toBeLessThan(200);
    for (let i = 0; i < 50; i++) expect(thrownBy(() => parser.write(chunk))).toBe(error);
    expect(parser.takePatch().length).toBe(1);
  });

  test('a million of {"a": at maxDepth, one character at a time', () => {
    const parser = parserOf();
    const error = thrownBy(() => {
      for (;;) for (const character of '{"a":') parser.write(character);
    });
    expect([error.code, error.offset, error.pointer]).toEqual(["max_depth", 5_000, "/a".repeat(1_000)]);
  });

  test.each([
    ["a string", '"', "x".repeat(1_000)],
    ["a key", '{"', "x".repeat(1_000)],
    ["a number", "-", "1".repeat(1_000)],
    ["white space", "[", " \n".repeat(500)],
    ["escapes", '"', "\\u0041".repeat(170)],
    ["elements", "[0", ",0".repeat(500)],
  ])("%s without an end, at maxLength", (_, start, chunk) => {
    const maxLength = 1_000_000;
    for (const allow of [Allow.STR | Allow.COLLECTION, Allow.ALL]) {
      const parser = parserOf({ maxLength, allow, append: true });
      parser.write(start);
      const error = thrownBy(() => {
        for (;;) {
          parser.write(chunk);
          parser.takePatch();
        }
      });
      expect([error.code, error.offset]).toEqual(["max_length", maxLength]);
      expect(error.message.length + error.excerpt.text.length).toBeLessThan(300);
    }
  });

  test("the default maxLength is 67,108,864 characters", () => {
    const parser = parserOf();
    const mebibyte = "x".repeat(1024 * 1024);
    parser.write(`"${mebibyte.slice(1)}`);
    for (let i = 1; i < 64; i++) parser.write(mebibyte);
    const error = thrownBy(() => parser.write("x"));
    expect([error.code, error.offset]).toEqual(["max_length", 64 * 1024 * 1024]);
  });

  test.each([
    ["one per chunk, by default", 1, 100_000, {}],
    ["one per chunk", 1, 5_000, { maxKeys: 5_000 }],
    ["in long chunks", 1_000, 5_000, { maxKeys: 5_000 }],
    ["in one chunk", 200_000, 5_000, { maxKeys: 5_000 }],
  ])("too many keys, at maxKeys, %s", (_, size, maxKeys, bound) => {
    const members = Array.from({ length: 2 * maxKeys }, (_, i) => `"${i.toString(36)}":[${i}],`);
    for (const options of [bound, { ...bound, repair: true }]) {
      const parser = parserOf(options);
      parser.write('{"');
      parser.write('in":{');
      const error = thrownBy(() => {
        for (let i = 0; i < members.length; i += size) parser.write(members.slice(i, i + size).join(""));
      });
      const read = members.slice(0, maxKeys).join("").length;
      expect([error.code, error.offset, error.pointer]).toEqual(["max_keys", 7 + read, "/in"]);
      expect(Object.keys((error.value as { in: object }).in).length).toBe(maxKeys);
    }
  });

  // G-parsers-11
  test("a text of exactly maxLength, maxDepth or maxKeys is accepted", () => {
    for (const text of ["[[[]]]", '[{"a":1,"b":{"c":1,"d":2}}]', `[{"a":[${"1,".repeat(500)}1],"b":2}]`]) {
      const parser = parserOf({ maxLength: text.length, maxDepth: 3, maxKeys: 2 });
      parser.write(text);
      parser.end();
      expect(parser.complete).toBe(true);
    }
  });
});
