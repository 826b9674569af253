import { jsonParser, type Chunk, type JsonObject, type JsonValue, type Operator } from "millrace";
import { type } from "arktype";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

/** Has the type of the values that an operator yields. */
function yielded<T>(_operator: Operator<Chunk, T>): T {
  return undefined as T;
}

test("items() takes the type of the elements from the pointer and the schema", () => {
  const parser = jsonParser(
    z.object({
      steps: z.array(z.string()),
      meals: z.array(z.object({ name: z.string(), tags: z.array(z.enum(["hot", "cold"])) })),
      inner: z.object({ "a/b": z.array(z.number()), "m~n": z.array(z.boolean()), "": z.array(z.null()) }),
      at: z.array(z.string().transform((text) => new Date(text))),
    }),
  );
  expectTypeOf(yielded(parser.items("/steps"))).toEqualTypeOf<string>();
  expectTypeOf(yielded(parser.items("/meals"))).toEqualTypeOf<{ name: string; tags: ("hot" | "cold")[] }>();
  expectTypeOf(yielded(parser.items("/meals/0/tags"))).toEqualTypeOf<"hot" | "cold">();
  expectTypeOf(yielded(parser.items("/inner/a~1b"))).toEqualTypeOf<number>();
  expectTypeOf(yielded(parser.items("/inner/m~0n"))).toEqualTypeOf<boolean>();
  expectTypeOf(yielded(parser.items("/inner/"))).toEqualTypeOf<null>();
  // The input type: transforms belong to the final check.
  expectTypeOf(yielded(parser.items("/at"))).toEqualTypeOf<string>();
});

test("the root may be the array, and a tuple has a type at each index", () => {
  expectTypeOf(yielded(jsonParser(z.array(z.number())).items(""))).toEqualTypeOf<number>();
  const tuple = jsonParser(z.tuple([z.array(z.string()), z.object({ a: z.array(z.number()) })]));
  expectTypeOf(yielded(tuple.items("/0"))).toEqualTypeOf<string>();
  expectTypeOf(yielded(tuple.items("/1/a"))).toEqualTypeOf<number>();
  expectTypeOf(yielded(tuple.items(""))).toEqualTypeOf<string[] | { a: number[] }>();
  // @ts-expect-error The schema has no "2" at the root.
  tuple.items("/2");
});

test("optional, nullable and union members are looked through", () => {
  const parser = jsonParser(
    z.object({
      optional: z.array(z.string()).optional(),
      nullable: z.object({ list: z.array(z.number()).nullable() }).nullish(),
      either: z.union([z.object({ list: z.array(z.string()) }), z.object({ list: z.array(z.number()) })]),
      mixed: z.union([z.string(), z.array(z.boolean())]),
      record: z.record(z.string(), z.array(z.number())),
    }),
  );
  expectTypeOf(yielded(parser.items("/optional"))).toEqualTypeOf<string>();
  expectTypeOf(yielded(parser.items("/nullable/list"))).toEqualTypeOf<number>();
  expectTypeOf(yielded(parser.items("/either/list"))).toEqualTypeOf<string | number>();
  expectTypeOf(yielded(parser.items("/mixed"))).toEqualTypeOf<boolean>();
  expectTypeOf(yielded(parser.items("/record/any key"))).toEqualTypeOf<number>();
});

test("recursive types are followed along the pointer", () => {
  interface Tree {
    children: Tree[];
  }
  const tree: z.ZodType<Tree, Tree> = z.lazy(() => z.object({ children: z.array(tree) }));
  expectTypeOf(yielded(jsonParser(tree).items("/children/0/children"))).toEqualTypeOf<Tree>();
});

test("elements of an unknown type are JSON", () => {
  expectTypeOf(yielded(jsonParser().items("/a/b"))).toEqualTypeOf<JsonValue>();
  expectTypeOf(yielded(jsonParser({ type: "object" }).items("/a"))).toEqualTypeOf<JsonValue>();
  const loose = jsonParser(z.looseObject({ a: z.unknown(), b: z.array(z.any()) }));
  expectTypeOf(yielded(loose.items("/a/0"))).toEqualTypeOf<JsonValue>();
  expectTypeOf(yielded(loose.items("/b"))).toEqualTypeOf<JsonValue>();
  expectTypeOf(yielded(loose.items("/c"))).toEqualTypeOf<JsonValue>();
  const pointer = "/steps" as string;
  expectTypeOf(yielded(jsonParser(z.object({ a: z.string() })).items(pointer))).toEqualTypeOf<JsonValue>();
});

test("a schema for the elements overrides the inferred type", () => {
  const parser = jsonParser(z.object({ list: z.array(z.string()) }));
  expectTypeOf(yielded(parser.items("/list", z.string().transform(Number)))).toEqualTypeOf<number>();
  // @ts-expect-error The schema has no "lists" at the root.
  parser.items("/lists", z.string());
});

test("other libraries' schemas work too", () => {
  const ark = jsonParser(type({ tags: "string[]", "n?": "number[]" }));
  expectTypeOf(yielded(ark.items("/tags"))).toEqualTypeOf<string>();
  expectTypeOf(yielded(ark.items("/n"))).toEqualTypeOf<number>();
});

test("a pointer that the schema rules out does not compile", () => {
  const parser = jsonParser(z.object({ name: z.string(), list: z.array(z.object({ a: z.number() })) }));
  // @ts-expect-error The schema has no "lists" at the root.
  parser.items("/lists");
  // @ts-expect-error The schema has no array at "/name".
  parser.items("/name");
  // @ts-expect-error The schema has no "first" at "/name".
  parser.items("/name/first");
  // @ts-expect-error The schema has no array at the root.
  parser.items("");
  // @ts-expect-error The schema has no "01" at "/list": an index has no leading zero.
  parser.items("/list/01/a");
  // @ts-expect-error The schema has no "-1" at "/list".
  parser.items("/list/-1/a");
  // @ts-expect-error A JSON Pointer is "" or begins with "/": "/list".
  parser.items("list");
  // @ts-expect-error In a JSON Pointer "~" is written "~0", and "/" in a key "~1".
  parser.items("/li~st");
});

test("the error contains the pointer", () => {
  const _parser = jsonParser(z.object({ name: z.string() }));
  expectTypeOf<Parameters<typeof _parser.items<"/list">>[0]>().toExtend<`${string}"list"${string}`>();
  expectTypeOf<Parameters<typeof _parser.items<"/name">>[0]>().toExtend<`${string}"/name"${string}`>();
});

test("a parser with typed items is still a parser of anything", () => {
  const parser = jsonParser(z.object({ list: z.array(z.string()) }));
  expectTypeOf(parser).toExtend<{ readonly final: Operator<Chunk, unknown> }>();
  expectTypeOf<JsonObject>().toExtend<JsonValue>();
});
