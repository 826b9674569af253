import { JsonParseError, type JsonParser } from "millrace/json";
import { guardOf, SchemaViolation } from "millrace/schema";
import type { JsonGuard } from "millrace/json";
import { everyWay } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { testRepairs } from "../../json/support/repair-transcripts.js";
import { parserOf } from "../../support/parser-of.js";

const options = { extract: "auto" } as const;

describe("a scalar as the whole text", () => {
  testRepairs(
    [
      { text: "True", value: true, repairs: [["literal", 0]] },
      { text: "```\nNone\n```", value: null, repairs: [["literal", 4]] },
      { text: " +.5 ", value: 0.5, repairs: [["number", 1]] },
      { text: "4 ,", value: 4, repairs: [["trailing_comma", 0]] },
      { text: "(1)", value: 1, repairs: [["parentheses", 1]] },
      { text: 'callback_1("a b");', value: "a b", repairs: [["call", 11]] },
    ],
    options,
  );
});

describe("an assignment as the whole text", () => {
  testRepairs([{ text: "a.b = [1, 2]\n", value: [1, 2], repairs: [] }], options);
  test("is not found after words", () => {
    expectNothing("as a = [1, 2]");
  });
});

describe("a list without brackets as the whole text", () => {
  testRepairs(
    [
      { text: "1, 2,3", value: [1, 2, 3], repairs: [["missing_brackets", 0]] },
      {
        text: '\n"a"\n"b"\n',
        value: ["a", "b"],
        repairs: [
          ["missing_brackets", 1],
          ["missing_comma", 5],
        ],
      },
    ],
    options,
  );

  test.each(["1,234", "12,345.5", "1, 2 and 3", "a, b", '"yes" or "no"'])(
    "is not found in %s",
    expectNothing,
  );
});

describe("a set or tuple of Python as the whole text", () => {
  testRepairs(
    [
      {
        text: "{'a', 'b'}",
        value: ["a", "b"],
        repairs: [
          ["set", 0],
          ["quote", 1],
          ["quote", 6],
        ],
      },
      { text: "{1}", value: [1], repairs: [["set", 0]] },
      { text: '("a", 2)', value: ["a", 2], repairs: [["parentheses", 0]] },
      {
        text: "((1, 2), (3, 4))",
        value: [
          [1, 2],
          [3, 4],
        ],
        repairs: [
          ["parentheses", 0],
          ["parentheses", 1],
          ["parentheses", 9],
        ],
      },
      { text: "Here:\n```py\n(1, 2)\n```\n", value: [1, 2], repairs: [["parentheses", 12]] },
    ],
    options,
  );
});

describe("an empty document at the end of the text", () => {
  testRepairs(
    [
      { text: "The matches: []", value: [], repairs: [] },
      { text: "Nothing was found:\n`{ }`.", value: {}, repairs: [] },
    ],
    options,
  );

  test.each(["f() {}", "x = []", "array[]", "- [] a task", "It is [] or {}, sorry."])(
    "is not found in %s",
    expectNothing,
  );
});

describe("text after a document that does not look like one", () => {
  testRepairs(
    [
      { text: "[] {}", value: [], repairs: [["extra_document", 3]] },
      { text: "[1] 2", value: [1], repairs: [["extra_document", 4]] },
      { text: "{} null", value: {}, repairs: [["extra_document", 3]] },
    ],
    options,
  );

  test.each(["[1] Smith", "[1] 2 3", '[1] "a"', "{} 2 or 3"])(
    "may not be words or several values: %s",
    (text) => {
      for (const chunks of everyWay(text)) {
        const parser = parserOf({ repair: true, ...options });
        for (const chunk of chunks) parser.write(chunk);
        expect(() => {
          parser.end();
        }).toThrow(expect.objectContaining({ code: "trailing_text", offset: text.indexOf(" ") + 1 }));
      }
    },
  );

  test("may be words, if the document is a list that satisfies a schema", () => {
    const text = "[a, b] are the tags.";
    for (const chunks of everyWay(text)) {
      const read = (guard?: JsonGuard): JsonParser => {
        const parser = parserOf({
          repair: true,
          ...options,
          ...(guard === undefined ? {} : { guard }),
        });
        for (const chunk of chunks) parser.write(chunk);
        parser.end();
        return parser;
      };
      expect(read(guardOf(z.array(z.string()))).value).toEqual(["a", "b"]);
      expect(() => read(guardOf(z.array(z.number())))).toThrow(SchemaViolation);
      expect(() => read()).toThrow(expect.objectContaining({ code: "trailing_text", offset: 7 }));
    }
  });
});

