import { isDeepStrictEqual } from "node:util";
import { XmlParseError, XmlParser, type XmlParserOptions } from "millrace/xml";
import { everyWay } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { play } from "./support/play.js";

interface Mistake {
  readonly input: string;
  readonly code: string;
  /** The position, from 1. */
  readonly at: readonly [line: number, column: number];
  readonly value?: unknown;
  readonly expected?: string;
  readonly options?: XmlParserOptions;
}

const lenient: XmlParserOptions = { extract: "auto", repair: true };

const mistakes: readonly Mistake[] = [
  {
    input: "<a>\n<b>1</a>",
    code: "mismatched_tag",
    at: [2, 8],
    value: { a: [{ b: "1" }] },
    expected: "</b>",
  },
  { input: "</a>", code: "mismatched_tag", at: [1, 4] },
  { input: "<a>R&D</a>", code: "invalid_reference", at: [1, 5], value: { a: "R" } },
  { input: "<a>x&nbsp;</a>", code: "invalid_reference", at: [1, 5], value: { a: "x" } },
  { input: "<a>x&#0;</a>", code: "invalid_reference", at: [1, 8] },
  { input: "<a b='&c;'/>", code: "invalid_reference", at: [1, 7] },
  { input: "<a>x < y</a>", code: "not_well_formed", at: [1, 7], value: { a: "x " } },
  { input: "<a>1]]>2</a>", code: "not_well_formed", at: [1, 7], value: { a: "1]]" } },
  { input: "<a>1]]>2\n<b>3</b></a>", code: "not_well_formed", at: [1, 7], value: { a: "1]]" } },
  { input: "<a>1\u0000</a>", code: "not_well_formed", at: [1, 5], value: { a: "1" } },
  { input: "<a><b>1</b><c d></a>", code: "invalid_attribute", at: [1, 16], value: { a: [{ b: "1" }] } },
  { input: "<a b=1/>", code: "invalid_attribute", at: [1, 6] },
  { input: "<a b='1' b='2'/>", code: "invalid_attribute", at: [1, 16] },
  { input: "<a><!x></a>----", code: "not_well_formed", at: [1, 12] },
  { input: "<a><!valueOf></a>", code: "not_well_formed", at: [1, 12] },
  { input: "<a><!-- -- --></a>", code: "not_well_formed", at: [1, 11] },
  { input: "<a>1\ud83d</a>", code: "not_well_formed", at: [1, 5], value: { a: "1" } },
  { input: "<a><![CDATA[1\ud83d]]></a>", code: "not_well_formed", at: [1, 14], value: { a: "1" } },
  { input: "<a>1\ude00</a>", code: "not_well_formed", at: [1, 5], value: { a: "1" } },
  { input: "<a b='\ud83d'/>", code: "not_well_formed", at: [1, 7] },
  { input: "Hi <a/>", code: "text_outside_root", at: [1, 1] },
  { input: "<a>1</a> ok", code: "text_outside_root", at: [1, 10], value: { a: "1" } },
  { input: "<a>1</a>\ud83d", code: "not_well_formed", at: [1, 9], value: { a: "1" } },
  { input: "<a>1</a><b/>", code: "extra_root", at: [1, 11], value: { a: "1" } },
  { input: "<x:a/>", code: "unbound_prefix", at: [1, 6], options: { namespaces: true } },
  {
    input: "<a><b xmlns:x='u'/><x:c/></a>",
    code: "unbound_prefix",
    at: [1, 25],
    value: { a: [{ b: [{ "@xmlns:x": "u" }] }] },
    options: { namespaces: true },
  },
  {
    input: "<a>1<b>2",
    code: "unexpected_end",
    at: [1, 9],
    value: { a: ["1", { b: "2" }] },
    expected: "</b>",
  },
  { input: "<a>1</a", code: "unexpected_end", at: [1, 8], value: { a: "1" } },
  { input: "<a>1</a><", code: "unexpected_end", at: [1, 10], value: { a: "1" } },
  { input: "<a", code: "unexpected_end", at: [1, 3] },
  { input: "<a>1<![CDATA[2]]", code: "unexpected_end", at: [1, 17], value: { a: "12" } },
  { input: "", code: "empty", at: [1, 1] },
  { input: " \n", code: "empty", at: [2, 1] },
  { input: "<!-- a -->", code: "empty", at: [1, 11] },
  { input: "I cannot\ndo that.", code: "empty", at: [2, 9], options: lenient },
  { input: "<think>an <a/>", code: "empty", at: [1, 15], options: lenient },
  {
    input: "So:\n<a><b>1</c>",
    code: "mismatched_tag",
    at: [2, 11],
    value: { a: [{ b: "1" }] },
    options: lenient,
  },
  // Which elements should end where? The two <b> may be siblings, and <d> may be outside of <c>.
  { input: "<a><b><b>1</a>", code: "mismatched_tag", at: [1, 14], options: lenient },
  { input: "<a><c>1<d>2</d></a>", code: "mismatched_tag", at: [1, 19], options: lenient },
  { input: "<a><b c='\n1'></d></a>", code: "mismatched_tag", at: [2, 7] },
  { input: "<a>\n<b>1</c\n\n></a>", code: "mismatched_tag", at: [4, 1] },
  { input: "<a>1\n<b>2</b", code: "unexpected_end", at: [2, 8], options: lenient },
  {
    input: "<a><b><c><d/>",
    code: "max_depth",
    at: [1, 9],
    value: { a: [] },
    options: { maxDepth: 2 },
  },
  { input: "<a>1<b c='23'/></a>", code: "max_tag_length", at: [1, 13], options: { maxTagLength: 8 } },
  { input: "<a>1<!-- 2345 --></a>", code: "max_tag_length", at: [1, 13], options: { maxTagLength: 8 } },
  {
    input: "<a>1<b c='&&&&&&&",
    code: "max_tag_length",
    at: [1, 13],
    options: { ...lenient, maxTagLength: 8 },
  },
  {
    input: `<a>1<b c=1 /${"\n".repeat(300)}d`,
    code: "max_tag_length",
    at: [2, 1],
    options: { ...lenient, maxTagLength: 9 },
  },
  { input: "<a>123</a>", code: "max_length", at: [1, 6], value: { a: "12" }, options: { maxLength: 5 } },
  {
    input: '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><a>x&d;</a>',
    code: "invalid_reference",
    at: [1, 55],
    value: { a: "x" },
  },
  {
    input: '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    code: "invalid_reference",
    at: [1, 58],
  },
];

