import fc from "fast-check";
import { collect, commaSeparatedListParser, from, ListError, pipe } from "millrace";
import { operatorLaws, randomPartitions } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { expectItems, expectNoItems, messageChunks, read, thrown, timeline, ways } from "../list-support.js";

const parser = commaSeparatedListParser();

const transcripts: readonly { name: string; input: string; items: readonly string[] }[] = [
  { name: "nothing", input: "", items: [] },
  { name: "white space only", input: " \n\t\r\n ", items: [] },
  { name: "one item", input: "foo", items: ["foo"] },
  { name: "commas without spaces", input: "foo,bar,baz", items: ["foo", "bar", "baz"] },
  { name: "spaces around commas", input: " foo ,\tbar  , baz ", items: ["foo", "bar", "baz"] },
  { name: "spaces inside an item", input: "foo, bar baz", items: ["foo", "bar baz"] },
  { name: "a trailing comma", input: "a,b,c,", items: ["a", "b", "c"] },
  { name: "a trailing comma and a line end", input: "a, b,\n", items: ["a", "b"] },
  { name: "nothing between commas", input: ",a,, b,,", items: ["a", "b"] },
  { name: "line ends between items", input: "a\nb,\nc\n\nd", items: ["a", "b", "c", "d"] },
  { name: "CRLF", input: "a\r\nb,\r\nc\r\n", items: ["a", "b", "c"] },
  { name: "quoted items", input: '"a","b"', items: ["a", "b"] },
  { name: "a comma in quotes", input: 'a, "b, c" ,d', items: ["a", "b, c", "d"] },
  { name: "doubled quotes", input: '"a ""b"" c",d', items: ['a "b" c', "d"] },
  { name: "only a doubled quote", input: '"""",x', items: ['"', "x"] },
  { name: "an empty quoted item", input: 'a,"",b', items: ["a", "", "b"] },
  { name: "line ends in quotes", input: '"a\r\nb",c', items: ["a\r\nb", "c"] },
  { name: "white space in quotes", input: '" a ", b', items: [" a ", "b"] },
  { name: "quotes inside a bare item", input: 'a "b" c, 5" pipe', items: ['a "b" c', '5" pipe'] },
  { name: "text after a closing quote", input: '"a, b" c, d', items: ['"a, b" c', "d"] },
  { name: "a quote after a padded one", input: '"a" "b",c', items: ['"a" "b"', "c"] },
  { name: "single quotes", input: "'a, b'", items: ["'a", "b'"] },
  { name: "a fence around the list", input: "```csv\na, b\n```", items: ["a", "b"] },
  { name: "a fence that ends a line", input: "a, ```\nb", items: ["a", "```", "b"] },
  { name: "a fence that is an item", input: "```, a", items: ["```", "a"] },
  { name: "white space that is not ASCII", input: "\uFEFFa\u00A0, \u2003b", items: ["a", "b"] },
  { name: "characters outside the BMP", input: "🦆, 水, 🏭🏭", items: ["🦆", "水", "🏭🏭"] },
  { name: "__proto__", input: "__proto__, constructor", items: ["__proto__", "constructor"] },
  { name: "a JSON array", input: '["a", "b, c"]', items: ["a", "b, c"] },
  { name: "a JSON array on lines", input: '[\n  "a",\n  "b, c"\n]\n', items: ["a", "b, c"] },
  { name: "commas of other scripts", input: "茶、水，米, شاي، ماء", items: ["茶", "水", "米", "شاي", "ماء"] },
  { name: "such commas in quotes", input: '"a，b"、c；d', items: ["a，b", "c；d"] },
  {
    name: "a Python list",
    input: `['a', "it's", 'it\\'s', 'b, "c"']`,
    items: ["a", "it's", "it's", 'b, "c"'],
  },
  { name: "a Python list on lines", input: "[\n  'a',\n  'b, c'\n]", items: ["a", "b, c"] },
  { name: "a JSON array in a fence", input: '```json\n["a","b"]\n```', items: ["a", "b"] },
  {
    name: "escapes in a JSON array",
    input: '["a \\"b\\", c", "\\n\\u00e9", "\\q"]',
    items: ['a "b", c', "\né", "\\q"],
  },
  {
    name: "other values in a JSON array",
    input: '["a", 1, null, [x, y] , ""]',
    items: ["a", "1", "null", "[x, y]", ""],
  },
  { name: "text after a JSON array", input: '["a", "b"]\n["c"], d', items: ["a", "b", '["c"]', "d"] },
  { name: "an array of bare items", input: "[\n  a,\n  b [x]\n]", items: ["a", "b [x]"] },
  { name: "an array without its end", input: '["a", "b"', items: ["a", "b"] },
  {
    name: "an array of numbers",
    input: "[ 1, -2.5e3, [3, 4], true]\n",
    items: ["1", "-2.5e3", "[3, 4]", "true"],
  },
  { name: "numbers in brackets", input: "[1], [2, 3]", items: ["[1]", "[2", "3]"] },
  { name: "words in brackets", input: "[a, b]", items: ["[a", "b]"] },
  {
    name: "brackets that are no array",
    input: '[a](x), [b], ["c" d, "e"',
    items: ["[a](x)", "[b]", '["c" d', "e"],
  },
  { name: "text after a quote in brackets", input: '["a, b" c, d]', items: ['["a, b" c', "d]"] },
  { name: "a bracket and a comma", input: "[, a", items: ["[", "a"] },
  { name: "a bracket inside", input: 'a, ["b", c]', items: ["a", '["b"', "c]"] },
];

