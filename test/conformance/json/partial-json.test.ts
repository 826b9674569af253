import fc from "fast-check";
import type { JsonValue } from "millrace";
import { Allow } from "millrace/json";
import { parse as parsePartialJson } from "partial-json";
import { describe, expect, test } from "vitest";
import { jsonText } from "../../json/support/arbitraries.js";
import { runs } from "../../json/support/runs.js";
import { expectSame } from "../../json/support/same-json.js";
import { parserOf } from "../../support/parser-of.js";

/**
 * The visible value of incomplete text, compared with `partial-json`, which defines the bits of `allow`. The second
 * half of this file lists the differences with reasons. The property avoids them.
 */
describe("the visible value equals that of partial-json", () => {
  const text = jsonText({ surrogates: false, whiteSpace: false }).filter((json) => !json.includes("proto"));
  const flags = fc
    .subarray([Allow.STR, Allow.ARR, Allow.OBJ, Allow.NULL, Allow.BOOL])
    .map((some) => some.reduce((all, flag) => all | flag, 0));

  test("at every position, for every combination of strings, containers and literals", () => {
    let compared = 0;
    fc.assert(
      fc.property(text, flags, (json, allow) => {
        const parser = parserOf({ allow });
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

describe("the visible value differs from that of partial-json", () => {
  const usual = Allow.STR | Allow.COLLECTION;

  test.each<[string, number, string, unknown, JsonValue | undefined]>([
    ["white space at the end is part of an open string", usual, '["a ', ["a"], ["a "]],
    ["white space after a number ends it", usual, "[12 ", [], [12]],
    ["a number at the root is incomplete before the end", usual, "12", 12, undefined],
    ["half a surrogate pair is hidden", usual, '["\ud83d', ["\ud83d"], [""]],
    ["half an escaped surrogate pair is hidden", usual, '["\\ud83d', ["\ud83d"], [""]],
    ["a dot may follow a visible number", Allow.ALL, "[12.", [], [12]],
    ["a capital E may follow it", Allow.ALL, "[12E", [], [12]],
    ["an array may contain only white space", Allow.COLLECTION, "[ ]", [], []],
    ["an array that must be complete may contain only white space", 0, "[ ]", undefined, []],
    ["NaN is not JSON", Allow.ALL, "[NaN", [NaN], undefined],
  ])("%s", (_, allow, text, theirs, ours) => {
    expect(partial(text, allow)).toEqual(theirs);
    const parser = parserOf({ allow });
    try {
      parser.write(text);
      expectSame(parser.snapshot(), ours);
    } catch (error) {
      expect([ours, String(error)]).toEqual([undefined, expect.stringContaining("Expected a value")]);
    }
  });

  test("a member __proto__ is an own property", () => {
    const text = '{"__proto__": {"admin": true}}';
    expect(Object.keys(parsePartialJson(text) as object)).toEqual([]);
    const parser = parserOf();
    parser.write(text);
    expect(Object.keys(parser.snapshot() as object)).toEqual(["__proto__"]);
  });
});

/** It throws without a value. */
function partial(text: string, allow: number): JsonValue | undefined {
  try {
    return parsePartialJson(text, allow) as JsonValue;
  } catch {
    return undefined;
  }
}

/** It trims the text, and treats a number at the root as complete. */
function differs(prefix: string): boolean {
  return prefix !== prefix.trim() || /^[\d-]/.test(prefix.trim());
}
