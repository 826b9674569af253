import { from, jsonParser, OutputParserError, pipe } from "millrace";
import { extract, type JsonGuard, JsonParseError, JsonParser, repair } from "millrace/json";
import { guardOf, SchemaViolation } from "millrace/schema";
import { everyWay } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parserOf } from "../../support/parser-of.js";

const city = z.object({ city: z.string() });

async function read(schema: z.ZodType, text: string, chunks: readonly string[] = [text]): Promise<unknown> {
  const repairs: unknown[] = [];
  const parser = jsonParser(schema, { onRepair: ({ kind, offset }) => repairs.push([kind, offset]) });
  const shown: unknown[] = [];
  try {
    for await (const value of pipe(from(chunks), parser.stream)) shown.push(value);
  } catch (error) {
    if (!(error instanceof OutputParserError)) throw error;
    return { error: error.code, shown: shown.at(-1) };
  }
  return { value: shown.at(-1), repairs };
}

/** The number of errors that the guard makes for documents that are only tried. */
function errorsMade(text: string): number {
  let made = 0;
  const guarded = guardOf(city);
  const guard: JsonGuard = (next, reading) => {
    const refuse = reading?.refuse;
    const counted = refuse && ((createError: () => Error) => refuse(() => (made++, createError())));
    return guarded(next, { ...reading, refuse: counted });
  };
  const parser = parserOf({ extract: "auto", repair: true, guard });
  try {
    parser.write(text);
    parser.end();
  } catch (error) {
    if (!(error instanceof SchemaViolation)) throw error;
  }
  return made;
}

test("documents after an escaped one with a mistake are found, however the text is cut", () => {
  const text = String.raw`{"a":1}{\"\"{_}\{"`;
  for (const chunks of everyWay(text)) {
    const offsets: number[] = [];
    const parser = new JsonParser({ repair, extract, onRepair: ({ offset }) => offsets.push(offset) });
    for (const chunk of chunks) parser.write(chunk);
    parser.end();
    expect([parser.value, offsets]).toEqual([{ a: 1 }, [7, 16]]);
  }
});

// G-json-1: an error costs as much as a hundred characters.
test("no error is made for a document that is refused, except for the one that is thrown", () => {
  const refused = 'As {"city": 5}, '.repeat(20);
  expect(errorsMade(`${refused}{"city": "Oslo"}`)).toBe(0);
  expect(errorsMade(refused)).toBe(1);
});

describe("of several documents in a stream with a schema", () => {
  test.each<readonly [string, z.ZodType, unknown, number]>([
    ['As {"x": 1}: {"city": "Oslo"}.', city, { city: "Oslo" }, 3],
    ['As ["x", "y"]:\n{"city": "Oslo"}', city, { city: "Oslo" }, 3],
    ['So {"city": 5}, no: {"city": "Oslo"}', city, { city: "Oslo" }, 3],
    ['Use ["x", "y"]:\n[{"city": "Oslo"}]', z.array(city), [{ city: "Oslo" }], 4],
    ['As {"x": ["city"]}: {"city": "Oslo"}', city, { city: "Oslo" }, 3],
    ['As {"x": {"city": {"y": 1}}}: {"city": "Oslo"}', city, { city: "Oslo" }, 3],
    ['As {"a": "x"}: {"b": 1}', z.record(z.string(), z.number()), { b: 1 }, 3],
  ])(
    "the one that fits is taken, and the one before is reported: %s",
    async (text, schema, value, offset) => {
      for (const chunks of everyWay(text)) {
        expect(await read(schema, text, chunks)).toEqual({ value, repairs: [["extra_document", offset]] });
      }
    },
  );

  test("a document at the start of the text fails at once", async () => {
    const text = '{"town": "x"} {"city": "Oslo"}';
    expect(await read(city.strict(), text)).toEqual({ error: "schema", shown: {} });
    expect(jsonParser(city.strict()).parse(text)).toEqual({ city: "Oslo" });
  });

  test.each<readonly [string, z.ZodType, unknown]>([
    ['{"x": 1} {"city": "Oslo"}', city, { city: "Oslo" }],
    ['{"x": 1}, {"city": 5}, {"city": "Oslo"', city, { city: "Oslo" }],
    ['So {"city": "Oslo", "x": 1} {"city": "Rome"}', city.strict(), { city: "Rome" }],
    ["[] {a: 3}", z.object({ a: z.number() }), { a: 3 }],
    ['So {"x": 1} 42', z.number(), 42],
    [`${'{"x": 1} '.repeat(2_000)}{"city": "Oslo"}`, city, { city: "Oslo" }],
  ])("a whole text has the first that is valid to its end: %#", (text, schema, value) => {
    expect(jsonParser(schema).parse(text)).toEqual(value);
  });

  test("a part of a broken document is never one of them", () => {
    expect(() => jsonParser(city).parse('{"x": {"city": "Oslo"}, {{ "y": }')).toThrow(OutputParserError);
    expect(() => jsonParser(z.array(z.number())).parse('{"x": :[1], "y": [1]}')).toThrow(OutputParserError);
  });

  test("the error is that of the first one if none fits", () => {
    for (const chunks of everyWay('As {"x": 1}, {"y": 2}')) {
      const parser = parserOf({ extract: "auto", repair: true, guard: guardOf(city.strict()) });
      for (const chunk of chunks) parser.write(chunk);
      expect(() => {
        parser.end();
      }).toThrow(expect.objectContaining({ pointer: "/x" }));
    }
  });

  test("thousands of documents that do not fit are read", async () => {
    const text = `As ${'{"x": 1} '.repeat(5_000)}{"city": "Oslo"}`;
    expect(await read(city.strict(), text)).toMatchObject({ value: { city: "Oslo" } });
  });
});

