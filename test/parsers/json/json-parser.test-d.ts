import { jsonParser, type Chunk, type JsonPatch, type JsonValue, type Operator } from "millrace";
import type { DeepPartial } from "millrace/json";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

test("the views have the types of the schema", () => {
  const schema = z.object({
    mood: z.enum(["good", "bad"]),
    n: z.string().transform(Number),
    list: z.array(z.object({ a: z.number() })).default([]),
  });
  const parser = jsonParser(schema);
  // While it streams: the input type, with any part missing.
  expectTypeOf(parser.stream).toEqualTypeOf<
    Operator<
      Chunk,
      {
        readonly mood?: "good" | "bad";
        readonly n?: string;
        readonly list?: readonly { readonly a?: number }[] | undefined;
      }
    >
  >();
  // At the end: the output type.
  expectTypeOf(parser.final).toEqualTypeOf<
    Operator<Chunk, { mood: "good" | "bad"; n: number; list: { a: number }[] }>
  >();
  expectTypeOf(parser.parse("")).toEqualTypeOf<z.output<typeof schema>>();
  expectTypeOf(parser.patches).toEqualTypeOf<Operator<Chunk, JsonPatch>>();
  expectTypeOf(parser.items("/list")).toEqualTypeOf<Operator<Chunk, { a: number }>>();
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
    readonly a?: { readonly b?: 1 | 2; readonly c?: readonly string[] };
  }>();
});

test("a partial value cannot be changed", () => {
  type Partial = DeepPartial<{ title: string; steps: { text: string }[]; size: [number, number] }>;
  const partial: Partial = { title: "Tea", steps: [{}], size: [1] };
  // @ts-expect-error partial values are read-only
  partial.title = "x";
  // @ts-expect-error read-only at any depth
  partial.steps![0]!.text = "x";
  // @ts-expect-error read-only arrays have no push()
  const push: unknown = partial.steps?.push;
  expectTypeOf(push).toBeUnknown();
  // @ts-expect-error tuples are read-only too
  partial.size![0] = 2;
});
