import { Validator } from "@cfworker/json-schema";
import { Ajv, type Options } from "ajv";
// eslint-disable-next-line no-restricted-imports -- the entry of another package
import { Ajv2019 } from "ajv/dist/2019.js";
// eslint-disable-next-line no-restricted-imports -- the entry of another package
import { Ajv2020 } from "ajv/dist/2020.js";
import Draft4Ajv from "ajv-draft-04";
import fc from "fast-check";
import type { JsonObject, JsonValue } from "millrace";
import { guardOf, schemaOf, SchemaViolation } from "millrace/schema";
import { describe, expect, test } from "vitest";
import { runs } from "../../json/support/runs.js";
import { parserOf } from "../../support/parser-of.js";

/** Random schemas and values of few names and numbers, so that keywords meet. */
const name = fc.constantFrom("a", "b", "c", "__proto__");
const small = fc.integer({ min: 0, max: 3 });
const scalar = fc.constantFrom<JsonValue>(null, true, false, 0, 1, 2, 1.5, "", "a", "b", "😀", "abc");

const { value } = fc.letrec<{ value: JsonValue; array: JsonValue[]; object: JsonObject }>((tie) => ({
  value: fc.oneof({ depthSize: "small", withCrossShrink: true }, scalar, tie("array"), tie("object")),
  array: fc.array(tie("value"), { maxLength: 4 }),
  object: fc.dictionary(name, tie("value"), { maxKeys: 3 }),
}));

type Draft = 4 | 7 | 2019 | 2020;

function schemas(draft: Draft): fc.Arbitrary<JsonObject> {
  const { schema } = fc.letrec<{ any: JsonObject | boolean; schema: JsonObject; deep: JsonObject }>((tie) => {
    const any = tie("any") as fc.Arbitrary<JsonValue>;
    const list = fc.array(any, { minLength: 1, maxLength: 3 });
    const named = fc.dictionary(name, any, { maxKeys: 3 });
    const names = fc.uniqueArray(name, { minLength: 1, maxLength: 2 });
    const reference = fc.constantFrom(
      "#",
      "#/definitions/a",
      "#/definitions/b",
      "#/definitions/a/properties/a",
    );
    const keywords: Record<string, fc.Arbitrary<JsonValue>> = {
      type: fc.oneof(
        fc.constantFrom("null", "boolean", "integer", "number", "string", "array", "object"),
        fc.constantFrom<JsonValue>(["string", "null"], ["integer", "array"], ["object", "number"]),
      ),
      enum: fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector: (it) => JSON.stringify(it) }),
      minimum: small,
      maximum: small,
      multipleOf: fc.constantFrom(1, 2, 0.5),
      minLength: small,
      maxLength: small,
      pattern: fc.constantFrom("^a", "b$", "^.$", "\\p{L}"),
      minItems: small,
      maxItems: small,
      uniqueItems: fc.boolean(),
      minProperties: small,
      maxProperties: small,
      required: names,
      properties: named,
      patternProperties: fc.dictionary(fc.constantFrom("^a", "b|c", "."), any, { minKeys: 1, maxKeys: 2 }),
      additionalProperties: any,
      // Ajv finds no own `__proto__` here.
      dependencies: fc.dictionary(
        name.filter((it) => it !== "__proto__"),
        fc.oneof(any, names),
        { minKeys: 1, maxKeys: 2 },
      ),
      items: draft < 2020 ? fc.oneof(any, list) : any,
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: any,
      $ref: reference,
      ...(draft < 2020 && { additionalItems: any }),
      ...(draft > 4 && {
        const: value,
        contains: any,
        propertyNames: any,
        exclusiveMinimum: small,
        exclusiveMaximum: small,
        if: any,
        then: any,
        else: any,
      }),
      ...(draft > 7 && {
        dependentRequired: fc.dictionary(name, names, { maxKeys: 2 }),
        dependentSchemas: named,
        minContains: small,
        maxContains: small,
        unevaluatedItems: any,
        unevaluatedProperties: any,
      }),
      ...(draft === 2020 && { prefixItems: list }),
    };
    const one = fc.oneof(
      ...Object.entries(keywords).map(([keyword, arbitrary]) =>
        arbitrary.map((it): JsonObject => ({ [keyword]: it })),
      ),
    );
    return {
      any: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        draft === 4 ? fc.constant({}) : fc.boolean(),
        fc.record({ type: keywords["type"] as fc.Arbitrary<JsonValue> }),
        tie("deep"),
      ),
      deep: fc
        .array(one, { minLength: 1, maxLength: 4 })
        .map((parts) => Object.assign({}, ...parts) as JsonObject),
      schema: fc
        .tuple(tie("deep"), tie("deep"), tie("deep"))
        .map(([root, a, b]) => ({ ...root, definitions: { a, b } })),
    };
  });
  return schema;
}