// G-stream-1
describe("commaSeparatedListParser", () => {
  test.each(transcripts)("reads $name, for every split", ({ input, items }) =>
    expectItems(parser, input, items),
  );

  test("keeps the white space inside an item at a chunk boundary", async () => {
    expect(await collect(pipe(from(["foo, bar ", "baz"]), parser.stream))).toEqual(["foo", "bar baz"]);
  });

  test("yields all items of one chunk", async () => {
    expect(await collect(pipe(from(["a, b, c, d", ", e"]), parser.stream))).toEqual([
      "a",
      "b",
      "c",
      "d",
      "e",
    ]);
  });

  test("yields an item at the comma or line break that ends it", async () => {
    const chunks = ["a", " ", ",", ' "b"', '"', '"', " ", "\n", "c"];
    expect(await timeline(parser, chunks)).toEqual([
      ...["a", " ", ",", ["a"], ' "b"', '"', '"', " ", "\n", ['b"'], "c", "end", ["c"]],
    ]);
  });

  test("yields an item of a JSON array at the comma or bracket that ends it", async () => {
    expect(await timeline(parser, ["[", '"a', '"', ",", ' "b"', "]", " "])).toEqual([
      ...["[", '"a', '"', ",", ["a"], ' "b"', "]", ["b"], " ", "end"],
    ]);
  });

  test.each([",, ,", "```\n```", "[]", "[\n]", "["])("reports an output without an item: %j", (text) =>
    expectNoItems(parser, text, 0),
  );

  // G-parsers-9
  test("reads any list in RFC 4180 format", async () => {
    const quote = (item: string): string => `"${item.replaceAll('"', '""')}"`;
    const bare = (item: string): string =>
      item === "" || /[",\r\n`~]/.test(item) || item !== item.trim() ? quote(item) : item;
    const items = fc.array(fc.string({ unit: fc.constantFrom(...Array.from(' ,"\n\rab🦆`')) }), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(
        items,
        fc.constantFrom(",", ", ", ",\n", "\n"),
        fc.integer(),
        async (list, by, seed) => {
          for (const text of [list.map(quote).join(by), list.map(bare).join(by)]) {
            expect(parser.parse(text)).toEqual(list);
            for (const chunks of randomPartitions(text, { seed, count: 4 })) {
              expect(await collect(pipe(from(chunks), parser.stream))).toEqual(list);
            }
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  // G-parsers-6
  test("an unclosed quote is an error with the known part of the item", async () => {
    const { error, parts } = await read(parser, ['a, "b ""c""', ", d"]);
    expect(parts).toEqual(["a"]);
    expect(error).toMatchObject({ code: "truncated", value: ['b "c", d'] });
    expect(error?.cause).toBeInstanceOf(ListError);
    expect(error?.cause).toMatchObject({ code: "unclosed_quote", item: 1, offset: 3 });
    expect(error?.message).toContain("item 2");
    expect(thrown(() => parser.parse('a, "b')).value).toEqual(["a", "b"]);
    expect(commaSeparatedListParser({ onTruncated: "keep" }).parse('a, "b')).toEqual(["a", "b"]);
  });

  test("a truncated output is an error with the unfinished item and the finish reason", async () => {
    for (const chunks of ways("fo, b, c")) {
      const { parts, error } = await read(parser, messageChunks(chunks, "length"));
      expect(parts).toEqual(["fo", "b"]);
      expect(error).toMatchObject({ code: "truncated", finishReason: "length", value: ["c"] });
    }
    const output = {
      role: "assistant",
      content: [{ type: "text", text: "a, b" }],
      finishReason: "length",
    } as const;
    const error = thrown(() => parser.parse(output));
    expect(error).toMatchObject({ code: "truncated", finishReason: "length", value: ["a", "b"] });
    expect(error.message).toContain("token limit");
    expect(commaSeparatedListParser({ onTruncated: "keep" }).parse(output)).toEqual(["a", "b"]);
    expect((await read(parser, messageChunks(["a, b"], "stop"))).parts).toEqual(["a", "b"]);
  });

  test("reads strings, messages and generations", () => {
    const message = { role: "assistant", content: [{ type: "text", text: "a, b" }] } as const;
    for (const output of ["a, b", message, { text: "a, b" }, { text: "a,", message }]) {
      expect(parser.parse(output)).toEqual(["a", "b"]);
    }
  });

  test("an item beyond maxItemLength is an error after the preceding items, for every split", async () => {
    const small = commaSeparatedListParser({ maxItemLength: 4 });
    await expectItems(small, 'abcd, "ab",   x', ["abcd", "ab", "x"]);
    for (const text of ["ab, abcde", 'ab, "abc"', "ab, a    ,", "ab, abcdefg"]) {
      const messages = new Set<string>();
      for (const chunks of ways(text)) {
        const { parts, error } = await read(small, chunks);
        expect({ chunks, parts, code: error?.code }).toEqual({ chunks, parts: ["ab"], code: "invalid" });
        expect(error?.cause).toMatchObject({ code: "max_item_length", item: 1, offset: 4 });
        messages.add((error?.cause as Error).message);
      }
      expect(messages.size, text).toBe(1);
      expect(thrown(() => small.parse(text)).value).toEqual(["ab"]);
    }
  });

  test("rejects an invalid maxItemLength", () => {
    expect(() => commaSeparatedListParser({ maxItemLength: 0 })).toThrow(RangeError);
    expect(() => commaSeparatedListParser({ maxItemLength: 1.5 })).toThrow(RangeError);
  });

  test("stops at an item of 10 MB, unless maxItemLength allows it", async () => {
    const chunks = Array.from({ length: 10_240 }, () => "x".repeat(1024));
    const { error } = await read(parser, ["a, ", ...chunks]);
    expect(error?.cause).toMatchObject({ code: "max_item_length", item: 1, offset: 3 });
    const items = commaSeparatedListParser({ maxItemLength: Infinity });
    expect((await read(items, ["a, ", ...chunks])).parts.map(({ length }) => length)).toEqual([
      1, 10_485_760,
    ]);
  });

  test("has instructions with an example that it can parse", () => {
    const example = parser.instructions.split("\n").at(-1) as string;
    expect(parser.parse(example)).toEqual(["tea", "milk", "sugar, brown", "a 5 o'clock tea"]);
    expect(commaSeparatedListParser({ instructions: "Commas." }).instructions).toBe("Commas.");
  });
});

describe("the operator of commaSeparatedListParser", () => {
  const laws = operatorLaws(() => parser.stream, {
    inputs: ["a, b", ' c, "d', ', e", f, g'],
    cut: (inputs) => ways(inputs.join("")),
  });
  test.concurrent.each(laws.map((law) => [law.name, law] as const))("%s", (_name, law) => law.check());
});
