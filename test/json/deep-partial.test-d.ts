import type { DeepPartial, InputOf, JsonValue, SchemaInput } from "millrace";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

test("objects lose any property, arrays keep the type of their elements", () => {
  expectTypeOf<DeepPartial<{ a: { b: number }[] }>>().toEqualTypeOf<{ a?: { b?: number }[] }>();
  expectTypeOf<DeepPartial<{ a: readonly { b: number }[] }>>().toEqualTypeOf<{
    a?: readonly { b?: number }[];
  }>();
  expectTypeOf<DeepPartial<string[]>>().toEqualTypeOf<string[]>();
});

test("a tuple may end early", () => {
  expectTypeOf<DeepPartial<[string, { a: number }]>>().toEqualTypeOf<[string?, { a?: number }?]>();
  expectTypeOf<DeepPartial<readonly [1, 2]>>().toEqualTypeOf<readonly [1?, 2?]>();
});

test("a union is partial member by member, and keeps what tells its members apart", () => {
  type Shape = { kind: "circle"; r: number } | { kind: "square"; side: number };
  expectTypeOf<DeepPartial<Shape>>().toEqualTypeOf<
    { kind?: "circle"; r?: number } | { kind?: "square"; side?: number }
  >();
  expectTypeOf<DeepPartial<{ a: string | { b: 1 }[] | null }>>().toEqualTypeOf<{
    a?: string | { b?: 1 }[] | null;
  }>();
});

test("enums, literals and other scalars are whole or absent", () => {
  expectTypeOf<DeepPartial<{ a: "x" | "y"; b: 1 | null; c: boolean }>>().toEqualTypeOf<{
    a?: "x" | "y";
    b?: 1 | null;
    c?: boolean;
  }>();
  type Id = string & { readonly brand: unique symbol };
  expectTypeOf<DeepPartial<{ id: Id }>>().toEqualTypeOf<{ id?: Id }>();
  expectTypeOf<DeepPartial<{ at: Date }>>().toEqualTypeOf<{ at?: Date }>();
});

test("records keep the type of their values", () => {
  expectTypeOf<DeepPartial<Record<"a" | "b", { c: number }>>>().toEqualTypeOf<{
    a?: { c?: number };
    b?: { c?: number };
  }>();
  expectTypeOf<DeepPartial<Record<string, { c: number }>>[string]>().toEqualTypeOf<
    { c?: number } | undefined
  >();
});

test("unknown and any stay what they are", () => {
  expectTypeOf<DeepPartial<unknown>>().toBeUnknown();
  expectTypeOf<DeepPartial<ReturnType<typeof JSON.parse>>>().toBeAny();
});

test("what is whole is a partial value, and JSON may be as deep as it likes", () => {
  expectTypeOf<{ a: [1] }>().toExtend<DeepPartial<{ a: [1, 2]; b: string }>>();
  expectTypeOf<JsonValue>().toExtend<DeepPartial<JsonValue>>();
});

declare function partialOf<S extends SchemaInput>(schema: S): DeepPartial<InputOf<S>>;

test("each library says what arrives: the input, before transforms", () => {
  const zod = z.object({ at: z.iso.datetime().transform((text) => new Date(text)), n: z.int().default(1) });
  expectTypeOf(partialOf(zod)).toEqualTypeOf<{ at?: string; n?: number | undefined }>();
  const valibot = v.object({ n: v.pipe(v.string(), v.transform(Number)), tags: v.array(v.string()) });
  expectTypeOf(partialOf(toStandardJsonSchema(valibot))).toEqualTypeOf<{ n?: string; tags?: string[] }>();
  const ark = type({ n: "string.numeric.parse", "mood?": "'good'|'bad'" });
  expectTypeOf(partialOf(ark)).toEqualTypeOf<{ n?: string; mood?: "good" | "bad" }>();
});
