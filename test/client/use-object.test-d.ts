import { type } from "arktype";
import type { DeepPartial } from "millrace";
import { type ClientError, createObjectStore, createPatchStore, type PatchState } from "millrace/client";
import { useObject } from "millrace/react";
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
