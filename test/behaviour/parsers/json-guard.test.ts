import { collect, from, jsonParser, OutputParserError, pipe } from "millrace";
import { guardOf, SchemaViolation } from "millrace/schema";
import { everyWay, spySource } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parserOf } from "../../support/parser-of.js";

const review = z.object({ mood: z.enum(["good", "bad"]), stars: z.int().max(5), text: z.string() });

async function read(stream: AsyncIterable<unknown>): Promise<{ items: unknown[]; error: OutputParserError }> {
  const items: unknown[] = [];
  try {
    for await (const item of stream) items.push(item);
  } catch (error) {
    if (error instanceof OutputParserError) return { items, error };
    throw error;
  }
  throw new Error("The stream ended without an error.");
}

describe("a schema guards the streams of its parser", () => {
  const chunks = ['{"mood": "good", ', '"stars": 9, "text": "', "more", " and more", '"}'];

  // G-schema-3
  test("the stream ends at the first invalid chunk, after the values before it, and the model is stopped", async () => {
    const source = spySource(chunks);
    const { items, error } = await read(pipe(source, jsonParser(review).stream));
    // A comma alone does not end the string, because repair is enabled.
    expect(items).toEqual([{}, { mood: "good" }]);
    expect(error).toMatchObject({
      code: "schema",
      value: { mood: "good" },
      issues: [{ pointer: "/stars" }],
    });
    expect(error.cause).toBeInstanceOf(SchemaViolation);
    expect(error.cause).toMatchObject({ code: "out_of_range", pointer: "/stars" });
    expect([source.pulls, source.returns, source.faults]).toEqual([2, 1, []]);
  });

  test("the values before the violation in its chunk are yielded before the error", async () => {
    const { items } = await read(pipe(from(['{"mood": "bad", "stars": 9']), jsonParser(review).stream));
    expect(items).toEqual([{ mood: "bad" }]);
    const patches = await read(pipe(from(['{"mood": "bad", "stars": 9}']), jsonParser(review).patches));
    expect(patches.items).toEqual([[{ op: "replace", path: "", value: { mood: "bad" } }]]);
  });

  test.each(["stream", "patches", "events", "final"] as const)(
    ".%s ends with the same error",
    async (view) => {
      const source = spySource(chunks);
      const { error } = await read(jsonParser(review)[view](source));
      expect(error.cause).toBeInstanceOf(SchemaViolation);
      expect(source.pulls).toBe(2);
    },
  );

  test("enums are complete in snapshots and patches", async () => {
    const parts = ['{"mood": "go', 'od", "text": "a', 'b", "stars": 1}'];
    expect(await collect(pipe(from(parts), jsonParser(review).stream))).toEqual([
      {},
      { mood: "good", text: "a" },
      { mood: "good", text: "ab", stars: 1 },
    ]);
    expect(await collect(pipe(from(parts), jsonParser(review, { append: true }).patches))).toEqual([
      [{ op: "replace", path: "", value: {} }],
      [
        { op: "add", path: "/mood", value: "good" },
        { op: "add", path: "/text", value: "a" },
      ],
      [
        { op: "append", path: "/text", value: "b" },
        { op: "add", path: "/stars", value: 1 },
      ],
    ]);
  });

  test("items are yielded when they are complete, even of a hidden array", async () => {
    const schema = z.object({ list: z.array(z.object({ m: z.enum(["a", "b"]) })).meta({ stream: "whole" }) });
    const seen: string[] = [];
    async function* model(): AsyncGenerator<string> {
      for (const chunk of ['{"list": [{"m": "a"', '}, {"m":', ' "b"}', "]}"]) {
        seen.push(chunk);
        yield chunk;
      }
    }
    for await (const item of pipe(model(), jsonParser(schema).items("/list")))
      seen.push(JSON.stringify(item));
    expect(seen).toEqual(['{"list": [{"m": "a"', '}, {"m":', '{"m":"a"}', ' "b"}', '{"m":"b"}', "]}"]);
  });

  test("a violation that only the end shows ends the stream too", async () => {
    const { error } = await read(pipe(from(['{"mood": "good"']), jsonParser(review).stream));
    expect(error).toMatchObject({ code: "schema", cause: { code: "missing_key" } });
  });
});

