import fc from "fast-check";
import { collect, from, markdownListParser, pipe } from "millrace";
import { operatorLaws, randomPartitions } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { expectItems, expectNoItems, messageChunks, read, timeline, ways } from "../list-support.js";

const parser = markdownListParser();

const transcripts: readonly { name: string; input: string; items: readonly string[] }[] = [
  { name: "nothing", input: "", items: [] },
  { name: "hyphens", input: "- foo\n- bar", items: ["foo", "bar"] },
  { name: "asterisks", input: "* foo\n* bar\n", items: ["foo", "bar"] },
  { name: "plus signs", input: "+ foo\n+ bar", items: ["foo", "bar"] },
  {
    name: "typographic bullets",
    input: "• a\n‣ b\n▪ c\n● d\n◦ e\n· f",
    items: ["a", "b", "c", "d", "e", "f"],
  },
  {
    name: "typographic bullets without a space",
    input: "・茶\n•tea\n● 水\n\u200F• b\n-\u00A0c\n•••\n·d",
    items: ["茶", "tea", "水", "b", "c"],
  },
  { name: "dashes", input: "– foo\n— bar", items: ["foo", "bar"] },
  { name: "a quotation", input: "> - foo\n> • bar\n>* baz", items: ["foo", "bar", "baz"] },
  { name: "bullets mixed", input: "- a\n* b\n+ c", items: ["a", "b", "c"] },
  { name: "CRLF", input: "- a\r\n\r\n- b\r\n", items: ["a", "b"] },
  { name: "text that is not a bullet", input: "-5 °C\n**a** b\n*c* d\n+1\n-- e\n- f", items: ["f"] },
  { name: "rules across the page", input: "---\n- a\n- - -\n* * *\n***\n*  *\t*\n- b", items: ["a", "b"] },
  { name: "bullets in an item", input: "- - a\n- * - b\n- -", items: ["- a", "* - b", "-"] },
  { name: "task lists", input: "- [ ] a\n- [x] b", items: ["[ ] a", "[x] b"] },
  {
    name: "lines in a fence inside an item",
    input: "- a\n  ```yaml\n  - x\n  > - y\n  ```\n- b",
    items: ["a", "b"],
  },
  {
    name: "a fence that begins an item, and one that is not indented",
    input: "- ```js\n  - x\n  ```\n- ```\nlet x;\n```\n- a",
    items: ["```js", "```", "a"],
  },
  { name: "a fence around", input: "```\n- a\n- b\n```\n", items: ["a", "b"] },
  { name: "prose around", input: "Sure:\n\n- a\n- b\n\nDone - really.", items: ["a", "b"] },
  { name: "numbered items, which are not items", input: "1. a\n   - b\n2. c", items: ["b"] },
  { name: "items inside items", input: "- a\n  - b\n    * c\n- d", items: ["a", "b", "c", "d"] },
];

// G-stream-1
describe("markdownListParser", () => {
  test.each(transcripts)("reads $name, for every split", ({ input, items }) =>
    expectItems(parser, input, items),
  );

  test.each(["Well - no.\n-\n* \n+", "---", "1. a"])("reports an output without an item: %j", (text) =>
    expectNoItems(parser, text, 0),
  );

  test("yields an item at the end of its line", async () => {
    expect(await timeline(parser, ["-", " a", "\n", "-", " b"])).toEqual([
      ...["-", " a", "\n", ["a"], "-", " b", "end", ["b"]],
    ]);
  });

  test("derives the depth of an item from its indentation", async () => {
    const depths: readonly (readonly [string, readonly number[]])[] = [
      ["- a\n  - b\n    - c\n- d", [0, 1, 2, 0]],
      ["- a\n    - b\n  - c\n- d", [0, 1, 1, 0]],
      ["- a\n\t- b\n\t\t- c\n\t- d", [0, 1, 2, 1]],
      ["- a\n - b\n  - c\n", [0, 0, 0]],
      ["    - a\n  - b\n- c\n      - d", [0, 0, 0, 1]],
      ["  - a\n    - b\n  - c", [0, 1, 0]],
      ["   - a\n \t- b", [0, 0]],
      [" \t- a\n    - b\n      - c", [0, 0, 1]],
    ];
    const nested = markdownListParser({ nested: true });
    for (const [text, expected] of depths) {
      const items = expected.map((depth, i) => ({ text: "abcd".charAt(i), depth }));
      await expectItems(nested, text, items);
    }
  });

  test("with continuation, includes indented lines, and a rule ends an item", async () => {
    const long = markdownListParser({ continuation: true });
    await expectItems(long, "- a\n  b\n---\n* c\n\n  d\n- - -\ne", ["a\nb", "c\n\nd"]);
  });

  test("reads any list in Markdown format", async () => {
    const item = fc
      .string({ unit: fc.constantFrom(...Array.from(" \tab1.-*+[]🦆")), minLength: 1, maxLength: 10 })
      .map((text) => text.trim())
      .filter((text) => /[^\s*-]/.test(text)); // `- - -` is a rule
    const items = fc.array(fc.record({ text: item, depth: fc.nat(2) }), { maxLength: 6 });
    const nested = markdownListParser({ nested: true });
    await fc.assert(
      fc.asyncProperty(
        items,
        fc.constantFrom("-", "*", "+"),
        fc.constantFrom(2, 3, 4),
        fc.integer(),
        async (list, bullet, indent, seed) => {
          // An item is at most one level deeper than the one before it.
          let deepest = -1;
          const written = list.map(({ text, depth }) => ({
            text,
            depth: (deepest = Math.min(depth, deepest + 1)),
          }));
          const lines = written.map(({ text, depth }) => `${" ".repeat(depth * indent)}${bullet} ${text}`);
          for (const chunks of [lines, ...randomPartitions(lines.join("\n"), { seed, count: 4 })]) {
            const whole = chunks === lines ? [lines.join("\n")] : chunks;
            expect(await collect(pipe(from(whole), nested.stream))).toEqual(written);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test("a truncated output is an error with the unfinished item", async () => {
    const { parts, error } = await read(parser, messageChunks(["- a\n- b"], "length"));
    expect(parts).toEqual(["a"]);
    expect(error).toMatchObject({ code: "truncated", finishReason: "length", value: ["b"] });
    const nested = markdownListParser({ nested: true });
    const cut = await read(nested, messageChunks(["- a\n  - b"], "length"));
    expect(cut.error?.value).toEqual([{ text: "b", depth: 1 }]);
  });

  test("has instructions with an example that it can parse", () => {
    expect(parser.parse(parser.instructions)).toEqual(["tea", "milk", "brown sugar"]);
  });
});

describe("the operator of markdownListParser", () => {
  const laws = operatorLaws(() => parser.stream, {
    inputs: ["- a\n", "- b\n* c", "\n+ d"],
    cut: (inputs) => ways(inputs.join("")),
  });
  test.concurrent.each(laws.map((law) => [law.name, law] as const))("%s", (_name, law) => law.check());
});
