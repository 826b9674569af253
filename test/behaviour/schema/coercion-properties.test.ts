import fc from "fast-check";
import type { JsonObject, JsonValue } from "millrace";
import type { JsonCoercion } from "millrace/json";
import { guardOf, schemaOf, SchemaViolation } from "millrace/schema";
import { describe, expect, test } from "vitest";
import { coerceValue } from "#src/schema/coerce/coerce-value.js";
import { applyPatch } from "../../json/support/apply-patch.js";
import { chunksOf, stepsArbitrary } from "../../json/support/cuts.js";
import { deepFreeze } from "../../json/support/deep-freeze.js";
import { runs } from "../../json/support/runs.js";
import { expectSame } from "../../json/support/same-json.js";
import { expectGrowth } from "../../schema/support/expect-growth.js";
import { misspelt } from "./support/misspelt.js";
import { anyPair } from "./support/pairs.js";
import { textForScalar } from "./support/scalar-texts.js";
import { unionAnswer } from "./support/unions.js";
import { parserOf } from "../../support/parser-of.js";

const often = { numRuns: Math.ceil(runs / 3) };

interface Outcome {
  readonly value: JsonValue | undefined;
  readonly coercions: readonly JsonCoercion[];
  readonly completed: readonly string[];
  readonly refusal: string | undefined;
}

function read(schema: JsonObject, chunks: readonly string[]): Outcome {
  const coercions: JsonCoercion[] = [];
  const completed: string[] = [];
  const parser = parserOf({
    repair: true,
    guard: guardOf(schema),
    onCoerce: (coercion) => coercions.push(coercion),
    onComplete: (pointer) => completed.push(pointer),
  });
  let shown: JsonValue | undefined;
  let refusal: string | undefined;
  try {
    for (const chunk of chunks) {
      parser.write(chunk);
      const before = shown;
      const patch = deepFreeze(parser.takePatch());
      if (patch.length > 0) shown = applyPatch(shown ?? null, patch);
      expectSame(shown, deepFreeze(parser.snapshot()));
      if (before !== undefined) expectGrowth(before, shown);
    }
    parser.end();
  } catch (error) {
    if (!(error instanceof SchemaViolation)) throw error;
    refusal = error.pointer;
  }
  return { value: parser.snapshot(), coercions, completed, refusal };
}

describe("for any schema, any value and any split", () => {
  // G-schema-6
  test("what the schema accepts is not changed", () => {
    fc.assert(
      fc.property(anyPair, stepsArbitrary, ({ schema, value }, steps) => {
        const { coercions, refusal, ...outcome } = read(schema, chunksOf(JSON.stringify(value), steps));
        expect([coercions, refusal]).toEqual([[], undefined]);
        expectSame(outcome.value, JSON.parse(JSON.stringify(value)));
      }),
      often,
    );
  });

  // G-schema-6
  test("nothing shown is taken back, and what is read does not depend on the split", () => {
    fc.assert(
      fc.property(anyPair, anyPair, stepsArbitrary, ({ schema }, { value }, steps) => {
        const text = JSON.stringify(value);
        const whole = read(schema, [text]);
        const pieces = read(schema, chunksOf(text, steps));
        expect(pieces.refusal === undefined).toBe(whole.refusal === undefined);
        if (whole.refusal !== undefined) return;
        expectSame(pieces, whole);
        expectSame(schemaOf(schema).validate(whole.value), { value: whole.value });
      }),
      often,
    );
  });

  // G-schema-6
  test("a text is read or refused alike, however it is cut", () => {
    fc.assert(
      fc.property(textForScalar, stepsArbitrary, ({ schema, value }, steps) => {
        const text = JSON.stringify(value);
        const whole = read(schema, [text]);
        for (const chunks of [chunksOf(text, steps), text.match(/[^]/gu) ?? []]) {
          const pieces = read(schema, chunks);
          expect(pieces.refusal === undefined).toBe(whole.refusal === undefined);
          if (whole.refusal === undefined) expectSame(pieces, whole);
        }
      }),
      often,
    );
  });

  // G-schema-6
  test("an answer to a union is read as the same answer is that has ended, and refused if that is", () => {
    fc.assert(
      fc.property(unionAnswer, stepsArbitrary, ({ schema: jsonSchema, value }, steps) => {
        const text = JSON.stringify(value);
        const schema = schemaOf(jsonSchema);
        const result = schema.validate(value);
        const isValid = !(result instanceof Promise) && result.issues === undefined;
        const expected = isValid ? value : coerceValue(value, schema, {})?.value;
        const whole = read(jsonSchema, [text]);
        expectSame(whole.refusal === undefined ? whole.value : undefined, expected);
        for (const chunks of [chunksOf(text, steps), text.match(/[^]/gu) ?? []]) {
          const pieces = read(jsonSchema, chunks);
          expect(pieces.refusal === undefined).toBe(whole.refusal === undefined);
          if (whole.refusal === undefined) expectSame(pieces, whole);
        }
      }),
      often,
    );
  });

  // G-schema-6
  test("a value that is written in another way is read as the schema expects it", () => {
    fc.assert(
      fc.property(misspelt, stepsArbitrary, ({ schema, value, written }, steps) => {
        const text = JSON.stringify(written);
        const whole = read(schema, [text]);
        expect(whole.refusal).toBeUndefined();
        expectSame(whole.value, value);
        expectSame(read(schema, chunksOf(text, steps)), whole);
        expect(whole.coercions.length > 0).toBe(JSON.stringify(value) !== text);
      }),
      often,
    );
  });
});
