import fc from "fast-check";
import type { JsonObject, JsonValue } from "millrace";
import type { Pair } from "./pairs.js";

const keys = ["a", "b", "c"];

const scalarSchema = fc.constantFrom<JsonObject>(
  { type: "string" },
  { type: "integer" },
  { type: "boolean" },
  { type: ["string", "null"] },
  { enum: ["x", "y"] },
  { const: "k" },
  { const: "l" },
);

const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => {
  const list = fc
    .tuple(
      tie("schema"),
      fc.constantFrom<JsonObject>({}, {}, { minItems: 2 }, { maxItems: 1 }, { stream: "whole" }),
    )
    .map(([items, more]) => ({ type: "array", items, ...more }));
  const object = fc
    .dictionary(fc.constantFrom(...keys), tie("schema"), { maxKeys: 3, noNullPrototype: true })
    .chain((properties) =>
      fc
        .tuple(
          fc.subarray(Object.keys(properties)),
          fc.constantFrom<JsonObject>({}, {}, { additionalProperties: false }, { stream: "required" }),
        )
        .map(([required, more]) => ({ type: "object", properties, required, ...more })),
    );
  const union = fc.tuple(tie("schema"), tie("schema")).map(([one, other]) => ({ anyOf: [one, other] }));
  /** Two objects with one member in common, and one on which they may differ. */
  const similar = fc
    .tuple(tie("schema"), tie("schema"), tie("schema"), fc.constantFrom(...keys))
    .map(([one, other, common, key]) => ({
      anyOf: [
        { type: "object", properties: { [key]: one, z: common }, required: [key] },
        { type: "object", properties: { [key]: other, z: common }, required: [] },
      ],
    }));
  /** Two objects that allow nearly the same object or list inside, and may differ on a later member. */
  const nested = fc
    .tuple(tie("schema"), tie("schema"), scalarSchema, scalarSchema, fc.boolean())
    .map(([inner, other, one, two, isList]) => {
      const withInner = (part: JsonObject, size: JsonObject): JsonObject => ({
        type: "object",
        properties: {
          a: isList ? { type: "array", items: part } : { type: "object", properties: { b: part } },
          z: size,
        },
        required: ["a", "z"],
      });
      return { anyOf: [withInner({ anyOf: [inner, other] }, one), withInner(inner, two)] };
    });
  return {
    schema: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      scalarSchema,
      list,
      object,
      union,
      similar,
      nested,
    ),
  };
});

const { noise } = fc.letrec<{ noise: JsonValue }>((tie) => ({
  noise: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<JsonValue>("1", 1, "x", "X", "true", true, null, "y", 0),
    fc.array(tie("noise"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...keys), tie("noise"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

/** A value that the schema allows, or nearly so, or any other. */
function answerTo(schema: JsonObject): fc.Arbitrary<JsonValue> {
  const { anyOf, properties, items } = schema;
  if (Array.isArray(anyOf)) return fc.oneof(...(anyOf as JsonObject[]).map(answerTo));
  let answer: fc.Arbitrary<JsonValue>;
  if (items !== undefined) {
    const one = answerTo(items as JsonObject);
    answer = fc.oneof(
      { weight: 4, arbitrary: fc.array(one, { maxLength: 2 }) },
      { weight: 1, arbitrary: one },
    );
  } else if (properties === undefined) {
    answer = fc.constantFrom<JsonValue>(...(scalars[JSON.stringify(schema)] ?? []));
  } else {
    const members = Object.entries(properties as Record<string, JsonObject>);
    answer = fc.record(Object.fromEntries(members.map(([key, member]) => [key, answerTo(member)])), {
      requiredKeys: schema["required"] as string[],
      noNullPrototype: true,
    });
  }
  return fc.oneof({ weight: 12, arbitrary: answer }, { weight: 1, arbitrary: noise });
}

const scalars: Readonly<Record<string, readonly JsonValue[]>> = {
  '{"type":"string"}': ["x", "1", "true"],
  '{"type":"integer"}': [1, "1", 0],
  '{"type":"boolean"}': [true, "true", 1],
  '{"type":["string","null"]}': ["x", null],
  '{"enum":["x","y"]}': ["x", "X", "y"],
  '{"const":"k"}': ["k", "K", "l"],
  '{"const":"l"}': ["l", "L", "k"],
};

/** A schema with unions at any depth, and a model's answer to it. */
export const unionAnswer: fc.Arbitrary<Pair> = schema.chain((each) =>
  answerTo(each).map((value) => ({ schema: each, value })),
);
