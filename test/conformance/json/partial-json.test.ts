import fc from "fast-check";
import { Allow, JsonParser, type JsonValue } from "millrace";
import { parse as parsePartialJson } from "partial-json";
import { describe, expect, test } from "vitest";
import { jsonText } from "../../json/support/arbitraries.js";
import { runs } from "../../json/support/runs.js";
import { expectSame } from "../../json/support/same-json.js";

/**
 * What is shown of a text that has not ended, against `partial-json`, from which `allow` has its bits. Where it shows
 * something else than we do, and why, is the second half of this file; the property stays clear of that.
 */
describe("what is shown is what partial-json shows", () => {
  const text = jsonText({ surrogates: false, whiteSpace: false }).filter((json) => !json.includes("proto"));
  const flags = fc
    .subarray([Allow.STR, Allow.ARR, Allow.OBJ, Allow.NULL, Allow.BOOL])
    .map((some) => some.reduce((all, flag) => all | flag, 0));

  test("at every place, for every combination of strings, containers and literals", () => {
    let compared = 0;
    fc.assert(
      fc.property(text, flags, (json, allow) => {
        const parser = new JsonParser({ allow });
        for (let end = 1; end <= json.length; end++) {
          parser.write(json.charAt(end - 1));
          const prefix = json.slice(0, end);
          if (differs(prefix)) continue;
          compared++;
          expectSame(parser.snapshot(), partial(prefix, allow), prefix);
        }
      }),
      { numRuns: Math.ceil(runs / 4) },
    );
    expect(compared).toBeGreaterThan(runs);
  });
});

describe("what is shown is not what partial-json shows", () => {
  const usual = Allow.STR | Allow.COLLECTION;

  test.each<[string, number, string, unknown, JsonValue | undefined]>([
    ["white space at the end is part of an open string", usual, '["a ', ["a"], ["a "]],
    ["white space at the end ends a number", usual, "[12 ", [], [12]],
    ["a number at the root has not ended", usual, "12", 12, undefined],
    ["half a surrogate pair is not shown", usual, '["\ud83d', ["\ud83d"], [""]],
    ["half a surrogate pair is not shown, escaped", usual, '["\\ud83d', ["\ud83d"], [""]],
    ["a dot may follow a number that is shown", Allow.ALL, "[12.", [], [12]],
    ["so may a capital E", Allow.ALL, "[12E", [], [12]],
    ["an array may hold white space alone", Allow.COLLECTION, "[ ]", [], []],
    ["so may one that must be whole", 0, "[ ]", undefined, []],
    ["NaN is no JSON", Allow.ALL, "[NaN", [NaN], undefined],
  ])("%s", (_, allow, text, theirs, ours) => {
    expect(partial(text, allow)).toEqual(theirs);
    const parser = new JsonParser({ allow });
    try {
      parser.write(text);
      expectSame(parser.snapshot(), ours);
    } catch (error) {
      expect([ours, String(error)]).toEqual([undefined, expect.stringContaining("Expected a value")]);
    }
  });

  test("a member __proto__ is a member", () => {
    const text = '{"__proto__": {"admin": true}}';
    expect(Object.keys(parsePartialJson(text) as object)).toEqual([]);
    const parser = new JsonParser();
    parser.write(text);
    expect(Object.keys(parser.snapshot() as object)).toEqual(["__proto__"]);
  });
});

/** It throws where it has nothing to show. */
function partial(text: string, allow: number): JsonValue | undefined {
  try {
    return parsePartialJson(text, allow) as JsonValue;
  } catch {
    return undefined;
  }
}

/** It trims the text, and takes a number at the root for complete. */
function differs(prefix: string): boolean {
  return prefix !== prefix.trim() || /^[\d-]/.test(prefix.trim());
}
