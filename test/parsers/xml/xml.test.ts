import { collect, from, OutputParserError, pipe, xmlParser, type Chunk } from "millrace";
import { applyPatch } from "millrace/json";
import { addIncrements, XmlParseError, type XmlRepair } from "millrace/xml";
import { everyWay, operatorLaws } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { failure } from "../support/reading.js";

const output = "Here it is:\n```xml\n<team><name>Ada</name><name>Grace & co</name></team>\n```\nDone.";
const team = { team: [{ name: "Ada" }, { name: "Grace & co" }] };

// G-stream-1
describe("xmlParser", () => {
  test("yields each finished leaf once, as a path, for every split", async () => {
    for (const chunks of everyWay(output, { count: 10 })) {
      const increments = await collect(pipe(from(chunks), xmlParser().stream));
      expect(increments).toEqual([{ team: [{ name: "Ada" }] }, { team: [{ name: "Grace & co" }] }]);
      expect(increments.reduce(addIncrements)).toEqual(team);
    }
  });

  test("yields a leaf at the chunk that completes it", async () => {
    const seen: string[] = [];
    async function* model(): AsyncGenerator<string> {
      for (const chunk of ["<root><name>Al", "ice</na", "me>", "</root>"]) {
        seen.push(chunk);
        yield chunk;
      }
    }
    for await (const leaf of pipe(model(), xmlParser().stream)) seen.push(JSON.stringify(leaf));
    expect(seen).toEqual(["<root><name>Al", "ice</na", "me>", '{"root":[{"name":"Alice"}]}', "</root>"]);
  });

  test("snapshots and patches show the growing text of an open element", async () => {
    const chunks = ["<a><b>H", "i", " ", "you", "</b>", "</a>"];
    expect(await collect(pipe(from(chunks), xmlParser().snapshots))).toEqual(
      ["H", "Hi", "Hi ", "Hi you"].map((b) => ({ a: [{ b }] })),
    );
    expect(await collect(pipe(from(chunks), xmlParser({ append: true }).patches))).toEqual([
      [{ op: "replace", path: "", value: { a: [{ b: "H" }] } }],
      [{ op: "append", path: "/a/0/b", value: "i" }],
      [{ op: "append", path: "/a/0/b", value: " " }],
      [{ op: "append", path: "/a/0/b", value: "you" }],
    ]);
  });

  test("events contain each piece of text when it arrives", async () => {
    const events = await collect(pipe(from(["<a b='1'>x", "y<c", "/></a>"]), xmlParser().events));
    expect(events).toEqual([
      { type: "open", name: "a", depth: 0, attributes: { b: "1" } },
      { type: "text", text: "x", depth: 1 },
      { type: "text", text: "y", depth: 1 },
      { type: "open", name: "c", depth: 1, attributes: {} },
      { type: "close", name: "c", depth: 1 },
      { type: "close", name: "a", depth: 0 },
    ]);
  });

  test("parses a whole output, as text, as a message, or as a generation", () => {
    expect(xmlParser().parse(output)).toEqual(team);
    const content = [{ type: "text", text: output }] as const;
    expect(xmlParser().parse({ role: "assistant", content })).toEqual(team);
    expect(xmlParser().parse({ text: output })).toEqual(team);
  });

  test("reads the text of model chunks and skips those without any", async () => {
    const chunks: Chunk[] = [
      { content: [{ type: "reasoning", reasoning: "<b>" }] },
      { content: [{ type: "text", text: "<a>1" }] },
      { content: [] },
      { content: [{ type: "text", text: "</a>" }], finishReason: "stop" },
    ];
    expect(await collect(pipe(from(chunks), xmlParser().stream))).toEqual([{ a: "1" }]);
  });

  test.each(["stream", "snapshots", "patches", "events"] as const)(
    "a truncated document is an error in .%s, with the finish reason",
    async (view) => {
      const chunks: Chunk[] = [
        { content: [{ type: "text", text: "<a><b>1</b><c>2" }] },
        { content: [{ type: "text", text: "3" }], finishReason: "length" },
      ];
      const { before, error } = await failure(xmlParser()[view](from(chunks)));
      expect(before.length).toBeGreaterThan(0);
      const value = { a: [{ b: "1" }, { c: "23" }] };
      expect(error).toMatchObject({ code: "truncated", finishReason: "length", value });
      expect(error.message).toMatch(/expected <\/c>.*token limit/);
      expect(error.cause).toBeInstanceOf(XmlParseError);
    },
  );

  test("a mismatched closing tag is an error after the preceding leaves", async () => {
    const { before, error } = await failure(xmlParser().stream(from(["<a><b>1</b><c>2</d>"])));
    expect(before).toEqual([{ a: [{ b: "1" }] }, { a: [{ c: "2" }] }].slice(0, before.length));
    expect(error).toMatchObject({ code: "invalid", cause: { code: "mismatched_tag", column: 19 } });
  });

  // G-parsers-6
  test("an output without a document is an error", async () => {
    for (const chunks of [[], ["", " "], ["I cannot."], ["a < b"]]) {
      const { before, error } = await failure(xmlParser().snapshots(from(chunks)));
      expect(before).toEqual([]);
      expect(error).toMatchObject({ code: "truncated" });
      expect(error).not.toHaveProperty("value");
    }
    const kept = xmlParser({ onTruncated: "keep" });
    expect(() => kept.parse("<a>")).toThrow(expect.objectContaining({ code: "truncated" }));
    expect(kept.parse("<a>1")).toEqual({ a: "1" });
  });

  test.each([
    "<a>List<String>",
    "<team><name>Ada</name><name>Gr",
    '<a id="1">Hi',
    "<a>Hi <b>you</b>, ",
    "<a>1</a>",
  ])("the leaves of a truncated document that is kept are the document: %s", async (text) => {
    const parser = xmlParser({ onTruncated: "keep" });
    for (const chunks of everyWay(text, { count: 10 })) {
      const increments = await collect(pipe(from(chunks), parser.stream));
      expect(increments.reduce(addIncrements)).toEqual(parser.parse(text));
      const patches = await collect(pipe(from(chunks), parser.patches));
      expect(applyPatch(undefined, patches.flat())).toEqual(parser.parse(text));
    }
  });

  test("reports each repair", async () => {
    const repairs: XmlRepair[] = [];
    const parser = xmlParser({ onRepair: (repair) => repairs.push(repair) });
    await collect(pipe(from(["<a>R&", "D <", " 1</a> <b/>"]), parser.stream));
    expect(repairs).toEqual([
      { kind: "ampersand", offset: 4 },
      { kind: "less_than", offset: 7 },
      { kind: "extra_document", offset: 15 },
    ]);
  });

  test("accepts only XML when strict", async () => {
    for (const text of ["Hi <a/>", "<a/> ok", "<a>R&D</a>", "<a>1 < 2</a>", "<a/><b/>", "```\n<a/>\n```"]) {
      const { error } = await failure(xmlParser({ strict: true }).stream(from([text])));
      expect(error.code).toBe("invalid");
    }
    expect(xmlParser({ strict: true }).parse("<?xml version='1.0'?><a>1</a>\n")).toEqual({ a: "1" });
  });

  test("has instructions with the tags and one example that it can parse", () => {
    const parser = xmlParser({ tags: ["team", "name"] });
    expect(parser.instructions).toContain("<team>, <name>");
    expect(parser.parse(parser.instructions.split("For example:")[1] as string)).toEqual({
      team: [{ name: "text" }],
    });
    expect(xmlParser({ tags: ["a"] }).instructions).toContain("<a>text</a>");
    expect(xmlParser().instructions).toContain("<answer>");
  });

  test("accepts other tags than the requested ones", () => {
    expect(xmlParser({ tags: ["name"] }).parse("<team><name>Ada</name></team>")).toEqual({
      team: [{ name: "Ada" }],
    });
  });

  test("can be used for many streams at once", async () => {
    const parser = xmlParser();
    const runs = [1, 2].map((n) => collect(pipe(from(["<a>1", `${n}</a>`]), parser.stream)));
    expect(await Promise.all(runs)).toEqual([[{ a: "11" }], [{ a: "12" }]]);
  });
});

