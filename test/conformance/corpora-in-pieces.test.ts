import { existsSync, readFileSync } from "node:fs";
import { Allow } from "millrace/json";
import { guardOf, SchemaError, type JsonSchema } from "millrace/schema";
import { everyCut, randomPartitions } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { type InWords, parserOf } from "../support/parser-of.js";

const file = "../shared/corpora/repair.jsonl";

interface Row {
  readonly input: string;
  readonly schema?: JsonSchema;
}

/** Everything that must not depend on how the text is cut. */
function reading(chunks: Iterable<string>, options: InWords, schema: JsonSchema | undefined): unknown {
  const reports: unknown[] = [];
  const parser = parserOf({
    ...options,
    ...(schema !== undefined && { guard: guardOf(schema) }),
    onRepair: (repair) => reports.push(repair),
    onCoerce: (coercion) => reports.push(coercion),
  });
  let error: unknown;
  try {
    for (const chunk of chunks) {
      parser.write(chunk);
      parser.takePatch();
    }
    parser.end();
  } catch (thrown) {
    // The text around the error is as much as the parser has got by then.
    error = {
      ...(thrown as object),
      message: (thrown as Error).message,
      excerpt: undefined,
    };
  }
  return { value: parser.snapshot(), complete: parser.complete, error, reports };
}

const schemas: readonly (JsonSchema | undefined)[] = [
  undefined,
  { type: "array" },
  {
    type: "object",
    properties: { key: { type: "integer" }, a: { enum: ["b", "bc"] }, name: { type: "boolean" } },
    maxProperties: 3,
  },
  {
    anyOf: [
      { type: "object", properties: { key: { type: "number" } } },
      { type: "array", items: { type: "string" } },
    ],
  },
];
const all: readonly InWords[] = [
  { repair: true, extract: "auto" },
  { repair: true, extract: "auto", allow: Allow.ALL, onTruncated: "keep" },
  { repair: true, coerce: false },
  { repair: "strings", extract: "auto", allow: 0 },
  { extract: "auto", openThinking: true },
];

describe("the value, the error and the reports do not depend on the chunks", () => {
  test.skipIf(!existsSync(file))(`in the texts of ${file}, also with a part of another text`, () => {
    const rows = readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Row)
      .filter(({ input }) => input.length < 300);
    let checked = 0;
    rows.forEach(({ input, schema }, i) => {
      if (i % 3 > 0) return; // the suite must stay fast
      const other = (rows[(i * 7) % rows.length] as Row).input;
      const mixed = input.slice(0, (i * 13) % (input.length + 1)) + other.slice((i * 5) % (other.length + 1));
      for (const text of [input, mixed]) {
        const options = all[i % all.length] as InWords;
        const guarded = text === input && schema !== undefined ? schema : schemas[(i >> 2) % schemas.length];
        let whole: unknown;
        try {
          whole = reading([text], options, guarded);
        } catch (error) {
          if (error instanceof SchemaError) continue; // some suites test wrong schemas
          throw error;
        }
        for (const chunks of [[...text.split("")], ...randomPartitions(text, { seed: i, count: 1 })]) {
          checked++;
          expect(reading(chunks, options, guarded), JSON.stringify({ text, options, chunks })).toEqual(whole);
        }
      }
    });
    expect(checked).toBeGreaterThan(500);
  });

  // Found by mixing the texts. With a guard, the whole text and its pieces had other messages, values or reports.
  test.each<readonly [text: string, schema: JsonSchema, options: InWords]>([
    ['{"a": 1.0}', { properties: { a: { type: "boolean" } } }, {}],
    ['{"a": 12}', { properties: { a: { enum: ["b"] } } }, { allow: Allow.ALL }],
    ['{"a": true}', { properties: { a: { type: "integer" } } }, { repair: true, coerce: false }],
    ['{"a": "b"}', { properties: { a: { type: "integer" } } }, { allow: 0 }],
    ['{"a": "b\nc"}', { properties: { a: { type: "integer" } } }, { repair: true }],
    ['{"a": "b\nc"}', { properties: { a: { type: "integer" } } }, { repair: "strings" }],
    ['{"a": "b "c" d"}', { properties: { a: { type: "integer" } } }, { repair: true }],
    ['{"a": 2 b}', { properties: { a: { type: "boolean" } } }, { repair: true, coerce: false }],
    ['{"a": 2 b', {}, { repair: true, allow: Allow.ALL }],
    ['{"a": 30city', {}, { repair: true, allow: Allow.NUM | Allow.COLLECTION }],
    ['{"a": 30 "x": ]', {}, { repair: true, allow: Allow.NUM | Allow.COLLECTION }],
    [
      `{"a": "ONI ${"x ".repeat(30)} TWO"}`,
      { properties: { a: { enum: ["ONE", "TWO"] } } },
      { repair: true },
    ],
    [`{"a": "x${" y".repeat(120)}"}`, { properties: { a: { type: "object" } } }, { repair: true }],
    ['["k": "abc"]', { type: "array" }, { repair: true }],
    ["[1, 1e999]", { type: "array", maxItems: 1 }, { repair: true }],
    [
      '{"a": 12345678901234567890}',
      { properties: { a: { type: "boolean" } } },
      { repair: true, coerce: false },
    ],
  ])("in %j with the schema %j and %j", (text, schema, options) => {
    const whole = reading([text], options, schema);
    const ways = text.length > 60 ? randomPartitions(text, { seed: 1, count: 20 }) : everyCut(text);
    for (const chunks of [text.split(""), ...ways])
      expect(reading(chunks, options, schema), JSON.stringify(chunks)).toEqual(whole);
  });
});
