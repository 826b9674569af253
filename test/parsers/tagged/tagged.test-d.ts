import {
  commaSeparatedListParser,
  jsonParser,
  taggedParser,
  textParser,
  numberedListParser,
  type NumberedListItem,
  type OutputParser,
} from "millrace";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

const parser = taggedParser(
  { text: textParser(), list: commaSeparatedListParser(), data: jsonParser(z.object({ n: z.int() })) },
  { optional: ["list"] },
);

test("parse() returns the result of each tag, which may be undefined for an optional one", () => {
  const result = parser.parse("");
  expectTypeOf(result.text).toEqualTypeOf<string>();
  expectTypeOf(result.data).toEqualTypeOf<{ n: number }>();
  expectTypeOf(result.list).toEqualTypeOf<string[] | undefined>();
  // @ts-expect-error there is no such tag
  expectTypeOf(result.other);
});

test("the tag of a part determines the type of its value", async () => {
  for await (const part of parser.stream((async function* () {})())) {
    if (part.tag === "data") expectTypeOf(part.value.n).toEqualTypeOf<number | undefined>();
    else expectTypeOf(part.value).toEqualTypeOf<string>();
  }
});

test("only existing tags can be optional", () => {
  // @ts-expect-error there is no such tag
  taggedParser({ text: textParser() }, { optional: ["other"] });
});

test("a list yields strings, or items with details", () => {
  expectTypeOf(numberedListParser()).toExtend<OutputParser<string[], string>>();
  expectTypeOf(numberedListParser({ nested: true })).toExtend<
    OutputParser<NumberedListItem[], NumberedListItem>
  >();
});
