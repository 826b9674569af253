import type { JsonObject } from "millrace";
import { JsonParser } from "millrace/json";
import { guardOf, schemaOf, SchemaViolation, type SchemaInput } from "millrace/schema";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";

/** What the guard says about a whole document; `undefined` if it accepts it. */
function violationOf(schema: SchemaInput, text: string): SchemaViolation | undefined {
  const parser = new JsonParser({ guard: guardOf(schema) });
  try {
    for (const character of text) parser.write(character);
    parser.end();
    return undefined;
  } catch (error) {
    if (error instanceof SchemaViolation) return error;
    throw error;
  }
}

/** For each keyword of the table, a value that breaks it. */
const broken: readonly (readonly [schema: JsonObject, text: string])[] = [
  [{ type: "string" }, "1 "],
  [{ type: "integer" }, "1.5 "],
  [{ type: ["integer", "null"] }, "true"],
  [{ const: "a" }, '"b"'],
  [{ enum: ["a", 2] }, "3 "],
  [{ enum: ["a"], nullable: true }, "null"],
  [{ minimum: 1 }, "0 "],
  [{ maximum: 5, minimum: 1 }, "9 "],
  [{ exclusiveMinimum: 1, maximum: 5 }, "1 "],
  [{ exclusiveMaximum: 5 }, "5 "],
  [
    { $schema: "http://json-schema.org/draft-04/schema#", minimum: 1, exclusiveMinimum: true, maximum: 2 },
    "1 ",
  ],
  [{ multipleOf: 3 }, "4 "],
  [{ multipleOf: 0.01 }, "0.001 "],
  [{ multipleOf: 0.1 }, "0.30000000000000004 "],
  [{ minLength: 2 }, '"a"'],
  [{ minLength: 2 }, '"😀"'],
  [{ pattern: "^a" }, '"b"'],
  [{ pattern: "^a", format: "shoe-size" }, '"b"'],
  [{ pattern: "^.$" }, '"ab"'],
  [{ format: "date" }, '"2024"'],
  [{ minItems: 2 }, "[1]"],
  [{ uniqueItems: true }, "[1, 1]"],
  [{ minProperties: 2 }, '{"a": 1}'],
  [{ dependentRequired: { a: ["b"] } }, '{"a": 1}'],
  [{ dependencies: { a: ["b"] } }, '{"a": 1}'],
];

describe("a keyword of a JSON Schema", () => {
  test.each(broken)(
    "%j refuses %s in the same words while it streams and at the end",
    async (schema, text) => {
      const violation = violationOf(schema, text);
      const { issues = [] } = await schemaOf(schema).validate(JSON.parse(text));
      const expected = issues.map(({ message }) => message.split(", but got ")[0]);
      expect(expected).toContain(`Expected ${violation?.expected}`);
    },
  );

  test("names both bounds of a range, for a model that would break the other one", async () => {
    const { issues = [] } = await schemaOf({ minimum: 1, exclusiveMaximum: 6 }).validate(6);
    expect(issues).toMatchObject([{ message: expect.stringMatching(/>= 1 and < 6/) as string }]);
  });

  test("is told by the size of the value that breaks it, not by those of other kinds", () => {
    const schema = { minItems: 2, minLength: 3, minProperties: 4 };
    expect(violationOf(schema, "[1]")?.expected).toMatch(/array.* 2/);
    expect(violationOf(schema, "[1]")?.expected).not.toMatch(/string|object/);
  });
});

describe("a keyword of a library's schema", () => {
  test.each<[string, SchemaInput, string]>([
    ["a multiple that Zod rounds", z.number().multipleOf(0.1), "0.30000000000000004 "],
    ["a length in UTF-16 code units", z.string().min(2), '"😀"'],
    ["a length in code points", z.string().max(1), '"😀"'],
    ["a length that Valibot counts", v.pipe(v.string(), v.minLength(2)), '"😀"'],
    ["a pattern that matches without the flag u only", z.string().regex(/^..$/), '"😀"'],
    ["a pattern that matches with the flag u only", z.string().regex(/^.$/u), '"😀"'],
  ])("accepts what any library accepts: %s", (_name, schema, text) => {
    expect(violationOf(schema, text)).toBeUndefined();
  });

  test.each<[string, SchemaInput, string]>([
    ["a number between two steps", z.number().multipleOf(0.1), "0.35 "],
    ["a string that is too short in both counts", z.string().min(3), '"😀"'],
    ["a string that no reading of the pattern matches", z.string().regex(/^a/), '"😀"'],
  ])("refuses what no library accepts: %s", (_name, schema, text) => {
    expect(violationOf(schema, text)).toBeInstanceOf(SchemaViolation);
  });
});
