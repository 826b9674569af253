import fc from "fast-check";
import fastJsonPatch from "fast-json-patch";
import specTests from "json-patch-test-suite/spec_tests.json" with { type: "json" };
import otherTests from "json-patch-test-suite/tests.json" with { type: "json" };
import type { JsonPatch, JsonValue } from "millrace";
import { applyPatch as ours, JsonPatchError } from "millrace/json";
import { everyCut, fixedSizes } from "millrace/testing";
import { describe, expect, test } from "vitest";
import { applyPatch, type AnyOperation } from "../../json/support/apply-patch.js";
import { deepFreeze } from "../../json/support/deep-freeze.js";
import { escapeKey, places } from "../../json/support/differences.js";
import { runs } from "../../json/support/runs.js";
import { copyOf, expectSame, sorted } from "../../json/support/same-json.js";
import { parserOf } from "../../support/parser-of.js";

interface Case {
  readonly comment?: string;
  readonly doc: JsonValue;
  readonly patch: readonly AnyOperation[];
  readonly expected?: JsonValue;
  readonly error?: string;
  readonly disabled?: boolean;
}

/** Skipped: two cases of an operation with two `op` members, because `JSON.parse` keeps only one of them. */
const unwritable = ["duplicate ops", "A.13 Invalid JSON Patch Document"];

const cases = ([...specTests, ...otherTests] as unknown as readonly Case[])
  .filter(({ comment }) => comment === undefined || !unwritable.includes(comment))
  .map((one) => ({ ...one, name: one.comment ?? one.error ?? JSON.stringify(one.patch) }));

describe("json-patch-test-suite", () => {
  test("has the expected number of cases", () => {
    expect(cases.length).toBe(93);
  });

  test.each(cases)(
    "$name: applyPatch() and the reference agree with it",
    ({ doc, patch, expected, error }) => {
      deepFreeze([doc, patch]);
      if (error !== undefined) {
        expect(() => applyPatch(doc, patch)).toThrow(Error);
        expect(() => ours(doc, patch)).toThrow(JsonPatchError);
      } else if (expected !== undefined) {
        expectSame(sorted(applyPatch(doc, patch)), sorted(expected));
        expectSame(sorted(ours(doc, patch)), sorted(expected));
      } else expect([applyPatch(doc, patch), ours(doc, patch)]).toHaveLength(2); // no expected result
    },
  );

  test.each(cases)("$name: patches reproduce its documents from their text", ({ doc, expected }) => {
    for (const document of expected === undefined ? [doc] : [doc, expected]) {
      const text = JSON.stringify(document);
      for (const chunks of [...fixedSizes(text, [1]), ...everyCut(text)]) {
        let byReference: JsonValue = null;
        let byLibrary: unknown = null;
        for (const patch of patchesOf(chunks)) {
          byReference = applyPatch(byReference, patch);
          byLibrary = fastJsonPatch.applyPatch(
            byLibrary,
            copyOf(patch) as fastJsonPatch.Operation[],
            true,
          ).newDocument;
        }
        expectSame(byReference, document);
        expectSame(byLibrary, document);
      }
    }
  });
});

describe("the reference applier", () => {
  const key = fc.constantFrom("a", "b", "", "0", "1", "-", "~", "/", "~1");
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<JsonValue>(null, true, 0, 1, "", "x"),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  /** Usually a place of the document or an adjacent one. */
  const pointerInto = (document: JsonValue): fc.Arbitrary<string> => {
    const known = fc.constantFrom(...[...places(document)].map(([pointer]) => pointer));
    const child = fc.tuple(known, key).map(([parent, name]) => `${parent}/${escapeKey(name)}`);
    return fc.oneof({ weight: 3, arbitrary: known }, { weight: 2, arbitrary: child });
  };
  const documentAndPatch = value.chain((document) => {
    const path = pointerInto(document);
    const operation = fc.oneof(
      fc.record({ op: fc.constantFrom("add" as const, "replace" as const), path, value }),
      fc.record({ op: fc.constant("remove" as const), path: path.filter((pointer) => pointer !== "") }),
      fc.record({ op: fc.constant("test" as const), path, value }),
      fc.record({ op: fc.constant("copy" as const), from: path, path }),
    );
    return fc.tuple(fc.constant(document), fc.array(operation, { minLength: 1, maxLength: 3 }));
  });

  test("equals fast-json-patch", () => {
    let applied = 0;
    fc.assert(
      fc.property(documentAndPatch, ([document, patch]) => {
        const reference = attempt(() => applyPatch(deepFreeze(document), deepFreeze(patch)));
        // fast-json-patch ignores operations without effect, such as a member added to a string. The reference is
        // strict.
        if (reference === undefined) return;
        applied++;
        const operations = copyOf(patch) as fastJsonPatch.Operation[];
        const library = fastJsonPatch.applyPatch(copyOf(document), operations, true).newDocument;
        expectSame(sorted(reference), sorted(library));
      }),
      { numRuns: runs },
    );
    expect(applied).toBeGreaterThan(runs / 10);
  });

  test("accepts and rejects the same as applyPatch()", () => {
    fc.assert(
      fc.property(documentAndPatch, ([document, patch]) => {
        deepFreeze([document, patch]);
        const reference = attempt(() => applyPatch(document, patch));
        const result = attempt(() => ours(document, patch));
        if (reference === undefined) expect(result).toBe(undefined);
        else expectSame(sorted(result), sorted(reference));
      }),
      { numRuns: runs },
    );
  });

  test("treats __proto__ as an ordinary member", () => {
    const document = JSON.parse('{"__proto__": {"a": 1}}') as JsonValue;
    const patch: AnyOperation[] = [
      { op: "add", path: "/__proto__/b", value: 2 },
      { op: "copy", from: "/__proto__", path: "/constructor" },
    ];
    expectSame(
      applyPatch(document, patch),
      JSON.parse('{"__proto__": {"a": 1, "b": 2}, "constructor": {"a": 1, "b": 2}}'),
    );
    expect(() => applyPatch({}, [{ op: "replace", path: "/__proto__", value: 1 }])).toThrow("No member");
    expect(() => applyPatch({}, [{ op: "add", path: "/toString/x", value: 1 }])).toThrow("No member");
  });

  test("appends to strings only", () => {
    expect(applyPatch({ a: ["x"] }, [{ op: "append", path: "/a/0", value: "y" }])).toEqual({ a: ["xy"] });
    expect(() => applyPatch({ a: [] }, [{ op: "append", path: "/a/0", value: "y" }])).toThrow("No index");
    expect(() => applyPatch({ a: 1 }, [{ op: "append", path: "/a", value: "y" }])).toThrow("No string");
  });
});

function* patchesOf(chunks: readonly string[]): Generator<JsonPatch> {
  const parser = parserOf();
  for (const chunk of chunks) {
    parser.write(chunk);
    yield parser.takePatch();
  }
  parser.end();
  yield parser.takePatch();
}

function attempt(action: () => JsonValue): JsonValue | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
