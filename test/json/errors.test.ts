import { MillraceError, type JsonValue } from "millrace";
import { type JsonParseError, formatJsonError } from "millrace/json";
import { everyWay } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { deepFreeze } from "./support/deep-freeze.js";
import { mistakes } from "./support/mistakes.js";
import { expectSame } from "./support/same-json.js";
import { thrownBy } from "./support/thrown-by.js";
import { type InWords, parserOf } from "../support/parser-of.js";

describe("JsonParseError", () => {
  // Every code, and every state in which a character can be invalid.
  test.each(mistakes)("$code of $text, the same for any split", (mistake) => {
    const whole = errorOf([mistake.text], mistake.options);
    const [offset, line, column] = mistake.at;
    const { text, options, code, pointer, expected, found, known } = mistake;
    expect(detailsOf(whole)).toEqual({
      code,
      offset,
      line,
      column,
      pointer,
      expected,
      found,
      message: whole.message,
    });
    expectSame(whole.value, known);
    for (const chunks of everyWay(text)) {
      const error = errorOf(chunks, options);
      expect(detailsOf(error), JSON.stringify(chunks)).toEqual(detailsOf(whole));
      expectSame(error.value, known, JSON.stringify(chunks));
    }
  });

  test.each<[string, InWords, string, RegExp]>([
    ["[1,]", {}, "a value", /"\]".* \/1 \(line 1, column 4\)\.$/],
    ['{"a": 1} x', {}, "nothing after the document", /"x" \(line 1, column 10\)\.$/],
    ['{\n"s": "a\tb"}', {}, "an escape", /U\+0009.* \/s \(line 2, column 8\)\.$/],
    ['["\u000b"]', {}, "an escape", /U\+000B.* \/0 \(line 1, column 3\)\.$/],
    ['["a', {}, "the end of the string", / \/0 \(line 1, column 4\)\.$/],
    ["", {}, "a value", /value.*\(line 1, column 1\)\.$/],
    ["No, sorry.", { extract: "auto" }, "a value", /document.*\(line 1, column 11\)\.$/],
    ["[[", { maxDepth: 1 }, "a scalar or the end", /maxDepth.*1.*\(line 1, column 2\)\.$/],
    ['{"a":1,"b":2}', { maxKeys: 1 }, "the end of the object", /maxKeys.*1.*\(line 1, column 8\)\.$/],
    ["[] ", { maxLength: 2 }, "the end of the text", /maxLength.*2.*\(line 1, column 3\)\.$/],
  ])("of %j has what was expected, what was found, and the position", (text, options, expected, message) => {
    const error = errorOf([text], options);
    expect(error.expected).toBe(expected);
    expect(error.message).toMatch(message);
  });

  test("has the pointer in its message, shortened if it is long", () => {
    const way = `/${"k".repeat(99)}`;
    const messageAt = (key: string): string => errorOf([`{"${key}":?`]).message;
    expect(messageAt(way.slice(1))).toContain(` ${way} (line 1, column 104)`);
    expect(messageAt(`${way.slice(1)}k`)).toContain(` ${way}… (line 1, column 105)`);
  });

  test("is a MillraceError with its own name", () => {
    const error = errorOf(["?"]);
    expect(error).toBeInstanceOf(MillraceError);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("JsonParseError");
    expect(String(error)).toBe(`JsonParseError: ${error.message}`);
  });

  test("reports a split surrogate pair by its first half", () => {
    expect(errorOf(["[😀"]).found).toBe("😀");
    const halves = errorOf(["[\ud83d", "\ude00"]);
    expect([halves.found, halves.offset]).toEqual(["\ud83d", 1]);
    expect(errorOf(["[", "😀"]).found).toBe("😀");
  });

  test("keeps the value so far, which does not change later", () => {
    const parser = parserOf();
    parser.write('{"a": ["x"');
    const before = parser.snapshot();
    const error = thrownBy(() => parser.write(', "y" ?'));
    expectSame(error.value, { a: ["x", "y"] });
    expect(parser.snapshot()).toBe(error.value);
    expect(parser.value).toEqual(error.value);
    expectSame(before, { a: ["x"] });
    deepFreeze(error.value);
    expect(parser.takePatch()).toEqual([{ op: "replace", path: "", value: { a: ["x", "y"] } }]);
    expect(parser.takePatch()).toEqual([]);
  });

  test("is thrown again, the same object, by every further write() and end()", () => {
    const parser = parserOf();
    const error = thrownBy(() => parser.write("[?"));
    expect(thrownBy(() => parser.write("]"))).toBe(error);
    expect(thrownBy(() => parser.write(""))).toBe(error);
    expect(thrownBy(() => parser.end())).toBe(error);
    expect(parser.complete).toBe(false);
    expect(parser.snapshot()).toEqual([]);
  });

  test("of end() is thrown again too", () => {
    const parser = parserOf();
    parser.write("[1");
    const error = thrownBy(() => parser.end());
    expect(error.code).toBe("unexpected_end");
    expect(thrownBy(() => parser.end())).toBe(error);
    expect(thrownBy(() => parser.write("]"))).toBe(error);
  });

  test("is thrown by write() after end(), and the value stays", () => {
    const parser = parserOf();
    parser.write("[1]\n");
    parser.end();
    const error = thrownBy(() => parser.write(" "));
    expect(detailsOf(error)).toEqual({
      code: "write_after_end",
      offset: 4,
      line: 2,
      column: 1,
      pointer: "",
      expected: "nothing after end()",
      found: " ",
      message: expect.stringMatching(/end\(\) \(line 2, column 1\)/) as string,
    });
    expectSame(error.value, [1]);
    expect(parser.complete).toBe(true);
  });
});

