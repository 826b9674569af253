import fc from "fast-check";
import { collect, from, ListError, numberedListParser, pipe } from "millrace";
import { everyCut, operatorLaws, randomPartitions } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { expectItems, expectNoItems, messageChunks, read, thrown, timeline, ways } from "../list-support.js";

const parser = numberedListParser();

const transcripts: readonly { name: string; input: string; items: readonly string[] }[] = [
  { name: "nothing", input: "", items: [] },
  { name: "a line end", input: "1. foo\n2. bar\n", items: ["foo", "bar"] },
  { name: "no line end", input: "1. foo\n2. bar", items: ["foo", "bar"] },
  { name: "parentheses", input: "1) foo\n2) bar", items: ["foo", "bar"] },
  { name: "blank lines between", input: "1. foo\n\n2. bar\n \n\n3. baz", items: ["foo", "bar", "baz"] },
  { name: "CRLF", input: "1. foo\r\n\r\n2. bar\r\n3.\r\n", items: ["foo", "bar"] },
  { name: "any numbers", input: "7. foo\n7. bar\n0. baz\n999999999. x", items: ["foo", "bar", "baz", "x"] },
  { name: "a number of ten digits", input: "1234567890. foo\n1. bar", items: ["bar"] },
  { name: "prose around", input: "Here:\n1. foo\nand\n2. bar\nEnjoy!", items: ["foo", "bar"] },
  { name: "a fence around", input: "```markdown\n1. foo\n2. bar\n```", items: ["foo", "bar"] },
  {
    name: "numbers in a fence inside an item",
    input: "1. a\n   ```sh\n   1. x\n\n   2. y\n   ```\n   1. b\n2. c",
    items: ["a", "b", "c"],
  },
  {
    name: "a fence in such a fence",
    input: "1. a\n   ~~~\n   ```\n   1. x\n   ~~~\n2. c",
    items: ["a", "c"],
  },
  {
    name: "a fence inside an item that does not end",
    input: "1. a\n   ```\n   1. x\n2. c",
    items: ["a", "c"],
  },
  {
    name: "a shorter fence in a fence inside an item",
    input: "1. a\n   ````\n   ```\n   1. b\n   ```\n   2. c\n   ````\n   3. d",
    items: ["a", "d"],
  },
  {
    name: "a longer fence that ends one",
    input: "1. a\n   ```\n   1. b\n   `````\n   2. c",
    items: ["a", "c"],
  },
  {
    name: "a fence that begins an item",
    input: "1. ```js\n   1. x\n   ```\n   1. a\n2. ~~~\n   1. y\n3. - ```\n     1. z\n4. b",
    items: ["```js", "a", "~~~", "- ```", "b"],
  },
  {
    name: "code that begins an item and is no fence",
    input: "1. ```x``` is\n   1. a\n2. ~~~x~~~\n   1. b",
    items: ["```x``` is", "a", "~~~x~~~", "b"],
  },
  { name: "code that is no fence", input: "1. a\n   ``x`` y\n   1. b\n   `", items: ["a", "b"] },
  { name: "a fence between items", input: "1. a\n```\n2. b\n```\n3. c", items: ["a", "b", "c"] },
  { name: "a tilde fence", input: "~~~\n1. foo\n~~~\n", items: ["foo"] },
  {
    name: "text that is not a marker",
    input: "3.5 m\n1.foo\n2:x\n.1 y\n1.) z\n10:30 w\n1. foo",
    items: ["foo"],
  },
  { name: "indentation", input: "  1. foo\n\t2. bar\n   3)\tbaz  ", items: ["foo", "bar", "baz"] },
  { name: "a marker without text", input: "1.\n2. \n3. foo\n4.", items: ["foo"] },
  { name: "numbers in an item", input: "1. 2. foo\n2. at 3. 4) bar", items: ["2. foo", "at 3. 4) bar"] },
  { name: "bullets, which are not items", input: "1. foo\n   - sub\n2. bar", items: ["foo", "bar"] },
  { name: "Markdown in an item", input: "1. **foo**: `x`\n2. [a](b)", items: ["**foo**: `x`", "[a](b)"] },
  { name: "spaces at the ends", input: "1.   foo  \n2.\tb  c\t", items: ["foo", "b  c"] },
  { name: "colons", input: "1: foo\n2: bar", items: ["foo", "bar"] },
  { name: "parentheses around", input: "(1) foo\n(2) bar", items: ["foo", "bar"] },
  { name: "escaped full stops", input: "1\\. foo\n2\\) bar", items: ["foo", "bar"] },
  { name: "bold numbers", input: "**1.** foo\n**2**. bar\n__(3)__ baz", items: ["foo", "bar", "baz"] },
  { name: "emphasized numbers", input: "*1.* foo\n_2:_ bar", items: ["foo", "bar"] },
  { name: "bold lines", input: "**1. foo** x\n**2. bar**", items: ["**foo** x", "**bar**"] },
  { name: "half a marker", input: "**1.* a\n(1. b\n1\\ c\n**1 d\n() e\n1. foo", items: ["foo"] },
  { name: "a quotation", input: "> 1. foo\n>2. bar\n> > 3. baz\n> prose", items: ["foo", "bar", "baz"] },
  { name: "an introduction on its line", input: "Sure: 1. foo\n2. bar", items: ["foo", "bar"] },
  { name: "a bold introduction", input: "**Sure:** (1) foo\n(2) bar", items: ["foo", "bar"] },
  {
    name: "other numbers in prose",
    input: "At 10: 30. x\nNo 1. y: 2. z\nRight:1. w\n1. foo",
    items: ["foo"],
  },
  { name: "prose after an item", input: "1. foo\nSo: 1. x\n2. bar", items: ["foo", "bar"] },
  { name: "a colon in an item", input: "1. a: 1. b\n2. c", items: ["a: 1. b", "c"] },
  { name: "a byte order mark", input: "\uFEFF1. foo", items: ["foo"] },
  {
    name: "wide markers",
    input: "1．茶\n２、水\n（3）  米\n4）油\n5：糖",
    items: ["茶", "水", "米", "油", "糖"],
  },
  { name: "wide markers in emphasis", input: "**1．** 茶\n**2、**水", items: ["茶", "水"] },
  { name: "no space before another script", input: "1.茶\n2)水\n(3)tea", items: ["茶", "水", "tea"] },
  { name: "wide numbers in prose", input: "1、2 と 3\n10：30\n1.º x\n1．5\n1. a", items: ["a"] },
  { name: "an introduction with a wide colon", input: "好：1．茶\n2．水", items: ["茶", "水"] },
  {
    name: "other spaces and marks of direction",
    input: "1.\u00A0a\n\u200F2. \u200Fb\u200F\n\u202B3.\u2003c\u202C\n\u3000\u30004. d",
    items: ["a", "b", "c", "d"],
  },
  {
    name: "digits of other scripts",
    input: "١. أ\n(۲) ب\n**३.** क\n١٢: ج\nSo: ١. د\n١،٥ x",
    items: ["أ", "ب", "क", "ج"],
  },
  { name: "characters outside the BMP", input: "1. 🦆\n2. 水🏭", items: ["🦆", "水🏭"] },
];

