import { type } from "arktype";
import type { JsonValue } from "millrace";
import type { DeepPartial } from "millrace/json";
import { type ClientError, createObjectStore, createPatchStore, type PatchState } from "millrace/client";
import { Streamed, useObject } from "millrace/react";
import * as v from "valibot";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

const recipe = z.object({
  title: z.string(),
  minutes: z.string().transform(Number),
  steps: z.string().array(),
});
interface Recipe {
  title: string;
  minutes: string;
  steps: string[];
}

test("the object has the type that the model writes, from any Standard Schema", () => {
  const { object, error } = useObject({ api: "/", schema: recipe });
  expectTypeOf(object).toEqualTypeOf<DeepPartial<Recipe> | undefined>();
  expectTypeOf(error).toEqualTypeOf<ClientError | undefined>();
  const valibot = useObject({ api: "/", schema: v.object({ title: v.string() }) });
  expectTypeOf(valibot.object).toEqualTypeOf<{ readonly title?: string } | undefined>();
  const arktype = useObject({ api: "/", schema: type({ title: "string" }) });
  expectTypeOf(arktype.object).toEqualTypeOf<{ readonly title?: string } | undefined>();
  const store = createObjectStore({ api: (id) => `/runs/${id}`, schema: recipe });
  expectTypeOf(store.getState().object).toEqualTypeOf<DeepPartial<Recipe> | undefined>();
});

test("the type of the schema is enough, or that of the object", () => {
  expectTypeOf(useObject<typeof recipe>({ api: "/" }).object).toEqualTypeOf<
    DeepPartial<Recipe> | undefined
  >();
  expectTypeOf(useObject<Recipe>({ api: "/" }).object).toEqualTypeOf<DeepPartial<Recipe> | undefined>();
  expectTypeOf(useObject<Recipe[]>({ api: "/" }).object).toEqualTypeOf<
    readonly DeepPartial<Recipe>[] | undefined
  >();
  expectTypeOf(useObject({ api: "/" }).object).toEqualTypeOf<unknown>();
});

test("a list and several schemas have their types", () => {
  const list = useObject({ api: "/", schema: recipe, elements: true });
  expectTypeOf(list.object).toEqualTypeOf<readonly DeepPartial<Recipe>[] | undefined>();
  const either = useObject({ api: "/", schema: [recipe, z.object({ question: z.string() })] });
  expectTypeOf(either.object).toEqualTypeOf<DeepPartial<Recipe | { question: string }> | undefined>();
});

test("a part of a shared store has its type", () => {
  const store = createObjectStore({ api: "/", schema: recipe });
  expectTypeOf(useObject(store, ({ object }) => object?.title)).toEqualTypeOf<string | undefined>();
  expectTypeOf(useObject(store)).toEqualTypeOf<ReturnType<typeof store.getState>>();
  const patches = createPatchStore<Recipe>();
  expectTypeOf(useObject(patches)).toEqualTypeOf<PatchState<Recipe>>();
});

test("a JSON Schema has no type", () => {
  // @ts-expect-error: write useObject<Recipe>({ api })
  useObject({ api: "/", schema: { type: "object" } });
});

test("a selected part has the type of its place", () => {
  const store = createObjectStore({ api: "/", schema: recipe });
  const at: number = 2;
  expectTypeOf(store.select("/title").getSnapshot()).toEqualTypeOf<string | undefined>();
  expectTypeOf(store.select("/steps").getSnapshot()).toEqualTypeOf<readonly string[] | undefined>();
  expectTypeOf(store.select(`/steps/${at}`).getSnapshot()).toEqualTypeOf<string | undefined>();
  expectTypeOf(useObject(store.select(""), ({ value }) => value?.title)).toEqualTypeOf<string | undefined>();
  const anyPointer: string = "/title";
  expectTypeOf(store.select(anyPointer).getState().value).toEqualTypeOf<DeepPartial<JsonValue> | undefined>();
  store.onComplete("/steps", (steps) => expectTypeOf(steps).toEqualTypeOf<string[]>());
  // @ts-expect-error The schema has no "name" at the root.
  store.select("/name");
  // @ts-expect-error The schema has no "0" at "/title".
  store.onComplete("/title/0", () => undefined);
  // @ts-expect-error A JSON Pointer is "" or begins with "/": "/title".
  store.select("title");
  const spec = createPatchStore<{ elements: Record<string, { type: string }> }>();
  const key: string = "a";
  expectTypeOf(spec.select(`/elements/${key}`).getSnapshot()).toEqualTypeOf<
    { readonly type?: string } | undefined
  >();
  expectTypeOf(createPatchStore().select("/a").getSnapshot()).toEqualTypeOf<
    DeepPartial<JsonValue> | undefined
  >();
});

test("<Streamed> shows parts of a value, or with a fallback only the complete one", () => {
  interface Card {
    title: string;
    tags: string[];
  }
  const of = createPatchStore<{ card: Card }>().select("/card");
  void Streamed({
    of,
    children: (card, isComplete) => {
      expectTypeOf(card).toEqualTypeOf<DeepPartial<Card>>();
      expectTypeOf(isComplete).toEqualTypeOf<boolean>();
      return null;
    },
  });
  void Streamed({
    of,
    pending: "…",
    incomplete: (card) => {
      expectTypeOf(card).toEqualTypeOf<DeepPartial<Card>>();
      return null;
    },
    children: (card) => {
      expectTypeOf(card).toEqualTypeOf<Card>();
      return null;
    },
  });
  // @ts-expect-error A whole store is not a part: write createPatchStore().select("").
  void Streamed({ of: createPatchStore<Card>(), children: () => null });
});
