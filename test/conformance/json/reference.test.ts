import { JsonParseError } from "millrace/json";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { jsonText, nearlyJsonText } from "../../json/support/arbitraries.js";
import { readPrefix } from "../../json/support/reference.js";
import { runs } from "../../json/support/runs.js";
import { expectSame } from "../../json/support/same-json.js";
import { parserOf } from "../../support/parser-of.js";

vi.setConfig({ testTimeout: 120_000 }); // for CI on a busy machine

/**
 * Tests of the reference parser that other tests use, against `JSON.parse()`.
 *
 * The reference stops at the first invalid character, so it rejects every continuation of an invalid text as well. No
 * search for valid continuations is needed: the first two tests show that `JSON.parse()` accepts none of the texts that
 * the reference rejects.
 */
describe("the reference", () => {
  test("accepts the same texts as JSON.parse, with the same values", () => {
    fc.assert(
      fc.property(nearlyJsonText(), (text) => {
        const { whole, shown, shortest } = readPrefix(text);
        const parsed = parse(text);
        expect(whole, text).toBe(parsed !== undefined);
        // A number at the root is complete, but more digits may follow.
        if (parsed !== undefined && shown !== undefined && shortest === "")
          expectSame(shown, parsed.value, text);
      }),
      { numRuns: runs },
    );
  });

  test.each([
    { alphabet: '{}[],:"\\-01.eE+ true\n', length: 3 },
    { alphabet: '{}[],:"a', length: 5 },
    { alphabet: "-01.eE+ ", length: 5 },
    { alphabet: '"\\u0a\n', length: 5 },
  ])("agrees with JSON.parse and the parser on every text of $length or fewer of $alphabet", (texts) => {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0; // 200,000 texts have about three errors each, whose traces would take most of the time
    onTestFinished(() => {
      Error.stackTraceLimit = stackTraceLimit;
    });
    for (const text of every(texts.alphabet, texts.length)) {
      const { whole, wrongAt } = readPrefix(text);
      const accepted = parse(text) !== undefined;
      const { offset, code } = failure(text);
      if (
        whole !== accepted ||
        offset !== (wrongAt ?? (accepted ? undefined : text.length)) ||
        (wrongAt === undefined && !accepted && code !== (text.trim() === "" ? "empty" : "unexpected_end"))
      ) {
        expect.fail(JSON.stringify({ text, accepted, whole, wrongAt, offset, code }));
      }
    }
  });

  test("has two continuations to a complete text for any prefix", () => {
    fc.assert(
      fc.property(nearlyJsonText(), (text) => {
        const { wrongAt } = readPrefix(text);
        for (let end = 0; end <= (wrongAt ?? text.length); end++) {
          const prefix = text.slice(0, end);
          const { shortest, longest } = readPrefix(prefix);
          expect(parse(prefix + shortest), prefix + shortest).toBeDefined();
          expect(parse(prefix + longest), prefix + longest).toBeDefined();
        }
        if (wrongAt !== undefined) expect(readPrefix(text.slice(0, wrongAt + 1)).wrongAt).toBe(wrongAt);
      }),
      { numRuns: Math.ceil(runs / 10) },
    );
  });

  test("accepts every prefix of a complete text", () => {
    fc.assert(
      fc.property(jsonText(), (text) => {
        for (let end = 0; end <= text.length; end++) {
          expect(readPrefix(text.slice(0, end)).wrongAt).toBeUndefined();
        }
      }),
      { numRuns: Math.ceil(runs / 10) },
    );
  });
});

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function failure(text: string): { readonly offset?: number; readonly code?: string } {
  const parser = parserOf();
  try {
    parser.write(text);
    parser.end();
    return {};
  } catch (error) {
    if (error instanceof JsonParseError) return error;
    throw error;
  }
}

function* every(alphabet: string, length: number): Generator<string> {
  yield "";
  if (length === 0) return;
  for (const character of alphabet) {
    for (const rest of every(alphabet, length - 1)) yield character + rest;
  }
}
