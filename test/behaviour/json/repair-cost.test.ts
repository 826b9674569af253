import type { JsonObject } from "millrace";
import { guardOf } from "millrace/schema";
import type { JsonGuard } from "millrace/json";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { charactersSearched, type CountedPackage, countedPackage } from "../../support/counted-steps.js";
import { blocks } from "../../support/pieces.js";

let counted: CountedPackage;

beforeAll(async () => {
  counted = await countedPackage();
});

afterAll(() => {
  counted.close();
});

const schema: JsonObject = {
  $defs: {
    value: {
      anyOf: [
        { type: "object", properties: { a: { $ref: "#/$defs/value" } } },
        { type: "array", items: { $ref: "#/$defs/value" } },
        { type: "string" },
      ],
    },
  },
  $ref: "#/$defs/value",
};

/** The steps for each character of the last part of a text. */
function stepsPerCharacter(before: string, last: string, size: number, guard?: JsonGuard): number {
  const { extract, fast, JsonParser, repair } = counted.millrace;
  const options = { repair, fast, ...(guard && { extract, guard }) };
  const steps = (text: string): number =>
    counted.stepsOf(() => {
      const parser = new JsonParser(options);
      for (const chunk of blocks(text, size)) parser.write(chunk);
    });
  return (steps(before + last) - steps(before)) / last.length;
}

// G-json-1
describe("a repair costs the same at any depth:", () => {
  test.each([
    ["closing brackets in objects", '{"a":{', "", "]"],
    ["closing parentheses in objects", '{"a":{', "", ")"],
    ["closing braces in arrays", "[", "", "}"],
    ["closing brackets with white space between them", '{"a":{', "", "] "],
    ["closing brackets with comments between them", '{"a":{', "", "]/**/"],
    ["closing brackets after a value", '{"a":', '"x"', "]"],
    ["quotes before closing braces in a string", "[", '"x', '"} y'],
  ])("%s", (_, opening, before, repeated) => {
    const last = repeated.repeat(2_000 / repeated.length);
    const depths = [300, 900].map((depth) => opening.repeat(depth) + before);
    for (const guard of [undefined, guardOf(schema)]) {
      for (const size of [1, 7, 64, 100_000]) {
        const [shallow = 0, deep = 0] = depths.map((text) => stepsPerCharacter(text, last, size, guard));
        expect(shallow).toBeGreaterThan(1);
        expect(deep).toBeLessThan(1.5 * shallow);
      }
    }
  });

  test("a run of closing brackets that close nothing is looked ahead once, not from each of them", () => {
    for (const size of [4_000, 100_000])
      expect(stepsPerCharacter('{"a":{'.repeat(900), "]".repeat(10_000), size)).toBeLessThan(90);
  });
});

// G-json-1
describe("a look ahead does not read again what the one before it has read:", () => {
  test.each([
    ["strings with semicolons between them", '["', '"; "'],
    ["strings without commas", '["', '" "'],
    ["strings in other quotes", "[", "\t”"],
    ["words of LaTeX", '{"a": "', "\\tau"],
    ["words of LaTeX in a key", '{"', "\\tau"],
    ["line feeds in a key", '{"a', "\n"],
    ["line feeds and spaces in a key", '{"a', "\n "],
    ["digits between the quotes of a key", "{", "'''１２"],
    ["brackets of quotations that do not close", "[", "，「"],
  ])("%s", (_, before, repeated) => {
    const last = repeated.repeat(8_000 / repeated.length);
    for (const size of [1, 7, 64, 100_000]) expect(stepsPerCharacter(before, last, size)).toBeLessThan(400);
  });
});

// G-json-1
test.each([
  ["a comment", "[", "/*a*/1,"],
  ["thinking", "", "<think>a</think>"],
])("line feeds are counted only in the text that is skipped: %s", async (_, before, repeated) => {
  const { extract, JsonParser, repair } = counted.millrace;
  const searched = (count: number): Promise<number> =>
    charactersSearched(() => new JsonParser({ repair, extract }).write(before + repeated.repeat(count)));
  expect(await searched(4_000)).toBeLessThan(5 * (await searched(1_000)));
});
