import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { childPointer } from "../../tree/pointer.js";
import {
  each,
  allOfJoined,
  ifSo,
  namesOfProperties,
  readAsAnyOf,
  refused,
  type SchemaDialect,
} from "../dialect/dialect.js";
import { withInclusiveBounds } from "../dialect/inclusive-bounds.js";
import type { Refuse } from "../dialect/refuse.js";
import { withReferenceAlone } from "../dialect/strict-shape.js";

/**
 * The JSON Schema that Gemini supports (`responseJsonSchema` in the reference of `GenerationConfig` lists the keywords).
 * "Cyclic references are unrolled to a limited degree and, as such, may only be used within non-required properties.
 * (Nullable properties are not sufficient.)"
 */
export const geminiSchema: SchemaDialect = {
  expressed: "expressed for Gemini",
  advice: "With strict: false it is sent unchanged.",
  references: { onlyDefinitions: false, cycles: "optional properties" },
  keywords: {
    allOf: allOfJoined,
    const: { as: "written as an `enum` of one", rewrite: constAsEnum, otherwise: "described" },
    ...each("exclusiveMinimum exclusiveMaximum", {
      as: "for integers, written as an inclusive bound",
      rewrite: withInclusiveBounds,
      otherwise: "described",
    }),
    enum: { as: "written with `true`, `false` and `null` as types", rewrite: withPlainEnum },
    items: { as: "an array is written as `prefixItems`", rewrite: tupleAsPrefixItems },
    definitions: { as: "written as `$defs`", rewrite: definitionsAsDefs },
    $ref: {
      as: "written as a pointer into `$defs`",
      rewrite: referenceToDefs,
      otherwise: ifSo(
        "inside the schema",
        (value) => typeof value !== "string" || value.startsWith("#"),
        "kept",
        { refused: true, problem: "the reference points outside the schema" },
      ),
    },
    oneOf: readAsAnyOf,
    ...each(
      "$defs $id $anchor type format title description minItems maxItems minimum maximum anyOf",
      "kept",
    ),
    ...each("prefixItems properties additionalProperties required propertyOrdering", "kept"),
    ...each(
      `pattern minLength maxLength multipleOf uniqueItems minProperties maxProperties contentEncoding
      contentMediaType default examples`,
      "described",
    ),
    propertyNames: { ...namesOfProperties, otherwise: refused },
    ...each(
      `not if then else patternProperties dependentSchemas dependentRequired dependencies contains additionalItems
      unevaluatedItems unevaluatedProperties $dynamicRef $recursiveRef`,
      refused,
    ),
  },
  others: "dropped",
  // "If `$ref` is set on a sub-schema, no other properties, except for those starting as a `$`, may be set."
  shape: (schema, pointer, refuse) => withReferenceAlone(schema, pointer, refuse, ["anyOf"]),
};

function constAsEnum(schema: JsonObject): JsonObject {
  const { const: value, ...others } = schema;
  return value === undefined || others["enum"] !== undefined ? schema : { ...others, enum: [value] };
}

function tupleAsPrefixItems(schema: JsonObject): JsonObject {
  const { items, ...others } = schema;
  return Array.isArray(items) ? { ...others, prefixItems: items } : schema;
}

function definitionsAsDefs({ definitions, $defs, ...others }: JsonObject): JsonObject {
  const all =
    isObject(definitions) && isObject($defs) ? { ...definitions, ...$defs } : ($defs ?? definitions);
  return all === undefined ? others : { ...others, $defs: all };
}

function referenceToDefs(schema: JsonObject): JsonObject {
  const { $ref } = schema;
  return typeof $ref === "string"
    ? { ...schema, $ref: $ref.replace(/^#\/definitions\//, "#/$defs/") }
    : schema;
}

/** Reduces an `enum` to strings and numbers, as Gemini requires. true, false and null become types. */
function withPlainEnum(schema: JsonObject, pointer: string, refuse: Refuse): JsonObject {
  const { enum: values, ...others } = schema;
  if (!Array.isArray(values) || values.every(isPlain)) return schema;
  if (values.some((value) => typeof value === "object" && value !== null)) {
    throw refuse(childPointer(pointer, "enum"), "Gemini does not support objects and arrays in an enum");
  }
  const alternatives = [
    ...ofType("string", values),
    ...ofType("number", values),
    ...booleansIn(values),
    ...(values.includes(null) ? [{ type: "null" }] : []),
  ];
  const { type: _, ...rest } = others;
  const [only, ...more] = alternatives;
  if (only !== undefined && more.length === 0) {
    const texts = [rest["description"], only["description"]].filter((text) => typeof text === "string");
    return { ...rest, ...only, ...(texts.length === 0 ? undefined : { description: texts.join(" ") }) };
  }
  if (rest["anyOf"] !== undefined) {
    throw refuse(
      childPointer(pointer, "enum"),
      "Gemini does not support an enum with true, false or null beside an anyOf",
    );
  }
  return { ...rest, anyOf: alternatives };
}

function isPlain(value: JsonValue): boolean {
  return typeof value === "string" || typeof value === "number";
}

function ofType(type: "string" | "number", values: readonly JsonValue[]): JsonObject[] {
  const own = values.filter((value) => typeof value === type);
  return own.length === 0 ? [] : [{ type, enum: own }];
}

function booleansIn(values: readonly JsonValue[]): JsonObject[] {
  const own = values.filter((value) => typeof value === "boolean");
  if (own.length === 0) return [];
  return own.length === 1 ? [{ type: "boolean", description: `(const: ${own[0]})` }] : [{ type: "boolean" }];
}