const options: Options = { strict: false, validateFormats: false, logger: false, unicodeRegExp: true };
const oracles = {
  4: { ajv: new Draft4Ajv.default(options), uri: "http://json-schema.org/draft-04/schema#" },
  7: { ajv: new Ajv(options), uri: "http://json-schema.org/draft-07/schema#" },
  2019: { ajv: new Ajv2019(options), uri: "https://json-schema.org/draft/2019-09/schema" },
  2020: { ajv: new Ajv2020(options), uri: "https://json-schema.org/draft/2020-12/schema" },
};

/** What an oracle says; `undefined` if it fails, for example because of a reference loop. */
function ask(oracle: () => boolean): boolean | undefined {
  try {
    return oracle();
  } catch {
    return undefined;
  }
}

/** In 2019-09, `contains` evaluates no element. Both oracles do as in 2020-12. */
function differs(draft: Draft, schema: JsonObject): boolean {
  const text = JSON.stringify(schema);
  return draft === 2019 && text.includes('"contains"') && text.includes('"unevaluatedItems"');
}

describe.each([4, 7, 2019, 2020] as const)("draft %i", (draft) => {
  const { ajv, uri } = oracles[draft];
  const cfworkerDraft = ({ 4: "4", 7: "7", 2019: "2019-09", 2020: "2020-12" } as const)[draft];

  // G-schema-5
  test("the check agrees with Ajv, or with @cfworker/json-schema", () => {
    fc.assert(
      fc.property(schemas(draft), fc.array(value, { minLength: 1, maxLength: 5 }), (schema, values) => {
        const full = { $schema: uri, ...schema };
        const own = schemaOf(full);
        for (const each of values) {
          const ours = ask(() => (own.validate(each) as { issues?: unknown }).issues === undefined);
          if (ours === undefined) continue;
          const theirs = ask(() => ajv.compile(full)(each));
          if (theirs === undefined || theirs === ours || differs(draft, full)) continue;
          const others = ask(() => new Validator(structuredClone(full), cfworkerDraft).validate(each).valid);
          expect(ours, `${JSON.stringify(full)} of ${JSON.stringify(each)}`).toBe(others ?? theirs);
        }
      }),
      { numRuns: Math.ceil(runs / 2) },
    );
  });

  // G-schema-1 G-schema-2
  test("the guard accepts what the check accepts, and rejects what it rejects", () => {
    fc.assert(
      fc.property(schemas(draft), value, (schema, each) => {
        const full = { $schema: uri, ...schema };
        const ours = ask(() => (schemaOf(full).validate(each) as { issues?: unknown }).issues === undefined);
        let guarded = true;
        try {
          const parser = parserOf({ guard: guardOf(full) });
          for (const character of JSON.stringify(each)) parser.write(character);
          parser.end();
        } catch (error) {
          expect(error).toBeInstanceOf(SchemaViolation);
          guarded = false;
        }
        if (ours === undefined) return;
        // Some libraries count a character outside the basic plane as two: the guard cannot know.
        if (ours || !JSON.stringify(full).includes('"minLength"')) {
          expect(guarded, `${JSON.stringify(full)} of ${JSON.stringify(each)}`).toBe(ours);
        }
      }),
      { numRuns: Math.ceil(runs / 2) },
    );
  });
});