describe("a fence", () => {
  testRepairs(
    [
      {
        text: '```json\n{"code": "```js", "n": [1, 2\n```\nDone.\n',
        value: { code: "```js", n: [1, 2] },
        repairs: [["missing_closer", 37]],
      },
      {
        text: '~~~\n{"a": word\n~~~',
        value: { a: "word" },
        repairs: [
          ["unquoted_value", 10],
          ["missing_closer", 15],
        ],
      },
      { text: '<answer>{"a": 1</answer> `x`', value: { a: 1 }, repairs: [["missing_closer", 15]] },
      { text: '```\n{"a": "use ```x``` twice"}\n```\n', value: { a: "use ```x``` twice" }, repairs: [] },
    ],
    options,
  );
});

describe("an object that continues after its bracket", () => {
  testRepairs(
    [
      { text: '{"a": 1}, "b": 2}', value: { a: 1, b: 2 }, repairs: [["extra_closer", 7]] },
      {
        text: '{"a": {"b": 1}}, "c" "d"}!',
        value: { a: { b: 1 }, c: "d" },
        repairs: [
          ["extra_closer", 14],
          ["missing_colon", 21],
        ],
      },
      { text: '{"a": 1}, "b" is new.', value: { a: 1 }, repairs: [] },
      { text: '{"a": 1}, {"b": 2}', value: { a: 1 }, repairs: [["extra_document", 10]] },
      { text: '{"a": 1},', value: { a: 1 }, repairs: [] },
    ],
    options,
  );

  test("has read the whole text before, too", () => {
    const rows = Array.from({ length: 40 }, (_, i) => `"key${i}": "value ${i}"`).join(", ");
    for (const chunks of [[`{${rows}}`, ', "b": 2}'], [`{${rows}}, "b": 2}`]]) {
      const parser = parserOf({ repair: true, ...options });
      for (const chunk of chunks) parser.write(chunk);
      parser.end();
      expect(parser.value).toMatchObject({ key0: "value 0", key39: "value 39", b: 2 });
    }
  });
});

describe("a long text that is no document", () => {
  // An expression that backtracks over the spaces takes seconds for each of these texts, and the test fails at its limit.
  const spaces = " ".repeat(60_000);
  test.each([
    ["a list that does not end", `1, 2${spaces}x`],
    ["a set that does not end", `{'a', 'b'${spaces}x`],
    ["a call that does not end", `f(${spaces}`],
    ["words", `a${spaces}b`],
    ["many comments", "/*a*/".repeat(12_000) + "x"],
    ["parentheses after a fence", "```" + "(".repeat(60_000)],
    ["spaces between parentheses after a fence", "```" + "( ".repeat(30_000)],
    ["a line of tildes", "~".repeat(60_000)],
    ["lines of tildes", "~~~~~~~~~~~~\n".repeat(7) + "x"],
  ])("is searched in one pass: %s", (_, text) => {
    for (let times = 0; times < 20; times++) {
      const parser = parserOf({ repair: true, ...options });
      parser.write(text);
      expect(() => {
        parser.end();
      }).toThrow(JsonParseError);
    }
  });
});

function expectNothing(text: string): void {
  const parser = parserOf({ repair: true, ...options });
  parser.write(text);
  expect(() => {
    parser.end();
  }).toThrow(expect.objectContaining({ code: "empty" }));
}