describe("a <think> that the prompt opened", () => {
  const text = 'I try {"a": 1}.\n</think>\n{"a": 2}';

  test("is skipped with openThinking", () => {
    for (const end of ["</think>", "</thinking>", "</think >", "[/THINK]", "◁/think▷"]) {
      for (const chunks of everyWay(`I try {"a": 1}.${end}{"a": 2}`)) {
        const parser = parserOf({ extract: "auto", openThinking: true });
        for (const chunk of chunks) parser.write(chunk);
        parser.end();
        expect(parser.value).toEqual({ a: 2 });
      }
    }
  });

  test("is an error where its document was shown", () => {
    for (const chunks of everyWay(text)) {
      const parser = parserOf({ extract: "auto" });
      expect(() => {
        for (const chunk of chunks) parser.write(chunk);
        parser.end();
      }).toThrow(expect.objectContaining({ code: "thinking", offset: 25, line: 3, value: { a: 1 } }));
      expect(parser.value).toEqual({ a: 1 });
    }
  });

  test("is an error where another document ends the text, too", async () => {
    for (const after of ["[2]", "42", "[2]\n"]) {
      for (const chunks of everyWay(`[1]</think>${after}`)) {
        expect(await read(z.json(), "", chunks)).toMatchObject({ error: "invalid", shown: [1] });
      }
    }
    expect(jsonParser().parse("[1]\n</think>[2]")).toEqual([2]);
  });

  test("does not count in a whole text, where the last complete document after it is the result", () => {
    expect(jsonParser().parse(text)).toEqual({ a: 2 });
    expect(jsonParser().parse(`${text} then {"a": 3} and {"a": `)).toEqual({ a: 3 });
    expect(jsonParser(city).parse('{"city": "Rome"}?</think>{"city": "Oslo"}')).toEqual({ city: "Oslo" });
  });

  test("is followed by several documents in a whole text", () => {
    const after = '{"town": 1} {"city": "Oslo"} {"city": "Rome"}';
    expect(jsonParser(city, { openThinking: true }).parse(`Hm.</think>${after}`)).toEqual({ city: "Oslo" });
    expect(jsonParser(city).parse(`{"city": "Bern"}</think>${after}`)).toEqual({ city: "Oslo" });
    expect(jsonParser().parse(`{"city": "Bern"}</think>${after}`)).toEqual({ city: "Rome" });
    expect(jsonParser().parse(`{"city": "Bern"}</think>${after} {"city": "Par`)).toEqual({ city: "Rome" });
  });

  test("must end with openThinking", () => {
    const parser = parserOf({ extract: "auto", openThinking: true });
    parser.write('I try {"a": 1}.');
    expect(() => {
      parser.end();
    }).toThrow(JsonParseError);
  });
});

describe("a scalar in prose", () => {
  const mood = z.enum(["good", "very bad"]);
  test.each<readonly [string, z.ZodType, unknown]>([
    ["The answer is 42.", z.number(), 42],
    ["Answer: **42**", z.int(), 42],
    ["In total: $1,234.50", z.number(), 1234.5],
    ["The answer is True.", z.boolean(), true],
    ["No, it cost too much.", z.boolean(), false],
    ["The mood is very bad.", mood, "very bad"],
    ["Good. They liked it.", mood, "good"],
    ["good", mood, "good"],
    [" very bad\n", mood, "very bad"],
    ["**Good** is the answer.", mood, "good"],
    ["NOT URGENT", z.enum(["urgent", "not_urgent"]), "not_urgent"],
    ["Level: not urgent.", z.enum(["urgent", "not_urgent"]), "not_urgent"],
  ])("is read: %s", async (text, schema, value) => {
    for (const chunks of everyWay(text)) {
      expect(await read(schema, text, chunks)).toEqual({ value, repairs: [] });
    }
  });

  test.each<readonly [string, z.ZodType]>([
    ["It is 42 or 43.", z.number()],
    ["It is about 42.", z.number()],
    ["It was 2024-01-05.", z.number()],
    ["It takes 42 minutes.", z.number()],
    ["The answer is 42.", z.number().max(10)],
    ["The answer is 42.", z.string()],
    ["That is not true.", z.boolean()],
    ["No, that is true.", z.boolean()],
    ["It is very bad or good.", mood],
    ["The good one.", mood],
    ["not urgent", z.enum(["urgent", "normal"])],
    ["not urgent. It was urgent", z.enum(["urgent", "not_urgent"])],
    ["good", z.string()],
    ["", z.enum(["", "good"])],
    ["Good is the opposite of what I felt", mood],
    ["Good is not the answer", mood],
  ])("is not guessed: %s", async (text, schema) => {
    expect(await read(schema, text)).toMatchObject({ error: expect.any(String) as string, shown: undefined });
  });
});
