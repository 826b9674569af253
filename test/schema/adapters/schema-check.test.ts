import { type } from "arktype";
import { collect, from, jsonParser, pipe } from "millrace";
import {
  guardOf,
  schemaOf,
  arktype,
  coerce,
  jsonSchema,
  SchemaError,
  SchemaViolation,
  valibot,
  zod,
} from "millrace/schema";
import { JsonParser } from "millrace/json";
import type { SchemaCheck } from "millrace/schema";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const checks: readonly (readonly [name: string, check: SchemaCheck<unknown, { stars: number }>])[] = [
  ["zod", zod(z.object({ stars: z.int().max(5) }))],
  ["valibot", valibot(v.object({ stars: v.pipe(v.number(), v.integer(), v.maxValue(5)) }))],
  ["arktype", arktype(type({ stars: "number.integer <= 5" }))],
  [
    "jsonSchema",
    jsonSchema({
      properties: { stars: { type: "integer", maximum: 5 } },
      required: ["stars"],
    }) as unknown as SchemaCheck<unknown, { stars: number }>,
  ],
];

describe.each(checks)("%s()", (_name, check) => {
  test("validates an answer", async () => {
    expect(await check.validate({ stars: 4 })).toMatchObject({ value: { stars: 4 } });
    expect(await check.validate({ stars: 6 })).toMatchObject({ issues: [{ pointer: "/stars" }] });
  });

  test("guards a stream, at its first wrong character", () => {
    const parser = new JsonParser({ guard: check.guard() });
    parser.write('{"stars": 9');
    expect(() => {
      parser.write("}");
    }).toThrow(SchemaViolation);
  });

  test("refuses a value of another type without coerce, and reads it with coerce", () => {
    expect(() => {
      new JsonParser({ guard: check.guard(), coerce: true }).write('{"stars": "4"}');
    }).toThrow(SchemaViolation);
    const parser = new JsonParser({ guard: check.guard(coerce), coerce: true });
    parser.write('{"stars": "4"}');
    expect(parser.value).toEqual({ stars: 4 });
  });

  test("is accepted where a schema is, with its types", async () => {
    expect(schemaOf(check)).toBe(check);
    expect(() => {
      new JsonParser({ guard: guardOf(check) }).write('{"stars": 9}');
    }).toThrow(SchemaViolation);
    const [value] = await collect(pipe(from(['{"stars": "4"}']), jsonParser(check).final));
    expect(value?.stars).toBe(4);
  });

  test("is a Standard Schema", async () => {
    const { issues } = await check["~standard"].validate({ stars: 6 });
    expect(issues).toHaveLength(1);
  });
});

test("zod() refuses a schema of another library, and says what it expects", () => {
  expect(() => zod(v.string())).toThrow(SchemaError);
  expect(() => zod(v.string())).toThrow(/Zod 4/);
});

test("coerce reads a document in a string only with a parser for it", () => {
  const check = zod(z.object({ list: z.array(z.int()) }));
  const text = '{"list": "[1, 2]"}';
  expect(() => {
    new JsonParser({ guard: check.guard(coerce), coerce: true }).write(text);
  }).toThrow(SchemaViolation);
  const parser = new JsonParser({ guard: guardOf(check), coerce: true });
  parser.write(text);
  expect(parser.value).toEqual({ list: [1, 2] });
});

test.each([
  ["an error", new Error("No."), "No."],
  ["a text", "No.", "No."],
  ["an object that is no text", Object.create(null) as object, "a value of type object"],
  ["a revoked proxy", revoked(), "a value of type object"],
])("a library that throws %s instead of a JSON Schema gives a SchemaError", (_name, thrown, words) => {
  const input = (): never => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- a library may throw anything
    throw thrown;
  };
  const validate = (value: unknown): { readonly value: unknown } => ({ value });
  const schema = schemaOf({
    "~standard": { version: 1, vendor: "other", validate, jsonSchema: { input, output: input } },
  } as never);
  expect(() => schema.jsonSchema).toThrow(SchemaError);
  expect(() => schema.jsonSchema).toThrow(`cannot be converted to JSON Schema: ${words}`);
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
