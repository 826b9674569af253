import {
  collect,
  commaSeparatedListParser,
  from,
  jsonParser,
  MessageError,
  numberedListParser,
  OutputParserError,
  pipe,
  stage,
  taggedParser,
  textParser,
  type Chunk,
  type OutputParser,
} from "millrace";
import { everyWay, operatorLaws, spySource } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { messageChunks, read, thrown, timeline, ways } from "../list-support.js";

interface Part {
  readonly tag: string;
  readonly value: unknown;
}

/** The values that do not depend on the chunks, by tag and in order: joined texts, last snapshots. */
function joined(parts: readonly Part[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const { tag, value } of parts) {
    const before = result[tag];
    result[tag] = typeof value === "string" && typeof before === "string" ? before + value : value;
  }
  return result;
}

const parser = taggedParser({ a: textParser(), data: jsonParser() });
const checked = taggedParser({ a: textParser(), data: jsonParser(z.object({ n: z.int() })) });

const transcripts: readonly { name: string; input: string; expect: { a: string; data: unknown } }[] = [
  { name: "two tags", input: '<a>hi</a><data>{"n":1}</data>', expect: { a: "hi", data: { n: 1 } } },
  { name: "another order", input: '<data>{"n":1}</data><a>hi</a>', expect: { a: "hi", data: { n: 1 } } },
  { name: "prose around", input: 'I <b>: <a>x</a> a>\n<data>{"n":1}</data> </a> <', expect: { a: "x", data: { n: 1 } } },
  { name: "white space inside", input: '<a>\n x \n</a><data>\n{"n":1}\n</data>', expect: { a: "\n x \n", data: { n: 1 } } },
  { name: "a tag's name as text", input: '<a>a data <data> </data> <a> < </b></a><data>{"n":1}</data>', expect: { a: "a data <data> </data> <a> < </b>", data: { n: 1 } } },
  { name: "almost a closing tag", input: '<a></a </ a></</a<</a><data>{"n":1}</data>', expect: { a: "</a </ a></</a<", data: { n: 1 } } },
  { name: "almost an opening tag", input: '<<a <A><a ><data<a>x</a><data>{"n":1}</data>', expect: { a: "x", data: { n: 1 } } },
  { name: "a tag that the prose mentions before the tag", input: 'In <a>: <a>x</a> <data>{"n":1}</data>', expect: { a: ": <a>x", data: { n: 1 } } },
  { name: "a fence inside", input: '<a>x</a><data>```json\n{"n":1}\n```</data>', expect: { a: "x", data: { n: 1 } } },
]; // prettier-ignore