describe('onTruncated: "keep"', () => {
  test.each<[string, JsonValue | undefined]>([
    ["", undefined],
    ["  ", undefined],
    ["tru", undefined],
    ["1.", undefined],
    ['{"a": [1, "x\\', { a: [1, "x"] }],
    ['{"a": {"key', { a: {} }],
    ['"a\ud83d', "a"],
  ])("keeps the known value of %j, incomplete", (text, value) => {
    for (const chunks of everyWay(text)) {
      const parser = parserOf({ onTruncated: "keep" });
      for (const chunk of chunks) parser.write(chunk);
      parser.end();
      expectSame(parser.snapshot(), value);
      expectSame(parser.value, value);
      expect(parser.complete).toBe(false);
      expect(parser.isComplete("")).toBe(false);
      expect(thrownBy(() => parser.write("x")).code).toBe("write_after_end");
    }
  });

  test("accepts a complete document", () => {
    for (const text of ["12", "[1]", '"a"', "null "]) {
      const parser = parserOf({ onTruncated: "keep" });
      parser.write(text);
      parser.end();
      expectSame(parser.value, JSON.parse(text));
      expect(parser.complete).toBe(true);
    }
  });

  test("does not keep an invalid text", () => {
    const parser = parserOf({ onTruncated: "keep" });
    expect(thrownBy(() => parser.write("[1,]")).code).toBe("unexpected_character");
    expect(thrownBy(() => parser.end()).code).toBe("unexpected_character");
  });
});

describe("formatJsonError", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["the line, with a caret under the position", ['{"age": 3x}'], ['  1 | {"age": 3x}', "    |          ^"]],
    ["only the line with the error", ['{\n  "a": trx\n}'], ['  2 |   "a": trx', "    |          ^"]],
    ["a line number with two digits", [`[${"\n".repeat(11)}1 2]`], ["  12 | 1 2]", "     |   ^"]],
    ["tabs unchanged, also before the caret", ["[\n\t1,\t\t?]"], ["  2 | \t1,\t\t?]", "    | \t  \t\t^"]],
    ["the end of the text", ['["a", "b'], ['  1 | ["a", "b', "    |         ^"]],
    ["the end of the line, for a raw line feed", ['["a\nb"]'], ['  1 | ["a', "    |    ^"]],
    ["nothing for an empty text", [""], ["  1 | ", "    | ^"]],
    ["joined chunks", ['{"a', 'ge": ', "3", "x}"], ['  1 | {"age": 3x}', "    |          ^"]],
    [
      "the part of a long line near the error",
      [`["${"a".repeat(200)}" ?${"b".repeat(200)}`],
      [`  1 | …${"a".repeat(58)}" ?${"b".repeat(19)}`, `    | ${" ".repeat(61)}^`],
    ],
    [
      "the last of many chunks",
      ["[", ..."12345678901234567890".split(""), "x"],
      ["  1 | …5678901234567890x", "    |                  ^"],
    ],
  ])("shows %s", (_, chunks, lines) => {
    const error = errorOf(chunks);
    expect(formatJsonError(error).split("\n")).toEqual([error.message, ...lines]);
  });

  test("shows nothing of the prose before an extracted document", () => {
    const error = errorOf(["Here it is: ", '{"a": ?'], { extract: "auto" });
    expect(error.column).toBe(19);
    expect(formatJsonError(error).split("\n").slice(1)).toEqual(['  1 | …{"a": ?', "    |        ^"]);
  });
});

function errorOf(chunks: readonly string[], options?: InWords): JsonParseError {
  const parser = parserOf(options);
  return thrownBy(() => {
    for (const chunk of chunks) parser.write(chunk);
    parser.end();
  });
}

/** All fields except the value and the excerpt. */
function detailsOf(error: JsonParseError): object {
  const { code, offset, line, column, pointer, expected, found, message } = error;
  return { code, offset, line, column, pointer, expected, found, message };
}
