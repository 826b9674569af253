import {
  generateObject,
  type JsonPatch,
  type JsonValue,
  type ObjectStream,
  extractAll,
  streamObject,
  streamText,
  type Usage,
} from "millrace";
import type { DeepPartial } from "millrace/json";
import { scriptedModel } from "millrace/testing";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

const model = scriptedModel([]);
const person = z.object({
  name: z.string(),
  born: z.string().transform((text) => new Date(text)),
  tags: z.string().array(),
});
interface Person {
  name: string;
  born: Date;
  tags: string[];
}
interface Written {
  name: string;
  born: string;
  tags: string[];
}

test("each view has its type from the schema", () => {
  const stream = streamObject({ model, schema: person, prompt: "" });
  expectTypeOf(stream).toEqualTypeOf<ObjectStream<Person, Written>>();
  expectTypeOf(stream).toExtend<AsyncIterable<DeepPartial<Written>>>();
  expectTypeOf(stream.final).toEqualTypeOf<Promise<Person>>();
  expectTypeOf(stream.usage).toEqualTypeOf<Promise<Usage | undefined>>();
  expectTypeOf(stream.patches).toEqualTypeOf<AsyncIterable<JsonPatch>>();
  expectTypeOf(stream.items("/tags")).toEqualTypeOf<AsyncIterable<string>>();
  // @ts-expect-error: the schema has no array there
  stream.items("/name");
});

test("a list, a union and a JSON Schema have their types", async () => {
  const list = streamObject({ model, schema: person, elements: true, messages: [] });
  expectTypeOf(list.final).toEqualTypeOf<Promise<Person[]>>();
  expectTypeOf(list.partials).toEqualTypeOf<AsyncIterable<readonly DeepPartial<Written>[]>>();
  expectTypeOf(list.items("")).toEqualTypeOf<AsyncIterable<Written>>();
  const either = streamObject({ model, schema: [person, z.object({ question: z.string() })], prompt: "" });
  expectTypeOf(either.final).toEqualTypeOf<Promise<Person | { question: string }>>();
  const plain = await generateObject({ model, schema: { type: "object" }, prompt: "" });
  expectTypeOf(plain.object).toEqualTypeOf<JsonValue>();
  const whole = await generateObject({ model, schema: person, prompt: "" });
  expectTypeOf(whole.object).toEqualTypeOf<Person>();
});

test("a partial value of a discriminated union has its discriminator", () => {
  const schema = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("text"), text: z.string() }),
    z.object({ kind: z.literal("image"), url: z.string() }),
  ]);
  const call = streamObject({ model, schema, elements: true, prompt: "" });
  expectTypeOf(call.partials).toEqualTypeOf<
    AsyncIterable<
      readonly (
        | { readonly kind: "text"; readonly text?: string }
        | { readonly kind: "image"; readonly url?: string }
      )[]
    >
  >();
});

test("a call takes a signal that may be absent", () => {
  const signal = undefined as AbortSignal | undefined;
  streamObject({ model, schema: person, prompt: "", signal });
  streamText({ model, prompt: "", signal });
  extractAll([""], { model, schema: person, signal });
});

test("a call takes either a prompt or messages", () => {
  // @ts-expect-error: neither of the two
  streamObject({ model, schema: person });
  // @ts-expect-error: both of the two
  streamObject({ model, schema: person, prompt: "", messages: [] });
});