describe("adding increments", () => {
  const increments = (xml: string): Promise<Record<string, unknown>[]> =>
    collect(pipe(from([xml]), xmlParser().stream));

  test("distinguishes adjacent elements of the same name", async () => {
    const found = await increments("<a><b><c>1</c><d/></b><b><c>2</c><d/></b></a>");
    expect(found).toEqual([
      { a: [{ b: [{ c: "1" }] }] },
      { a: [{ b: [{ d: "" }] }] },
      { a: [{ b: [{ c: "2" }] }] },
      { a: [{ b: [{ d: "" }] }] },
    ]);
    const add = addIncrements as (a: unknown, b: unknown) => unknown;
    const [first, second, third, fourth] = found;
    const whole = { a: [{ b: [{ c: "1" }, { d: "" }] }, { b: [{ c: "2" }, { d: "" }] }] };
    expect(add(add(add(first, second), third), fourth)).toEqual(whole);
    expect(add(first, add(second, add(third, fourth)))).toEqual(whole);
    expect(found[0]).toEqual({ a: [{ b: [{ c: "1" }] }] });
    expect(add({}, first)).toBe(first);
    expect(add(first, {})).toBe(first);
  });

  test("joins adjacent elements of the same name after serialization", async () => {
    const found = JSON.parse(
      JSON.stringify(await increments("<a><b><c>1</c></b><b><c>2</c></b></a>")),
    ) as Record<string, string>[];
    expect(found.reduce((a, b) => addIncrements(a, b) as Record<string, string>)).toEqual({
      a: [{ b: [{ c: "1" }, { c: "2" }] }],
    });
  });

  test("keeps names such as __proto__", async () => {
    const found = await increments("<__proto__><a/><a/></__proto__>");
    const sum = (found as Parameters<typeof addIncrements>[0][]).reduce(addIncrements);
    expect(JSON.stringify(sum)).toBe('{"__proto__":[{"a":""},{"a":""}]}');
    expect(Object.getPrototypeOf(sum)).toBe(Object.prototype);
  });
});

describe.each(["stream", "snapshots", "patches", "events"] as const)("xmlParser().%s", (view) => {
  const inputs = ["<a>", "<b>1", "2</b>", "3<c d='4'/>", "</a>"];
  const laws = operatorLaws<Chunk, unknown>(() => xmlParser()[view], {
    inputs,
    readAhead: Infinity,
    result: (outputs) => (view === "snapshots" ? outputs.at(-1) : view === "stream" ? outputs : undefined),
    cut: () => everyWay(inputs.join(""), { count: 20 }),
  });
  for (const law of laws) test.concurrent(law.name, () => law.check());
});

test.each([
  '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  '<!DOCTYPE a [<!ENTITY c "ha"><!ENTITY b "&c;&c;">]><a>&b;</a>',
])("an entity is not read, and a reference to it is reported: %s", (input) => {
  const repairs: XmlRepair[] = [];
  expect(xmlParser({ onRepair: (repair) => repairs.push(repair) }).parse(input)).toEqual({ a: "&b;" });
  expect(repairs).toHaveLength(1);
  expect(() => xmlParser({ repair: false }).parse(input)).toThrow(OutputParserError);
});