// G-stream-1
describe("taggedParser", () => {
  test.each(transcripts)("reads $name, for every split", async ({ input, expect: expected }) => {
    expect(parser.parse(input)).toEqual(expected);
    for (const chunks of ways(input)) {
      const { parts, error } = await read(parser, chunks);
      if (
        error !== undefined ||
        JSON.stringify(joined(parts)) !== JSON.stringify(joined(sorted(parts, expected)))
      ) {
        expect({ chunks, error, result: joined(parts) }).toEqual({
          chunks,
          error: undefined,
          result: expected,
        });
      }
    }
  });

  test("yields each part when it arrives, and holds back only text that may become a tag", async () => {
    const chunks = ["<a>He", "llo <", "b> </", "a> x <da", 'ta>{"n":', " 1", "}", "</data>"];
    expect(await timeline(parser, chunks)).toEqual([
      ...["<a>He", [{ tag: "a", value: "He" }], "llo <", [{ tag: "a", value: "llo " }]],
      ...["b> </", [{ tag: "a", value: "<b> " }], "a> x <da", 'ta>{"n":', [{ tag: "data", value: {} }]],
      ...[" 1", "}", [{ tag: "data", value: { n: 1 } }], "</data>", "end"],
    ]);
  });

  test("reads lists; the end of the tag is the end of the list", async () => {
    const lists = taggedParser({ bare: commaSeparatedListParser(), numbered: numberedListParser() });
    const text = "<bare>a, b</bare>\n<numbered>\n1. c\n2. d</numbered>";
    expect(lists.parse(text)).toEqual({ bare: ["a", "b"], numbered: ["c", "d"] });
    for (const chunks of ways(text)) {
      expect(await collect(pipe(from(chunks), lists.stream))).toEqual([
        { tag: "bare", value: "a" },
        { tag: "bare", value: "b" },
        { tag: "numbered", value: "c" },
        { tag: "numbered", value: "d" },
      ]);
    }
  });

  test("reads nested tags with nested parsers", () => {
    const nested = taggedParser({ out: taggedParser({ in: textParser() }) });
    expect(nested.parse("<out>x<in>y</in></out>")).toEqual({ out: { in: "y" } });
  });

  test("reads messages and generations", async () => {
    const output = {
      role: "assistant",
      content: [{ type: "text", text: "<a>x</a>" }],
      finishReason: "length",
    } as const;
    const one = taggedParser({ a: textParser() });
    expect(one.parse(output)).toEqual({ a: "x" });
    expect(one.parse({ text: "<a>x</a>" })).toEqual({ a: "x" });
    // All tags are closed, so none is truncated.
    const whole: Chunk = { content: [{ type: "text", text: "<a>x</a>" }], finishReason: "length" };
    expect(await read(one, [whole])).toEqual({ parts: [{ tag: "a", value: "x" }], error: undefined });
    expect((await read(one, messageChunks(["<a>", "x</a> and"], "length"))).parts).toEqual([
      { tag: "a", value: "x" },
    ]);
  });

  test("yields an empty text and an empty list for an empty tag", async () => {
    const empty = taggedParser({ a: textParser(), b: commaSeparatedListParser() });
    expect(empty.parse("<a></a><b></b>")).toEqual({ a: "", b: [] });
    expect(await read(empty, ["<a></a><b></b>"])).toEqual({ parts: [], error: undefined });
  });

  // G-parsers-12
  test("skips thinking at the start, unless its tag is one of the tags", async () => {
    const text = "\n<think>Not <a>1</a>.</think> [THINK]<a>2</a>[/THINK]\n<a>3</a> <think>";
    const parser = taggedParser({ a: textParser() });
    expect(parser.parse(text)).toEqual({ a: "3" });
    for (const pieces of everyWay(text, { count: 20 })) {
      const parts = await collect(pipe(from(pieces), parser.stream));
      expect(parts.map(({ value }) => value).join("")).toBe("3");
    }
    const both = taggedParser({ think: textParser(), a: textParser() });
    expect(both.parse("<think>Not <a>1</a>.</think><a>3</a>")).toEqual({ think: "Not <a>1</a>.", a: "3" });
    expect(() => parser.parse("<think>Hm. <a>1</a>")).toThrow("Expected <a>");
    expect(parser.parse(" <thin <a>3</a>")).toEqual({ a: "3" });
  });

  test("accepts tags with names such as constructor and __proto__", async () => {
    const odd = taggedParser({ ["__proto__"]: textParser(), constructor: textParser() });
    const result: object = odd.parse("<__proto__>x</__proto__><constructor>y</constructor>");
    expect(Object.entries(result)).toEqual([["__proto__", "x"], ["constructor", "y"]]); // prettier-ignore
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });
});

/** The keys in order of arrival. */
function sorted(parts: readonly Part[], expected: object): Part[] {
  const tags = [...new Set(parts.map(({ tag }) => tag))];
  return tags.map((tag) => ({ tag, value: (expected as Record<string, unknown>)[tag] }));
}

