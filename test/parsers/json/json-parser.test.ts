import { collect, from, jsonParser, pipe, type Chunk } from "millrace";
import { JsonParseError, type JsonRepair } from "millrace/json";
import { schemaOf } from "millrace/schema";
import { everyWay } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { blocks } from "../../support/pieces.js";
import { failure } from "../support/reading.js";

const recipe = z.object({ name: z.string(), minutes: z.int(), steps: z.array(z.string()) });
const text = '{"name": "Tea", "minutes": 10, "steps": ["Boil", "Pour"]}';

describe("jsonParser", () => {
  test("yields a snapshot after each chunk that changed the value", async () => {
    const chunks = ['{"na', 'me": "Te', 'a", "minutes": 1', '0, "steps": ["Boil', '", "Pour"]', "}", "\n"];
    expect(await collect(pipe(from(chunks), jsonParser(recipe).stream))).toEqual([
      { name: "Te" },
      { name: "Tea" },
      { name: "Tea", minutes: 10, steps: ["Boil"] },
      { name: "Tea", minutes: 10, steps: ["Boil", "Pour"] },
    ]);
  });

  test("yields a patch after each chunk that changed the value", async () => {
    const chunks = ['{"name": "T', 'ea", "minu', 'tes": 10', ', "steps": []}'];
    expect(await collect(pipe(from(chunks), jsonParser().patches))).toEqual([
      [{ op: "replace", path: "", value: { name: "T" } }],
      [{ op: "replace", path: "/name", value: "Tea" }],
      [
        { op: "add", path: "/minutes", value: 10 },
        { op: "add", path: "/steps", value: [] },
      ],
    ]);
  });

  test("appends the new part of a string with the option append", async () => {
    const patches = jsonParser(undefined, { append: true }).patches;
    expect(await collect(pipe(from(['["a ', "b", 'c"]']), patches))).toEqual([
      [{ op: "replace", path: "", value: ["a"] }],
      [{ op: "append", path: "/0", value: " b" }],
      [{ op: "append", path: "/0", value: "c" }],
    ]);
  });

  test.each([1, 2, 3, 7, 100])(
    "yields each complete element once, in chunks of %i characters",
    async (size) => {
      expect(await collect(pipe(from(blocks(text, size)), jsonParser().items("/steps")))).toEqual([
        "Boil",
        "Pour",
      ]);
    },
  );

  test("yields an element at the chunk that completes it", async () => {
    const seen: string[] = [];
    async function* model(): AsyncGenerator<string> {
      for (const chunk of ['[{"a":', "1", "}", ',{"a"', ":2}]"]) {
        seen.push(chunk);
        yield chunk;
      }
    }
    for await (const item of pipe(model(), jsonParser().items(""))) seen.push(JSON.stringify(item));
    expect(seen).toEqual(['[{"a":', "1", "}", '{"a":1}', ',{"a"', ":2}]", '{"a":2}']);
  });

  // G-parsers-7
  test("checks each element against its schema and applies transforms", async () => {
    const item = z.object({ a: z.string().transform(Number) });
    const items = jsonParser().items("/list", item);
    expect(await collect(pipe(from(['{"list":[{"a":"1"},{', '"a":"2"}]}']), items))).toEqual([
      { a: 1 },
      { a: 2 },
    ]);
    const { before, error } = await failure(pipe(from(['{"list":[{"a":"1"},{"a":2}]}']), items));
    expect(before).toEqual([{ a: 1 }]);
    expect(error).toMatchObject({ code: "schema", value: { a: 2 }, issues: [{ pointer: "/a" }] });
  });

  test("yields no elements for null and a missing array, and rejects any other value", async () => {
    expect(await collect(pipe(from(['{"list":null}']), jsonParser().items("/list")))).toEqual([]);
    expect(await collect(pipe(from(["{}"]), jsonParser().items("/list")))).toEqual([]);
    const { error } = await failure(pipe(from(['{"list":"x', 'y"}']), jsonParser().items("/list")));
    expect(error).toMatchObject({ code: "not_an_array", value: { list: "x" } });
    expect(error.message).toMatch(/array at \/list.*"x"/);
  });

  test.each([
    ['{"list": "x", "list": [1]}', []],
    ['{"list": {}, "list": [1]}', []],
    ['{"list": [1], "list": "x"}', [1]],
  ])("rejects another value of a repeated key: %s, for every cut", async (document, items) => {
    for (const chunks of everyWay(document)) {
      const { before, error } = await failure(pipe(from(chunks), jsonParser().items("/list")));
      expect(before).toEqual(items);
      expect(error).toMatchObject({ code: "not_an_array" });
    }
  });

  test.each([1, 4, 100])(
    "yields the elements of both arrays of a repeated key, in chunks of %i",
    async (size) => {
      const chunks = from(blocks('{"a":[1],"a":[2,3]}', size));
      expect(await collect(pipe(chunks, jsonParser().items("/a")))).toEqual([1, 2, 3]);
    },
  );

  test("rejects a malformed pointer when the operator is created", () => {
    expect(() => jsonParser().items("steps" as string)).toThrow(TypeError);
  });

  test.each([
    ["/steps", undefined],
    ["/steps/0/tags", undefined],
    ["/either", undefined],
    ["/either/0", undefined],
    ["/either/b", undefined],
    ["/pair/0", undefined],
    ["/open/any/thing", undefined],
    ["/self/self/steps", undefined],
    ["", /root.*object/],
    ["/title", /"\/title".*string/],
    ["/stepz", /"stepz".*root/],
    ["/steps/0/tag", /"tag".*"\/steps\/0"/],
    ["/steps/first", /"first".*"\/steps"/],
    ["/either/a", /"a".*"\/either"/],
    ["/pair/2", /"2".*"\/pair"/],
    ["/title/0", /"0".*"\/title"/],
  ])("checks the pointer %j against a JSON Schema", (pointer, message) => {
    const closed = { type: "object", additionalProperties: false };
    const parser = jsonParser({
      ...closed,
      properties: {
        title: { type: "string" },
        steps: { $ref: "#/$defs/steps" },
        either: {
          anyOf: [
            { type: "string" },
            { type: "array", items: { type: "array" } },
            { ...closed, properties: { b: {} } },
          ],
        },
        pair: { type: "array", prefixItems: [{ type: ["array", "null"] }, {}], items: false },
        open: { type: "object" },
        self: { $ref: "#" },
      },
      $defs: {
        steps: { type: "array", items: { ...closed, properties: { tags: { type: "array" } } } },
      },
    });
    if (message === undefined) expect(() => parser.items(pointer)).not.toThrow();
    else expect(() => parser.items(pointer)).toThrow(TypeError);
    if (message !== undefined) expect(() => parser.items(pointer)).toThrow(message);
  });

  test("a schema without JSON Schema rules no pointer out", () => {
    const schema = z.object({ at: z.date() });
    expect(() => jsonParser(schema).items("/list" as string)).not.toThrow();
  });

  // G-parsers-7
  test("yields the checked value once, with transforms and defaults", async () => {
    const schema = z.object({ n: z.string().transform(Number), tags: z.array(z.string()).default([]) });
    expect(await collect(pipe(from(['{"n"', ': "1', '2"}']), jsonParser(schema).final))).toEqual([
      { n: 12, tags: [] },
    ]);
  });

  test.each(["stream", "patches", "final"] as const)(
    "checks the whole value at the end of .%s, also without a guard",
    async (view) => {
      const { error } = await failure(
        jsonParser(recipe, { guard: false })[view](from(['{"name": "Tea", "minutes": 1', ".5}"])),
      );
      expect(error.code).toBe("schema");
      expect(error.value).toEqual({ name: "Tea", minutes: 1.5 });
      expect(error.issues.map(({ pointer }) => pointer)).toEqual(["/minutes", "/steps"]);
      expect(error.message).toContain("/minutes: ");
    },
  );

  test("waits for a schema that checks asynchronously", async () => {
    const even = z.number().refine(async (n) => Promise.resolve(n % 2 === 0), "must be even");
    expect(await collect(pipe(from(["1", "2"]), jsonParser(even).final))).toEqual([12]);
    expect(await collect(pipe(from(["1", "2"]), jsonParser(even).stream))).toEqual([12]);
    const { before, error } = await failure(pipe(from(["1", "3"]), jsonParser(even).stream));
    expect(before).toEqual([13]);
    expect(error.issues).toEqual([{ pointer: "", message: "must be even" }]);
    expect(await collect(pipe(from(["[2,", "4]"]), jsonParser().items("", even)))).toEqual([2, 4]);
    expect(() => jsonParser(even).parse("12")).toThrow(expect.objectContaining({ code: "async_schema" }));
  });

  test("yields the values of the last chunk before its error", async () => {
    const { stream } = jsonParser(undefined, { strict: true });
    const { before, error } = await failure(pipe(from(['{"a": 1', ', "b": 2, x']), stream));
    expect(before).toEqual([{}, { a: 1, b: 2 }]);
    expect(error).toMatchObject({ code: "invalid", value: { a: 1, b: 2 } });
    expect(error.cause).toBeInstanceOf(JsonParseError);
    expect(error.cause).toMatchObject({ line: 1, column: 18, offset: 17 });
  });

  // G-parsers-6
  test("ends a truncated document with an error that has the finish reason", async () => {
    const chunks: Chunk[] = [
      { content: [{ type: "text", text: '{"name": "Te' }] },
      { content: [{ type: "text", text: "a" }], finishReason: "length" },
    ];
    const { before, error } = await failure(pipe(from(chunks), jsonParser(recipe).stream));
    expect(before).toEqual([{ name: "Te" }, { name: "Tea" }]);
    expect(error).toMatchObject({ code: "truncated", finishReason: "length", value: { name: "Tea" } });
    expect(error.message).toMatch(/token limit/);
  });

  // G-parsers-6
  test("ends an empty stream, or one without a document, with an error", async () => {
    expect((await failure(pipe(from([]), jsonParser().stream))).error.code).toBe("truncated");
    expect((await failure(pipe(from(["", " "]), jsonParser().patches))).error.code).toBe("truncated");
  });

  test.each(["null", "0", "false", '""', "[]"])("keeps %s at the root", async (json) => {
    const value: unknown = JSON.parse(json);
    expect(await collect(pipe(from([json]), jsonParser().stream))).toEqual([value]);
    expect(await collect(pipe(from([json]), jsonParser().patches))).toEqual([
      [{ op: "replace", path: "", value }],
    ]);
    expect(await collect(pipe(from([json]), jsonParser().final))).toEqual([value]);
  });

  test("accepts only JSON when strict", async () => {
    const strict = jsonParser(undefined, { strict: true });
    for (const chunks of [
      ['{"a": 1}', " trailing"],
      ["Sure: {}"],
      ["[1,]"],
      ["```\n[]\n```"],
      ["{'a': 1}"],
    ]) {
      expect((await failure(pipe(from(chunks), strict.stream))).error.code).toBe("invalid");
    }
  });

  test.each([1, 2, 5, 1000])("finds the document in the text of a model, in chunks of %i", async (size) => {
    const output =
      "<think>The user wants {braces}.</think>\nHere is the {recipe} you asked for:\n\n" +
      '```json\n{"name": "Tea", "code": "```js\\n{}```", "n": [1, 2]}\n```\nEnjoy {it}!';
    const repairs: JsonRepair[] = [];
    const parser = jsonParser(undefined, { onRepair: (repair) => repairs.push(repair) });
    const snapshots = await collect(pipe(from(blocks(output, size)), parser.stream));
    expect(snapshots.at(-1)).toEqual({ name: "Tea", code: "```js\n{}```", n: [1, 2] });
    expect(repairs).toEqual([]);
  });

  test.each([1, 3, 1000])("reports a second document, in chunks of %i", async (size) => {
    const repairs: JsonRepair[] = [];
    const parser = jsonParser(undefined, { onRepair: (repair) => repairs.push(repair) });
    const output = '{"a": 1}\nand then\n{"b": 2} {"c": 3}';
    expect(await collect(pipe(from(blocks(output, size)), parser.final))).toEqual([{ a: 1 }]);
    expect(repairs).toEqual([
      { kind: "extra_document", offset: 18 },
      { kind: "extra_document", offset: 27 },
    ]);
  });

  test("reports the place of an error in the whole text, prose included", async () => {
    const chunks = ["Some prose.\nHere: ", '{"a": [[:}'];
    const { error } = await failure(pipe(from(chunks), jsonParser().stream));
    expect(error.cause).toMatchObject({
      offset: 26,
      line: 2,
      column: 15,
      excerpt: { text: '{"a": [[:}', cut: true },
    });
  });

  test("reports a text without a document", async () => {
    const { error } = await failure(pipe(from(["I am afraid ", "there is none."]), jsonParser().stream));
    expect(error).toMatchObject({ code: "truncated" });
    expect(error).not.toHaveProperty("value");
    expect(error.message).toMatch(/document/);
  });

  test("takes the document that satisfies the schema, in a whole text", () => {
    const repairs: JsonRepair[] = [];
    const parser = jsonParser(z.object({ name: z.string() }), { onRepair: (repair) => repairs.push(repair) });
    const text = 'The form is {"type": "object"}. So: {"nam": 1} or {"name": \'Ada\'}.';
    expect(parser.parse(text)).toEqual({ name: "Ada" });
    expect(repairs).toContainEqual({ kind: "quote", offset: text.indexOf("'Ada") });
    expect(() => parser.parse('{"nam": 1} or {"name": 2}')).toThrow(
      expect.objectContaining({ code: "schema" }),
    );
  });

  test("reports only what the result was read with, in a whole text", () => {
    const reports: unknown[] = [];
    const parser = jsonParser(z.object({ n: z.int() }), {
      onRepair: ({ kind, offset }) => reports.push([kind, offset]),
      onCoerce: ({ pointer, kind }) => reports.push([pointer, kind]),
    });
    expect(parser.parse('{"N": "1", "n": "2 kg",} or {"n": 3,}')).toEqual({ n: 3 });
    expect(reports).toEqual([
      ["extra_document", 0],
      ["trailing_comma", 36],
    ]);
  });

  test.each([
    ["+9007199254740993", "9007199254740993", 2 ** 53],
    ["-9007199254740993.", "-9007199254740993", -(2 ** 53)],
    ["f(+9007199254740993)", "9007199254740993", 2 ** 53],
    [".12345678901234567891", "0.12345678901234567891", 0.12345678901234568],
    ["+5.e-1", undefined, 0.5],
  ])("reports that the whole text %j is a rounded number", async (text, rounded, value) => {
    const reports: unknown[] = [];
    const parser = jsonParser(z.number(), { onCoerce: ({ from: before }) => reports.push(before) });
    expect(parser.parse(text)).toBe(value);
    expect(await collect(pipe(from(text), parser.final))).toEqual([value]);
    expect(reports).toEqual(rounded === undefined ? [] : [rounded, rounded]);
  });

  test.each(["1e400", '{"n": -1e400}', "+1e400"])("refuses %s as a number of JSON Schema", (text) => {
    const schema = { type: ["number", "object"], properties: { n: { type: "number" } } };
    expect(() => jsonParser(schema).parse(text)).toThrow(expect.objectContaining({ code: "schema" }));
  });

  test.each(['{"N": 1, "n": 2}', '{"N": "1", "n": 2,}', '{"n": "x", "n": 2}'])(
    "refuses %s in a whole text as in a stream, although the schema allows one of its readings",
    async (text) => {
      const parser = jsonParser(z.object({ n: z.int() }));
      const { error } = await failure(pipe(from([text]), parser.final));
      expect(error.code).toBe("schema");
      expect(() => parser.parse(text)).toThrow(
        expect.objectContaining({ code: "schema", message: error.message }),
      );
    },
  );

  test("takes that document without coercion too, and skips documents that are cut or invalid", async () => {
    const name = z.object({ name: z.string() });
    const text = 'The form is {"type": "object"}. So: {"name": "Ada"}.';
    for (const options of [{}, { coerce: false }]) {
      const parser = jsonParser(name, options);
      expect(parser.parse(text)).toEqual({ name: "Ada" });
      expect(await collect(pipe(from([text]), parser.final))).toEqual([{ name: "Ada" }]);
      expect(parser.parse('{"nam": 1}\n{"nam": [:}\n{"name": "Ada"}')).toEqual({ name: "Ada" });
      expect(() => parser.parse('{"nam": 1}\n{"nam": 2')).toThrow(
        expect.objectContaining({ code: "schema" }),
      );
    }
  });

  test.each([
    ["cut", {}, '{"name": [], "steps": ["Boil'],
    ["cut, without coercion", { coerce: false }, '{"name": [], "steps": ["Boil'],
    ["invalid", {}, '{"name": [], "steps": [:'],
    ["invalid, when strict", { strict: true }, '{"name": [], "steps": [1,]}'],
  ])("reports a violation before the place where the text is %s", async (_where, options, output) => {
    const parser = jsonParser(recipe, options);
    const { error } = await failure(pipe(from([output]), parser.final));
    expect(error).toMatchObject({ code: "schema", issues: [{ pointer: "/name" }] });
    const { message, issues } = error;
    expect(() => parser.parse(output)).toThrow(expect.objectContaining({ code: "schema", message, issues }));
  });

  test("reports a refusal", async () => {
    const { error } = await failure(pipe(from(["I am sorry, ", "I cannot do that."]), jsonParser().stream));
    expect(error).toMatchObject({ code: "refusal" });
    expect(error).not.toHaveProperty("value");
  });

  // G-parsers-5
  test("adds missing brackets only if the model was done", async () => {
    const cut = (finishReason: "stop" | "length"): Chunk[] => [
      { content: [{ type: "text", text: '{"a": {"b": true' }], finishReason },
    ];
    expect(await collect(pipe(from(cut("stop")), jsonParser().final))).toEqual([{ a: { b: true } }]);
    expect((await failure(pipe(from(cut("length")), jsonParser().final))).error.code).toBe("truncated");
  });

  test("reads the text of model chunks and skips those without any", async () => {
    const chunks: Chunk[] = [
      { content: [{ type: "reasoning", reasoning: "{" }] },
      { content: [{ type: "text", text: '["a."' }] },
      { content: [] },
      { content: [{ type: "text", text: ",2]" }], finishReason: "stop" },
    ];
    expect(await collect(pipe(from(chunks), jsonParser().stream))).toEqual([["a."], ["a.", 2]]);
  });

  test("parses a whole output, as text or as a message", () => {
    expect(jsonParser(recipe).parse(text)).toEqual(JSON.parse(text));
    expect(jsonParser(recipe).parse({ role: "assistant", content: [{ type: "text", text }] })).toEqual(
      JSON.parse(text),
    );
    expect(() => jsonParser(recipe).parse('{"name": "T')).toThrow(
      expect.objectContaining({ code: "truncated" }),
    );
    expect(() => jsonParser(recipe).parse("{}")).toThrow(expect.objectContaining({ code: "schema" }));
  });

  test('keeps a truncated document with onTruncated "keep"', async () => {
    const kept = jsonParser(undefined, { onTruncated: "keep" });
    expect(await collect(pipe(from(['{"a": [1, 2', "3"]), kept.final))).toEqual([{ a: [1] }]);
  });

  test('does not read an empty text as null, even with onTruncated "keep"', async () => {
    const kept = jsonParser(undefined, { onTruncated: "keep" });
    expect((await failure(pipe(from(["no JSON"]), kept.final))).error).toMatchObject({ code: "truncated" });
    expect(() => kept.parse("")).toThrow(expect.objectContaining({ code: "truncated" }));
  });

  test("puts the schema of the input into the instructions", () => {
    const schema = z.object({ n: z.string().transform(Number) });
    expect(jsonParser(schema).instructions).toContain('"n":{"type":"string"}');
    expect(jsonParser().instructions).toMatch(/JSON/);
  });

  test("puts one example into the instructions, and can parse it", () => {
    const parser = jsonParser(recipe);
    expect(parser.instructions.split("\n")).toEqual([
      expect.any(String),
      JSON.stringify(schemaOf(recipe).jsonSchema),
      expect.any(String),
      '{"name":"text","minutes":1,"steps":["text"]}',
    ]);
    expect(parser.parse(parser.instructions.split("\n").at(-1) as string)).toEqual({
      ...{ name: "text", minutes: 1, steps: ["text"] },
    });
  });

  test("puts no example into the instructions if none satisfies the schema", () => {
    const { instructions } = jsonParser(z.string().regex(/^[A-Z]{3}$/));
    expect(instructions.split("\n")).toHaveLength(2);
    expect(jsonParser().instructions).not.toContain("\n");
  });

  test("can be used for many streams at once", async () => {
    const parser = jsonParser(recipe);
    const runs = [1, 2, 5].map((size) => collect(pipe(from(blocks(text, size)), parser.final)));
    expect(await Promise.all(runs)).toEqual([[JSON.parse(text)], [JSON.parse(text)], [JSON.parse(text)]]);
  });

  test("closes the source when the document is invalid", async () => {
    let closed = 0;
    async function* model(): AsyncGenerator<string> {
      try {
        yield "{]";
        yield "never";
      } finally {
        closed++;
      }
    }
    await failure(pipe(model(), jsonParser().stream));
    expect(closed).toBe(1);
  });
});