describe("a schema does not guard", () => {
  test("with guard: false, until the final check", async () => {
    const parser = jsonParser(review, { guard: false });
    const { items, error } = await read(
      pipe(from(['{"mood": "go', 'ne", "stars": 9, "text": ""}']), parser.stream),
    );
    expect(items).toEqual([{ mood: "go" }, { mood: "gone", stars: 9, text: "" }]);
    expect(error).toMatchObject({ code: "schema", issues: [{ pointer: "/mood" }, { pointer: "/stars" }] });
    expect(error.cause).toBeUndefined();
  });

  test("parse(), which has the whole text", () => {
    try {
      jsonParser(review).parse('{"mood": "gone", "stars": 9}');
    } catch (error) {
      expect((error as OutputParserError).issues.map(({ pointer }) => pointer)).toEqual([
        "/mood",
        "/stars",
        "/text",
      ]);
      return;
    }
    throw new Error("Nothing was wrong.");
  });

  test("without JSON Schema", async () => {
    const schema = z.object({
      at: z
        .string()
        .transform((text) => new Date(text))
        .pipe(z.date()),
      d: z.date().optional(),
    });
    expect(await collect(pipe(from(['{"at": "2024"', "}"]), jsonParser(schema).final))).toEqual([
      { at: new Date("2024") },
    ]);
  });
});

test("another guard replaces that of the schema", async () => {
  const parser = jsonParser(z.object({ a: z.string() }), {
    guard: guardOf({ properties: { a: { maxLength: 1 } } }),
  });
  const { error } = await read(pipe(from(['{"a": "b', "c"]), parser.stream));
  expect(error.cause).toMatchObject({ code: "too_long" });
});

test("the guard works with prose, fences and repairs", () => {
  const parser = parserOf({ guard: guardOf(review), extract: "auto", repair: true });
  parser.write("Here it is:\n```json\n{stars: 3, mood: ");
  expect(() => {
    parser.write("gone, text:");
  }).toThrow(/"good".*"bad".*\/mood.*"gon"/);
});

describe("with repair, the keys of the schema decide", () => {
  const schema = z.strictObject({ text: z.string(), n: z.int() });
  const parser = jsonParser(schema);

  test.each([
    { text: '{"text": "a "b", "c": d", "n": 1}', value: { text: 'a "b", "c": d', n: 1 } },
    { text: '{"text": "a "b", n: 1}', value: { text: 'a "b', n: 1 } },
    { text: '{"text": "a, "n": 1}', value: { text: "a", n: 1 } },
    { text: '{"text": "a, "c": d", "n": 1}', value: { text: 'a, "c": d', n: 1 } },
  ])("where the string of $text ends", async ({ text, value }) => {
    for (const chunks of everyWay(text, { count: 10 })) {
      expect(await collect(pipe(from(chunks), parser.final))).toEqual([value]);
    }
  });
});

test("an error of the guard does not depend on the chunks", () => {
  const guard = guardOf(
    z.object({ mood: z.enum(["good", "bad"]), name: z.string().regex(/^A/), n: z.int().optional() }),
  );
  for (const text of [
    '{"mood": "gone"}',
    '{"mood": "bad", "name": "Eve 😀"}',
    '{"n": "no number"}',
    '{"mood": {}}',
  ]) {
    const outcome = (chunks: readonly string[]): unknown => {
      const parser = parserOf({ guard, repair: true });
      try {
        for (const chunk of chunks) parser.write(chunk);
      } catch (error) {
        if (!(error instanceof SchemaViolation)) throw error;
        const { code, message, issue, value } = error;
        return { code, message, issue, value };
      }
      throw new Error("The guard accepted the text.");
    };
    const whole = outcome([text]);
    for (const chunks of everyWay(text, { count: 10 })) expect(outcome(chunks)).toEqual(whole);
  }
});
