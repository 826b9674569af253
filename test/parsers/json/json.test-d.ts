import {
  jsonParser,
  type Chunk,
  type DeepPartial,
  type JsonPatch,
  type JsonValue,
  type Operator,
} from "millrace";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

test("what a schema says is what the views give", () => {
  const schema = z.object({
    mood: z.enum(["good", "bad"]),
    n: z.string().transform(Number),
    list: z.array(z.object({ a: z.number() })).default([]),
  });
  const parser = jsonParser(schema);
  // While it streams: what the model writes, any part of it missing.
  expectTypeOf(parser.stream).toEqualTypeOf<
    Operator<Chunk, { mood?: "good" | "bad"; n?: string; list?: { a?: number }[] | undefined }>
  >();
  // At the end: what the schema makes of it.
  expectTypeOf(parser.final).toEqualTypeOf<
    Operator<Chunk, { mood: "good" | "bad"; n: number; list: { a: number }[] }>
  >();
  expectTypeOf(parser.parse("")).toEqualTypeOf<z.output<typeof schema>>();
  expectTypeOf(parser.patches).toEqualTypeOf<Operator<Chunk, JsonPatch>>();
  expectTypeOf(parser.items("/list")).toEqualTypeOf<Operator<Chunk, JsonValue>>();
  expectTypeOf(parser.items("/list", z.object({ a: z.number() }))).toEqualTypeOf<
    Operator<Chunk, { a: number }>
  >();
});

test("without a schema, or with JSON Schema, the values are JSON", () => {
  expectTypeOf(jsonParser().final).toEqualTypeOf<Operator<Chunk, JsonValue>>();
  expectTypeOf(jsonParser({ type: "object" }).final).toEqualTypeOf<Operator<Chunk, JsonValue>>();
});

test("DeepPartial keeps literals whole and leaves out any property", () => {
  expectTypeOf<DeepPartial<{ a: { b: 1 | 2; c: string[] } }>>().toEqualTypeOf<{
    a?: { b?: 1 | 2; c?: string[] };
  }>();
});