describe("errors of taggedParser", () => {
  const texts = taggedParser({ a: textParser(), b: textParser() });

  test("report a missing tag, also for an empty output", async () => {
    for (const text of ["<a>x</a>", "<a>x</a> <b"]) {
      for (const chunks of ways(text)) {
        const { error } = await read(texts, chunks);
        expect(error?.message).toContain("<b>");
        expect(error).toMatchObject({ code: "invalid" });
        expect(error).not.toHaveProperty("value");
      }
      expect(thrown(() => texts.parse(text))).toMatchObject({ code: "invalid", value: { a: "x" } });
    }
    expect((await read(texts, [])).error?.message).toContain("<a>, <b>");
    const { error } = await read(texts, messageChunks(["<a>x</a>"], "length"));
    expect(error).toMatchObject({ code: "truncated", finishReason: "length" });
    expect(error?.message).toMatch(/token limit.*<b>/);
  });

  test("ignore a missing optional tag", async () => {
    const lenient = taggedParser({ a: textParser(), b: textParser() }, { optional: ["b"] });
    expect(lenient.parse("<a>x</a>")).toEqual({ a: "x" });
    expect((await read(lenient, ["<a>x</a>"])).error).toBeUndefined();
    expect((await read(lenient, ["<b>x</b>"])).error?.message).toContain("<a>");
  });

  // G-parsers-6
  test("report an end inside a tag, after its last part", async () => {
    for (const chunks of ways("<a>x</a><b>yz</")) {
      const { parts, error } = await read(texts, chunks);
      expect(joined(parts)).toEqual({ a: "x", b: "yz</" });
      expect(error?.message).toContain("</b>");
      expect(error?.code).toBe("truncated");
    }
    expect(thrown(() => texts.parse("<a>x</a><b>y")).value).toEqual({ a: "x", b: "y" });
  });

  test("ignore a missing closing tag if closing is optional, unless the model had to stop", async () => {
    const stopped = taggedParser({ a: textParser(), b: commaSeparatedListParser() }, { closing: "optional" });
    expect(stopped.parse("<a>x</a><b>y, z")).toEqual({ a: "x", b: ["y", "z"] });
    expect((await read(stopped, messageChunks(["<a>x</a><b>y, z"], "stop"))).error).toBeUndefined();
    const { parts, error } = await read(stopped, messageChunks(["<a>x</a><b>y, z"], "length"));
    expect(parts).toEqual([{ tag: "a", value: "x" }, { tag: "b", value: "y" }]); // prettier-ignore
    expect(error).toMatchObject({ code: "truncated", finishReason: "length", value: { b: ["z"] } });
    expect(error?.message).toMatch(/^In <b>: .*token limit/);
    const quiet = taggedParser({ a: textParser({ onTruncated: "keep" }) }, { closing: "optional" });
    expect((await read(quiet, messageChunks(["<a>x"], "length"))).error?.message).toMatch(
      /token limit.*<\/a>/,
    );
    const cut = {
      role: "assistant",
      content: [{ type: "text", text: "<a>x" }],
      finishReason: "length",
    } as const;
    expect(thrown(() => quiet.parse(cut))).toMatchObject({ code: "truncated", value: { a: "x" } });
  });

  test('report a repeated tag, unless repeated is "skip"', async () => {
    const text = "<a>x</a><b>y</b><a>z</a>";
    for (const chunks of ways(text)) {
      const { parts, error } = await read(texts, chunks);
      expect(joined(parts)).toEqual({ a: "x", b: "y" });
      expect(error?.message).toMatch(/<a> once/);
    }
    expect(thrown(() => texts.parse(text))).toMatchObject({ code: "invalid", value: { a: "x", b: "y" } });
    const first = taggedParser({ a: textParser(), b: textParser() }, { repeated: "skip" });
    const again = "<a>x</a><a><b></a><b>y</b><a>";
    expect(first.parse(`${again}</a>`)).toEqual({ a: "x", b: "y" });
    expect(joined((await read(first, [`${again}</a>`])).parts)).toEqual({ a: "x", b: "y" });
    expect((await read(first, [again])).error?.code).toBe("truncated");
    expect(thrown(() => first.parse(again)).code).toBe("truncated");
  });

  test("keep the code, place and value of a tag's parser, and close the source", async () => {
    const source = spySource(["<a>x</a><data>{", '"n": "no"', "}</data>", "more"]);
    const parts: Part[] = [];
    let error: unknown;
    try {
      for await (const part of checked.stream(source)) parts.push(part);
    } catch (caught) {
      error = caught;
    }
    expect(parts).toEqual([{ tag: "a", value: "x" }, { tag: "data", value: {} }]); // prettier-ignore
    expect(error).toBeInstanceOf(OutputParserError);
    expect(error).toMatchObject({ code: "schema", value: { data: {} }, issues: [{ pointer: "/n" }] });
    expect((error as Error).message).toMatch(/^In <data>: .*schema/);
    expect((error as Error).cause).toBeInstanceOf(OutputParserError);
    expect({ returns: source.returns, open: source.open, pulls: source.pulls }).toEqual({
      returns: 1,
      open: 0,
      pulls: 2,
    });
    expect(thrown(() => checked.parse('<a>x</a><data>{"n":"no"}</data>'))).toMatchObject({
      code: "schema",
      value: { a: "x", data: { n: "no" } },
    });
  });

  test("pass other errors on unchanged", async () => {
    const failing = new RangeError("of the parser");
    const broken: OutputParser<string, string> = {
      instructions: "",
      parse: () => {
        throw failing;
      },
      stream: stage(() => ({
        next: () => {
          throw failing;
        },
      })),
    };
    const tagged = taggedParser({ a: broken });
    await expect(collect(tagged.stream(from(["<a>x</a>"])))).rejects.toBe(failing);
    expect(() => tagged.parse("<a>x</a>")).toThrow(failing);
    // An error of the source is not an error of the tag.
    const error = new OutputParserError("invalid", "Of the source.", { value: 1 });
    const source = spySource<Chunk>(["<a>x"], { then: { error } });
    await expect(collect(taggedParser({ a: textParser() }).stream(source))).rejects.toBe(error);
  });
});