// G-stream-1
describe("numberedListParser", () => {
  test.each(transcripts)("reads $name, for every split", ({ input, items }) =>
    expectItems(parser, input, items),
  );

  test("reads a list of five items, split at any position", async () => {
    const text = "1. foo\n2. bar\n3. baz\n4. qux\n5. quux five";
    for (const chunks of everyCut(text)) {
      expect(await collect(pipe(from(chunks), parser.stream))).toEqual([
        ...["foo", "bar", "baz", "qux", "quux five"],
      ]);
    }
  });

  test("yields an item at the end of its line, before the next one begins", async () => {
    expect(await timeline(parser, ["1", ". f", "oo", " ", "\n", "2. b\n3", ". c"])).toEqual([
      ...["1", ". f", "oo", " ", "\n", ["foo"], "2. b\n3", ["b"], ". c", "end", ["c"]],
    ]);
  });

  test("with nested, yields the depth and number of each item", async () => {
    const nested = numberedListParser({ nested: true });
    const text = "1. a\n   1) b\n   2) c\n      1. d\n2. e\n10. f\n  1. g\n 3. h";
    await expectItems(nested, text, [
      { text: "a", depth: 0, number: 1 },
      { text: "b", depth: 1, number: 1 },
      { text: "c", depth: 1, number: 2 },
      { text: "d", depth: 2, number: 1 },
      { text: "e", depth: 0, number: 2 },
      { text: "f", depth: 0, number: 10 },
      { text: "g", depth: 1, number: 1 },
      { text: "h", depth: 0, number: 3 },
    ]);
  });

  test("reads the number of each kind of marker", async () => {
    const nested = numberedListParser({ nested: true });
    const text = "So: 1. a\n> (2) b\n>   **3:** c\n> 12\\. d";
    await expectItems(nested, text, [
      { text: "a", depth: 0, number: 1 },
      { text: "b", depth: 0, number: 2 },
      { text: "c", depth: 1, number: 3 },
      { text: "d", depth: 0, number: 12 },
    ]);
  });

  // G-parsers-6
  test.each(["I am sorry.\nI cannot\ndo that 1. ever.", "```\n```", "1.", "None", "a. foo\nb. bar"])(
    "reports an output without an item: %j",
    (text) => expectNoItems(parser, text, 0),
  );

  describe("with continuation", () => {
    const long = numberedListParser({ continuation: true });

    const continued: readonly { name: string; input: string; items: readonly string[] }[] = [
      { name: "indented lines", input: "1. foo\n   bar\n  baz \n2. x", items: ["foo\nbar\nbaz", "x"] },
      { name: "paragraphs", input: "1. foo\n\n   bar\n\n\n2. x\n\n", items: ["foo\n\nbar", "x"] },
      { name: "bullets inside", input: "1. foo\n   - a\n   - b", items: ["foo\n- a\n- b"] },
      { name: "a line that is not indented", input: "1. foo\nbar\n   baz\n2. x", items: ["foo", "x"] },
      { name: "text that looks like a marker", input: "1. foo\n  12 x\n  12", items: ["foo\n12 x\n12"] },
      { name: "items inside", input: "1. foo\n   1. bar\n      baz\n2. x", items: ["foo", "bar\nbaz", "x"] },
      { name: "text below its marker", input: "1.\n   foo\n2.\n\n  bar", items: ["foo", "bar"] },
      { name: "a fence around", input: "```\n1. foo\n   bar\n```\n", items: ["foo\nbar"] },
      {
        name: "numbers in a fence",
        input: "1. foo\n   ```\n   1. x\n   ```\n2. b",
        items: ["foo\n```\n1. x\n```", "b"],
      },
      { name: "a fence inside", input: "1. foo\n   ```js\n   1\n   ```", items: ["foo\n```js\n1\n```"] },
      { name: "CRLF", input: "1. a\r\n  b\r\n\r\n2. c\r\n", items: ["a\nb", "c"] },
      { name: "a quotation", input: "> 1. a\n>    b\n>\n>    c\n> d\n> 2. e", items: ["a\nb\n\nc", "e"] },
      { name: "a quotation inside", input: "1. a\n   > b\n   > 2. c\n> d", items: ["a\n> b\n> 2. c"] },
      { name: "a bold line", input: "**1. a**\n  **2. b\n   *3 c", items: ["**a**", "**b\n*3 c"] },
      { name: "less indentation than the item", input: "  1. a\n  b\n 2. c", items: ["a", "c"] },
    ];
    test.each(continued)("reads $name, for every split", ({ input, items }) =>
      expectItems(long, input, items),
    );

    test("yields an item when the next one or other text begins", async () => {
      expect(await timeline(long, ["1. a\n", "  b", "\n", "\n", "2", ". c\n", "N", "ote"])).toEqual([
        ...["1. a\n", "  b", "\n", "\n", "2", ["a\nb"], ". c\n", "N", ["c"], "ote", "end"],
      ]);
    });

    test("applies maxItemLength to all lines of an item, including blank ones", async () => {
      const small = numberedListParser({ continuation: true, maxItemLength: 8 });
      await expectItems(small, "1. abc\n  defg\n2. x\n\n\n\n\n\n\n\n\n\n\n\n", ["abc\ndefg", "x"]);
      for (const text of ["1. a\n2. abc\n  defgh\n", "1. a\n2. b\n\n\n\n\n\n\n\n\n  c"]) {
        for (const chunks of everyCut(text)) {
          const { parts, error } = await read(small, chunks);
          expect(parts).toEqual(["a"]);
          expect(error?.cause).toMatchObject({ code: "max_item_length", item: 1, offset: 5 });
        }
      }
    });
  });

  // G-parsers-9
  test("reads any list in its format", async () => {
    const item = fc
      .string({ unit: fc.constantFrom(...Array.from(" \tab1.)-*🦆`")), minLength: 1, maxLength: 10 })
      .map((text) => text.trim())
      .filter((text) => text !== "");
    const prose = fc.constantFrom("", "Here:\n", "```\n", "\r\n\r\n");
    const lists = fc.array(item, { maxLength: 6 });
    const parser = numberedListParser({ allowEmpty: true });
    await fc.assert(
      fc.asyncProperty(
        lists,
        prose,
        fc.constantFrom(".", ")"),
        fc.integer(),
        async (list, before, mark, seed) => {
          const text = before + list.map((it, i) => `${i + 1}${mark} ${it}`).join("\n");
          expect(parser.parse(text)).toEqual(list);
          for (const chunks of randomPartitions(text, { seed, count: 4 })) {
            expect(await collect(pipe(from(chunks), parser.stream))).toEqual(list);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  // G-parsers-6
  test("a truncated output is an error with the unfinished item", async () => {
    const { parts, error } = await read(parser, messageChunks(["1. foo\n2. b", "a"], "length"));
    expect(parts).toEqual(["foo"]);
    expect(error).toMatchObject({ code: "truncated", finishReason: "length", value: ["ba"] });
    const between = await read(parser, messageChunks(["1. foo\n"], "length"));
    expect(between.parts).toEqual(["foo"]);
    expect(between.error).toMatchObject({ code: "truncated", value: [] });
    const keeping = numberedListParser({ onTruncated: "keep" });
    expect((await read(keeping, messageChunks(["1. foo\n2. ba"], "length"))).parts).toEqual(["foo", "ba"]);
    expect(await read(keeping, messageChunks(["I am "], "length"))).toEqual({ parts: [], error: undefined });
    const { error: none } = await read(parser, messageChunks(["I am "], "length"));
    expect(none).toMatchObject({ code: "truncated", finishReason: "length", value: [] });
  });

  test("an item beyond maxItemLength is an error for every split, but a long line outside an item is not", async () => {
    const small = numberedListParser({ maxItemLength: 3 });
    await expectItems(small, "Some prose\n1. abc\n2.      a\n", ["abc", "a"]);
    for (const chunks of ways("1. a\n2. abcd")) {
      const { parts, error } = await read(small, chunks);
      expect(parts).toEqual(["a"]);
      expect(error?.code).toBe("invalid");
    }
    const error = thrown(() => small.parse("1. a\n2. abcd"));
    expect(error.cause).toBeInstanceOf(ListError);
    expect(error.message).toContain("maxItemLength");
    expect(error.value).toEqual(["a"]);
  });

  test("skips 10 MB of prose, and stops at an item of 10 MB", async () => {
    const megabytes = Array.from({ length: 10_240 }, () => "x ".repeat(512));
    expect(await read(parser, [...megabytes, "\n1. foo"])).toEqual({ parts: ["foo"], error: undefined });
    expect(await read(parser, [" ".repeat(10_000_000), "1. x"])).toEqual({ parts: ["x"], error: undefined });
    const { error } = await read(parser, ["1. foo\n2. ", ...megabytes]);
    expect(error?.cause).toMatchObject({ code: "max_item_length", item: 1, offset: 7 });
  });

  test("has instructions with an example that it can parse", () => {
    expect(parser.parse(parser.instructions)).toEqual(["tea", "milk", "brown sugar"]);
  });
});

describe.each([{}, { continuation: true }])("the operator of numberedListParser(%j)", (options) => {
  const laws = operatorLaws(() => numberedListParser(options).stream, {
    inputs: ["Hi\n1. a", "\n2. b\n  c\n3. d\n", "4) e"],
    cut: (inputs) => ways(inputs.join("")),
  });
  test.concurrent.each(laws.map((law) => [law.name, law] as const))("%s", (_name, law) => law.check());
});
