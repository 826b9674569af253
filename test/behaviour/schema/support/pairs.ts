import fc from "fast-check";
import type { JsonObject, JsonValue } from "millrace";

/** A schema and a valid value. */
export interface Pair {
  readonly schema: JsonObject;
  readonly value: JsonValue;
}

export const words: string[] = ["a", "ab", "abc", "b", "~/", "__proto__", "😀"];
const mark = fc.constantFrom<JsonObject>({}, {}, {}, { stream: "whole" }, { stream: "required" });

const { pair } = fc.letrec<{ pair: Pair }>((tie) => {
  const scalar = fc.oneof(
    fc
      .string({ unit: "grapheme", maxLength: 6 })
      .chain((value) =>
        fc
          .constantFrom<JsonObject>(
            { type: "string" },
            { maxLength: value.length },
            { type: ["string", "null"], minLength: value.length === 0 ? 0 : 1 },
            { format: "x", type: "string" },
          )
          .map((schema) => ({ schema, value })),
      ),
    fc.constantFrom(...words).map((value) => ({ schema: { enum: words }, value })),
    fc.constantFrom(...words).map((value) => ({ schema: { const: value }, value })),
    fc.integer().map((value) => ({ schema: { type: "integer", minimum: value, maximum: value }, value })),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((value) => ({ schema: { type: "number" }, value })),
    fc.constantFrom(true, false, null).map((value) => ({ schema: { enum: [true, false, null] }, value })),
  );
  const array = fc.array(tie("pair"), { maxLength: 3 }).chain((pairs) => {
    const value = pairs.map((each) => each.value);
    const schemas = pairs.map((each) => each.schema);
    return fc
      .constantFrom<JsonObject>(
        { type: "array", prefixItems: schemas, items: false, minItems: schemas.length },
        { items: { anyOf: [...schemas, { const: "other" }] }, maxItems: schemas.length },
      )
      .map((schema) => ({ schema, value }));
  });
  const object = fc
    .dictionary(fc.constantFrom(...words), tie("pair"), { maxKeys: 4, noNullPrototype: true })
    .chain((pairs) => {
      const entries = Object.entries(pairs);
      const value = Object.fromEntries(entries.map(([key, each]) => [key, each.value]));
      const properties = Object.fromEntries(entries.map(([key, each]) => [key, each.schema]));
      const required = Object.keys(properties);
      return fc
        .constantFrom<JsonObject>(
          { type: "object", properties, required, additionalProperties: false },
          { properties, maxProperties: required.length },
          {
            anyOf: [
              { type: "object", properties: { ...properties, kind: { const: 1 } }, required: ["kind"] },
              { properties, required },
            ],
          },
          { allOf: [{ required }, { properties }], type: "object" },
        )
        .map((schema) => ({ schema, value }));
    });
  const union = fc.tuple(tie("pair"), tie("pair"), fc.boolean()).map(([one, other, last]) => ({
    schema: { anyOf: last ? [other.schema, one.schema] : [one.schema, other.schema] },
    value: one.value,
  }));
  const anyPair = fc.oneof({ depthSize: "small", withCrossShrink: true }, scalar, array, object, union);
  return {
    pair: fc
      .tuple(anyPair, mark)
      .map(([{ schema, value }, marks]) => ({ schema: { ...schema, ...marks }, value })),
  };
});

/** A schema with any keywords that the guard knows, and a value that it accepts. */
export const anyPair: fc.Arbitrary<Pair> = pair;