describe("the parser of a tag", () => {
  const spied = (log: string[], limit = Infinity): OutputParser<string, string> => ({
    instructions: "",
    parse: () => "",
    async *stream(source) {
      let count = 0;
      try {
        for await (const chunk of source) {
          yield typeof chunk === "string" ? chunk : "";
          if (++count === limit) return;
        }
      } finally {
        log.push("closed");
      }
    },
  });

  test("is closed with the source when the consumer stops", async () => {
    const log: string[] = [];
    const source = spySource(["<a>x", "y", "</a>"]);
    for await (const { value } of taggedParser({ a: spied(log) }).stream(source)) {
      expect(value).toBe("x");
      break;
    }
    expect(log).toEqual(["closed"]);
    expect({ returns: source.returns, pulls: source.pulls }).toEqual({ returns: 1, pulls: 1 });
  });

  test("may end before its tag: the rest is skipped, and later tags are read", async () => {
    const log: string[] = [];
    const two = taggedParser({ a: spied(log, 1), b: textParser() });
    const source = spySource(["<a>x", "y", "</a><b>z</b>"]);
    expect(await collect(two.stream(source))).toEqual([{ tag: "a", value: "x" }, { tag: "b", value: "z" }]); // prettier-ignore
    expect(log).toEqual(["closed"]);
    expect(source.returns).toBe(0);
    expect((await read(two, ["<b>z</b><a>x", "y"])).error?.code).toBe("truncated");
  });

  test("pulls no more than it needs", async () => {
    const source = spySource(["<a>x", "y", "z</a>"]);
    const iterator = taggedParser({ a: textParser() }).stream(source)[Symbol.asyncIterator]();
    for (const [value, pulls] of [
      ["x", 1],
      ["y", 2],
      ["z", 3],
    ] as const) {
      // prettier-ignore
      expect(await iterator.next()).toEqual({ done: false, value: { tag: "a", value } });
      expect(source.pulls).toBe(pulls);
    }
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  test("never sees a value that is not a chunk: it ends the stream and closes the source", async () => {
    const source = spySource(["<a>x", {} as unknown as Chunk, "</a>"]);
    await expect(collect(taggedParser({ a: textParser() }).stream(source))).rejects.toThrow(MessageError);
    expect({ returns: source.returns, open: source.open }).toEqual({ returns: 1, open: 0 });
  });

  test("reads 100,000 pieces of one chunk", async () => {
    const many = taggedParser({ a: textParser() }, { repeated: "skip" });
    expect((await read(many, ["<a>x</a>".repeat(100_000)])).parts).toEqual([{ tag: "a", value: "x" }]);
  });
});

describe("taggedParser()", () => {
  test.each(["", "a b", "1a", "<a>", "a/", "a.b", "a|b"])("rejects %j as the name of a tag", (name) => {
    expect(() => taggedParser({ [name]: textParser() })).toThrow(TypeError);
  });

  test("needs at least one tag, and accepts letters of any script", () => {
    expect(() => taggedParser({})).toThrow(TypeError);
    expect(taggedParser({ "réponse_1-b": textParser() }).parse("<réponse_1-b>x</réponse_1-b>")).toEqual({
      "réponse_1-b": "x",
    });
  });

  test("combines the instructions of its parsers", () => {
    const { instructions } = taggedParser(
      { thinking: textParser({ instructions: "Your reasons." }), list: numberedListParser() },
      { optional: ["thinking"] },
    );
    expect(instructions.split("\n")).toEqual([
      expect.any(String),
      "<thinking>…</thinking>",
      "<list>…</list>",
      expect.stringMatching(/<thinking>.*: Your reasons\.$/),
      expect.stringMatching(/<list>: /),
      ...numberedListParser().instructions.split("\n").slice(1),
    ]);
    expect(instructions).toContain(`: ${numberedListParser().instructions}`);
    expect(taggedParser({ a: textParser() }, { instructions: "A." }).instructions).toBe("A.");
  });
});

describe("the operator of taggedParser", () => {
  const laws = operatorLaws(() => parser.stream as (source: AsyncIterable<Chunk>) => AsyncIterable<Part>, {
    inputs: ["Hi <a>he", "llo", " you</a> <da", 'ta>{"n":', "1}</data>", "."],
    result: joined,
    cut: (inputs) => ways(inputs.join("")),
  });
  test.concurrent.each(laws.map((law) => [law.name, law] as const))("%s", (_name, law) => law.check());
});
