import type { JsonValue } from "millrace";
import type { DeepPartial } from "millrace/json";
import type { InputOf, SchemaInput } from "millrace/schema";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

test("any property may be missing, and arrays keep the type of their elements", () => {
  expectTypeOf<DeepPartial<{ a: { b: number }[] }>>().toEqualTypeOf<{
    readonly a?: readonly { readonly b?: number }[];
  }>();
  expectTypeOf<DeepPartial<{ a: readonly { b: number }[] }>>().toEqualTypeOf<{
    readonly a?: readonly { readonly b?: number }[];
  }>();
  expectTypeOf<DeepPartial<string[]>>().toEqualTypeOf<readonly string[]>();
});

test("a tuple may end early", () => {
  expectTypeOf<DeepPartial<[string, { a: number }]>>().toEqualTypeOf<
    readonly [string?, { readonly a?: number }?]
  >();
  expectTypeOf<DeepPartial<readonly [1, 2]>>().toEqualTypeOf<readonly [1?, 2?]>();
});

test("a union is partial member by member, and always has its discriminator", () => {
  type Shape = { kind: "circle"; r: number } | { kind: "square"; side: number };
  type PartialShape =
    | { readonly kind: "circle"; readonly r?: number }
    | { readonly kind: "square"; readonly side?: number };
  expectTypeOf<DeepPartial<Shape>>().toEqualTypeOf<PartialShape>();
  expectTypeOf<DeepPartial<{ shapes: (Shape | string | null)[] }>>().toEqualTypeOf<{
    readonly shapes?: readonly (PartialShape | string | null)[];
  }>();
  const area = (shape: DeepPartial<Shape>): number | undefined => {
    switch (shape.kind) {
      case "circle":
        return shape.r;
      case "square":
        return shape.side;
    }
  };
  expectTypeOf(area).returns.toEqualTypeOf<number | undefined>();
});

test("a property that does not tell the members of a union apart may be missing", () => {
  type Named = { name: string; a: 1 } | { name: "x"; b: 1 };
  expectTypeOf<DeepPartial<Named>>().toEqualTypeOf<
    { readonly name?: string; readonly a?: 1 } | { readonly name?: "x"; readonly b?: 1 }
  >();
  type Optional = { kind?: "a" } | { kind: "b" };
  expectTypeOf<DeepPartial<Optional>>().toEqualTypeOf<{ readonly kind?: "a" } | { readonly kind?: "b" }>();
  type Flags = { on: boolean; a: 1 } | { on: true; b: 1 };
  expectTypeOf<DeepPartial<Flags>>().toEqualTypeOf<
    { readonly on?: boolean; readonly a?: 1 } | { readonly on?: true; readonly b?: 1 }
  >();
  type Pattern = { id: `a-${string}`; a: 1 } | { id: "b"; b: 1 };
  expectTypeOf<DeepPartial<Pattern>>().toEqualTypeOf<
    { readonly id?: `a-${string}`; readonly a?: 1 } | { readonly id?: "b"; readonly b?: 1 }
  >();
});

test("a union of an object and others is partial member by member", () => {
  expectTypeOf<DeepPartial<{ a: string | { b: 1 }[] | null }>>().toEqualTypeOf<{
    readonly a?: string | readonly { readonly b?: 1 }[] | null;
  }>();
});

test("enums, literals and other scalars are whole or absent", () => {
  expectTypeOf<DeepPartial<{ a: "x" | "y"; b: 1 | null; c: boolean }>>().toEqualTypeOf<{
    readonly a?: "x" | "y";
    readonly b?: 1 | null;
    readonly c?: boolean;
  }>();
  type Id = string & { readonly brand: unique symbol };
  expectTypeOf<DeepPartial<{ id: Id }>>().toEqualTypeOf<{ readonly id?: Id }>();
  expectTypeOf<DeepPartial<{ at: Date }>>().toEqualTypeOf<{ readonly at?: Date }>();
});

test("records keep the type of their values", () => {
  expectTypeOf<DeepPartial<Record<"a" | "b", { c: number }>>>().toEqualTypeOf<{
    readonly a?: { readonly c?: number };
    readonly b?: { readonly c?: number };
  }>();
  expectTypeOf<DeepPartial<Record<string, { c: number }>>[string]>().toEqualTypeOf<
    { readonly c?: number } | undefined
  >();
});

test("unknown and any stay unchanged", () => {
  expectTypeOf<DeepPartial<unknown>>().toBeUnknown();
  expectTypeOf<DeepPartial<ReturnType<typeof JSON.parse>>>().toBeAny();
});

test("a complete value is a partial value, and so is JSON of any depth", () => {
  expectTypeOf<{ a: [1] }>().toExtend<DeepPartial<{ a: [1, 2]; b: string }>>();
  expectTypeOf<JsonValue>().toExtend<DeepPartial<JsonValue>>();
});

declare function partialOf<S extends SchemaInput>(schema: S): DeepPartial<InputOf<S>>;

test("each library gives the type of the input, before transforms", () => {
  const zod = z.object({ at: z.iso.datetime().transform((text) => new Date(text)), n: z.int().default(1) });
  expectTypeOf(partialOf(zod)).toEqualTypeOf<{ readonly at?: string; readonly n?: number | undefined }>();
  const valibot = v.object({ n: v.pipe(v.string(), v.transform(Number)), tags: v.array(v.string()) });
  expectTypeOf(partialOf(toStandardJsonSchema(valibot))).toEqualTypeOf<{
    readonly n?: string;
    readonly tags?: readonly string[];
  }>();
  const ark = type({ n: "string.numeric.parse", "mood?": "'good'|'bad'" });
  expectTypeOf(partialOf(ark)).toEqualTypeOf<{ readonly n?: string; readonly mood?: "good" | "bad" }>();
});