describe("an XmlParseError", () => {
  test.each(mistakes)("has the code and position for $input, for any split", (mistake) => {
    const { input, code, at, value, expected, options = {} } = mistake;
    const error = errorOf([input], options);
    expect(error).toMatchObject({ code, line: at[0], column: at[1] });
    expect(error.message).toMatch(/ \(line \d+, column \d+\)\.$/);
    if ("value" in mistake) expect(error.value).toEqual(value);
    if (expected !== undefined) expect(error.expected).toBe(expected);
    const whole = play([input], options, "snapshots");
    for (const chunks of everyWay(input, { count: 10 })) {
      const reading = play(chunks, options, "snapshots");
      const same = isDeepStrictEqual(reading, whole);
      if (!same) expect(reading, JSON.stringify(chunks)).toEqual(whole);
    }
  });

  test("about an end tag has the names and places of both tags, for any split", () => {
    for (const [options, space] of [
      [{}, ""],
      [lenient, ""],
      [{}, "\n".repeat(300)],
      [lenient, "\n".repeat(300)],
    ] as const) {
      const input = `<a>\n  <title>Heat\n</film${space}>`;
      for (const chunks of everyWay(input, { count: 10 })) {
        const { message } = errorOf(chunks, options);
        for (const part of ["<title>", "line 2, column 3", "</film>", "line 3, column 1"])
          expect(message).toContain(part);
      }
    }
  });

  test("has the open elements, and is thrown again by every further call", () => {
    const parser = new XmlParser();
    let first: unknown;
    try {
      parser.write("<a><b>1</b><c>&</c></a>");
    } catch (error) {
      first = error;
    }
    expect(first).toMatchObject({ path: ["a", "c"] });
    expect(() => {
      parser.write("<");
    }).toThrow(first);
    expect(() => {
      parser.end();
    }).toThrow(first);
    expect(parser.snapshot()).toEqual({ a: [{ b: "1" }] });
  });

  test("is thrown by write() after the end", () => {
    const parser = new XmlParser();
    parser.write("<a/>");
    parser.end();
    expect(() => {
      parser.write(" ");
    }).toThrow(expect.objectContaining({ code: "write_after_end" }));
  });

  test.each(["maxDepth", "maxTagLength", "maxLength"])(
    "is not used for an invalid %s, which is a RangeError",
    (name) => {
      expect(() => new XmlParser({ [name]: 0 })).toThrow(RangeError);
      expect(() => new XmlParser({ [name]: NaN })).toThrow(new RegExp(`^${name} .*NaN`));
    },
  );
});

function errorOf(chunks: readonly string[], options: XmlParserOptions): XmlParseError {
  const parser = new XmlParser(options);
  try {
    for (const chunk of chunks) parser.write(chunk);
    parser.end();
  } catch (error) {
    if (error instanceof XmlParseError) return error;
    throw error;
  }
  throw new Error("There was no error.");
}
