import fc from "fast-check";
import type { JsonObject, JsonValue } from "millrace";
import { guardOf, schemaOf, SchemaViolation } from "millrace/schema";
import { describe, expect, test } from "vitest";
import { applyPatch } from "../../json/support/apply-patch.js";
import { chunksOf, stepsArbitrary } from "../../json/support/cuts.js";
import { deepFreeze } from "../../json/support/deep-freeze.js";
import { runs } from "../../json/support/runs.js";
import { expectSame } from "../../json/support/same-json.js";
import { anyPair, words } from "./support/pairs.js";
import { parserOf } from "../../support/parser-of.js";

const often = { numRuns: Math.min(runs, 2_000) };

describe("for any schema, any valid value and any split", () => {
  test("the schema itself accepts the value", () => {
    fc.assert(
      fc.property(anyPair, ({ schema, value }) => {
        expectSame(schemaOf(schema).validate(value), { value });
      }),
      { numRuns: 300 },
    );
  });

  // G-schema-1
  test("6-8: the guard accepts it, and patches, snapshots and the final value agree", () => {
    fc.assert(
      fc.property(
        anyPair,
        stepsArbitrary,
        fc.boolean(),
        fc.boolean(),
        ({ schema, value }, steps, append, repair) => {
          const text = JSON.stringify(value);
          const parser = parserOf({ guard: guardOf(schema), append, repair });
          let applied: JsonValue | undefined;
          const look = (): void => {
            const patch = deepFreeze(parser.takePatch());
            if (patch.length > 0) applied = applyPatch(applied ?? null, patch);
            const snapshot = deepFreeze(parser.snapshot());
            expectSame(applied, snapshot);
            expectSame(parser.value, snapshot);
          };
          for (const [i, chunk] of chunksOf(text, steps).entries()) {
            parser.write(chunk);
            if (steps[i % steps.length]?.takePatch === true) look();
          }
          parser.end();
          look();
          expectSame(parser.value, JSON.parse(text));
        },
      ),
      often,
    );
  });

  // G-schema-1
  test("the guard rejects only invalid values, for any split", () => {
    fc.assert(
      fc.property(anyPair, anyPair, stepsArbitrary, ({ schema }, { value }, steps) => {
        const text = JSON.stringify(value);
        const refusal = refusalOf(schema, chunksOf(text, steps));
        expect(refusalOf(schema, [text])).toEqual(refusal);
        if (refusal !== undefined) expect(schemaOf(schema).validate(value)).toHaveProperty("issues");
      }),
      often,
    );
  });

  // G-schema-4
  test("an enum value is shown whole or not at all", () => {
    fc.assert(
      fc.property(anyPair, fc.constantFrom(...words), stepsArbitrary, (other, word, steps) => {
        const schema = { prefixItems: [{ enum: words }, other.schema, { enum: words, type: "string" }] };
        const parser = parserOf({ guard: guardOf(schema) });
        for (const chunk of chunksOf(JSON.stringify([word, other.value, word]), steps)) {
          parser.write(chunk);
          const [first = word, , third = word] = (parser.snapshot() ?? []) as JsonValue[];
          expect([first, third]).toEqual([word, word]);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** What the error says, which does not depend on the chunks. */
function refusalOf(schema: JsonObject, chunks: readonly string[]): unknown {
  try {
    const parser = parserOf({ guard: guardOf(schema) });
    for (const chunk of chunks) parser.write(chunk);
    parser.end();
    return undefined;
  } catch (error) {
    if (!(error instanceof SchemaViolation)) throw error;
    const { message, pointer, value } = error;
    return { message, pointer, value };
  }
}
