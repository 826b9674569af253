import {
  commaSeparatedListParser,
  ListError,
  listParser,
  markdownListParser,
  numberedListParser,
  type ListOutputParser,
} from "millrace";
import { operatorLaws } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { expectItems, messageChunks, read, thrown, timeline, ways } from "../list-support.js";

const commas = commaSeparatedListParser();

// G-stream-1
describe("a list after thinking", () => {
  const lists: readonly { name: string; parser: ListOutputParser<string>; list: string }[] = [
    { name: "commas", parser: commas, list: " a, b" },
    { name: "numbers", parser: numberedListParser(), list: "\n1. a\n2. b" },
    { name: "bullets", parser: markdownListParser(), list: "- a\n* b" },
    { name: "any expression", parser: listParser({ pattern: /[ab]/ }), list: "a b" },
  ];
  test.each(lists)("$name: contains no item of the thinking", ({ parser, list }) =>
    expectItems(parser, `<think>\n1. a, "x\n- b</think>${list}`, ["a", "b"]),
  );

  test("contains no draft in thinking after prose, for every split", async () => {
    for (const [open, close] of [
      ["<reasoning>", "</reasoning>"],
      ["[THINK]", "[/THINK]"],
      ["<|channel|>analysis<|message|>", "<|end|>"],
      ["<think>\n`</think>` ends it", "</think>"],
      ["<think>", "`</think>"],
    ] as const) {
      const draft = (item: string): string => `Sure.\n\n${open}\n${item}\n${close}\n`;
      await expectItems(numberedListParser(), `${draft("1. x")}1. a\n2. b`, ["a", "b"]);
      await expectItems(markdownListParser(), `${draft("- x")}- a\n- b`, ["a", "b"]);
    }
  });

  test.each(lists)("$name: is empty without chunks, or with empty chunks", async ({ parser }) => {
    for (const chunks of [[], [""], ["", "", ""]]) {
      expect(await read(parser, chunks)).toEqual({ parts: [], error: undefined });
    }
  });

  const transcripts: readonly { name: string; input: string; items: readonly string[] }[] = [
    { name: "white space around it", input: " \n<think>x</think>\n\na,b", items: ["a", "b"] },
    { name: "a byte order mark before it", input: "\uFEFF<think>x</think>a", items: ["a"] },
    { name: "two of them", input: "<think>x</think>\n<thinking>y</thinking> a, b", items: ["a", "b"] },
    { name: "other names", input: "<reasoning>x</reasoning><seed:think>y</seed:think>a", items: ["a"] },
    {
      name: "special tokens",
      input: "[THINK]1, 2[/THINK]◁think▷x◁/think▷<|channel|>analysis<|message|>y<|end|>a, b",
      items: ["a", "b"],
    },
    { name: "tokens of Gemma", input: "<|channel>thought\n1, 2<channel|>a, b", items: ["a", "b"] },
    { name: "what is no token", input: "[think]a, [THINKER]", items: ["[think]a", "[THINKER]"] },
    { name: "capital letters", input: "<Think>x</tHINK>a", items: ["a"] },
    { name: "other tags in it", input: "<think><b></thinking></thin</think>a", items: ["a"] },
    { name: "its end in quotes in it", input: "<think>x `</think>` y</think>a", items: ["a"] },
    { name: "a quote before its end", input: "<think>x, '</think>a", items: ["a"] },
    { name: "a space in its end", input: "<think>x</think >a", items: ["a"] },
    { name: "nothing in it", input: "<think></think>a", items: ["a"] },
    { name: "nothing after it", input: "<think>a, b</think>", items: [] },
    {
      name: "an unknown tag",
      input: "<thin>, <think>, <thinker>a",
      items: ["<thin>", "<think>", "<thinker>a"],
    },
    { name: "an incomplete tag", input: " <thin", items: ["<thin"] },
    { name: "attributes", input: '<thinking level="5">x, y</thinking>a', items: ["a"] },
    {
      name: "the header of an answer",
      input: "<|channel|>analysis<|message|>x, y<|end|><|start|>assistant<|channel|>final<|message|>a, b",
      items: ["a", "b"],
    },
    { name: "text before it", input: "a, b\n <think>x, y</think>\nc", items: ["a", "b", "c"] },
    { name: "what begins like it", input: "a\n<thin, b\n[TH\n<x>", items: ["a", "<thin", "b", "[TH", "<x>"] },
    { name: "thinking inside the list", input: "a, <think>b</think>", items: ["a", "<think>b</think>"] },
  ];
  test.each(transcripts)("is read with $name, for every split", ({ input, items }) =>
    expectItems(commas, input, items),
  );

  test("has the same depths and offsets as in the whole text", async () => {
    const nested = markdownListParser({ nested: true });
    await expectItems(nested, "<think>x</think>\n    - a\n  - b\n    - c", [
      { text: "a", depth: 0 },
      { text: "b", depth: 0 },
      { text: "c", depth: 1 },
    ]);
    const before = "<think>12345</think>\n";
    const readers: readonly [ListOutputParser<string>, string, number][] = [
      [commaSeparatedListParser({ maxItemLength: 4 }), "ab, abcde", 4],
      [numberedListParser({ maxItemLength: 4 }), "1. a\n2. abcde", 5],
      [listParser({ pattern: /\w+/, maxItemLength: 4 }), "ab abcde", 2],
    ];
    for (const [parser, list, offset] of readers) {
      for (const chunks of ways(before + list)) {
        const { error } = await read(parser, chunks);
        expect(error?.cause).toMatchObject({ item: 1, offset: before.length + offset });
      }
    }
  });

  test("is yielded as early as without thinking, even if it starts like a tag", async () => {
    expect(await timeline(commas, ["<th", "ink>a,", "</think", ">b", ",", "c"])).toEqual([
      ...["<th", "ink>a,", "</think", ">b", ",", ["b"], "c", "end", ["c"]],
    ]);
    expect(await timeline(commas, [" <", "t", "y,", "<"])).toEqual([
      ...[" <", "t", "y,", ["<ty"], "<", "end", ["<"]],
    ]);
  });

  test("holds none of 10 MB of thinking in memory", async () => {
    const megabytes = Array.from({ length: 10_240 }, () => "a, </thin".repeat(113));
    expect((await read(commas, ["<think>", ...megabytes, "</think>a, b"])).parts).toEqual(["a", "b"]);
  });
});

describe("an output that ends inside its thinking", () => {
  test("is truncated, and has no list", async () => {
    for (const chunks of ways(" <think>a, b</think")) {
      const { parts, error } = await read(commas, chunks);
      expect(parts).toEqual([]);
      expect(error).toMatchObject({ code: "truncated", value: [] });
      expect(error?.cause).toBeInstanceOf(ListError);
      expect(error?.cause).toMatchObject({ code: "unclosed_thinking", item: 0, offset: 1 });
    }
    expect(thrown(() => commas.parse(" <think>a, b")).message).toContain("offset 1");
    const { error } = await read(commas, messageChunks(["<think>a, b"], "length"));
    expect(error).toMatchObject({ code: "truncated", finishReason: "length" });
  });

  test("is an empty list with onTruncated: keep", () => {
    expect(commaSeparatedListParser({ onTruncated: "keep" }).parse("<think>a, b")).toEqual([]);
  });
});

describe("the operator of a list after thinking", () => {
  const laws = operatorLaws(() => commas.stream, {
    inputs: ["<thi", "nk>a, b</th", "ink>c, ", "d, e"],
    cut: (inputs) => ways(inputs.join("")),
  });
  test.concurrent.each(laws.map((law) => [law.name, law] as const))("%s", (_name, law) => law.check());
});
