import { extractAll, type Extraction } from "millrace";
import { scriptedModel } from "millrace/testing";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

const model = scriptedModel([]);
const schema = z.object({ n: z.int() });

test("the types of the input and of the object are inferred", () => {
  const rows = [{ id: 1, text: "one" }];
  const results = extractAll(rows, { model, schema, prompt: ({ text }) => text });
  expectTypeOf(results).toEqualTypeOf<
    AsyncIterable<Extraction<{ n: number }, { id: number; text: string }>>
  >();
  const lists = extractAll(new Set(["a"]), { model, schema, elements: true });
  expectTypeOf(lists).toEqualTypeOf<AsyncIterable<Extraction<{ n: number }[], string>>>();
});
