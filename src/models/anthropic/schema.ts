import type { JsonObject, JsonValue } from "../../json/value.js";
import {
  annotations,
  each,
  formatRules,
  allOfJoined,
  type KeywordRule,
  ifSo,
  refused,
  type SchemaDialect,
  unchanged,
} from "../dialect/dialect.js";
import { joinAllOf } from "../dialect/join-all-of.js";
import { withRootTarget } from "../dialect/references.js";
import type { Refuse } from "../dialect/refuse.js";
import { closedOnly, oneOfAsAnyOf, restrictingKeywords, strictShape } from "../dialect/strict-shape.js";

/** Structured outputs ("JSON Schema limitations" in Anthropic's documentation). Every object is closed. */
export const anthropicFormat: SchemaDialect = {
  expressed: "expressed in Anthropic's structured outputs",
  references: { onlyDefinitions: true, cycles: "none" },
  keywords: {
    ...annotations,
    allOf: allOfJoined,
    oneOf: oneOfAsAnyOf,
    ...each("type properties required items anyOf default $ref $defs definitions title description", "kept"),
    enum: scalarsOnly((value) => Array.isArray(value) && value.every(isScalar)),
    const: scalarsOnly(isScalar),
    additionalProperties: closedOnly,
    minItems: ifSo("0 or 1", (value) => value === 0 || value === 1, "kept", "described"),
    ...formatRules(
      "repetitions, classes and plain groups",
      isSimple,
      "date-time time date duration email hostname uri ipv4 ipv6 uuid",
    ),
    // Zod adds these bounds to every integer.
    ...each(
      "minimum maximum",
      ifSo(
        "the bounds of safe integers",
        (value) => typeof value === "number" && Math.abs(value) === Number.MAX_SAFE_INTEGER,
        "dropped",
        "described",
      ),
    ),
    unevaluatedProperties: ifSo("`false`", (value) => value === false, "dropped", "described"),
    // These change the allowed values in a way that a description cannot express.
    ...each("patternProperties prefixItems additionalItems if $dynamicRef", refused),
  },
  others: "described",
  shape: (schema, pointer, refuse) => strictShape(schema, pointer, refuse, restrictingKeywords),
};

export const anthropicStrictTool: SchemaDialect = { ...anthropicFormat, root: rootObject };

/** The schema of other tools is sent unchanged, but its root must be an object, also without alternatives. */
export const anthropicTool: SchemaDialect = {
  ...unchanged,
  expressed: "given to Anthropic",
  root: rootObject,
};

function scalarsOnly(condition: (value: JsonValue) => boolean): KeywordRule {
  return ifSo("strings, numbers, booleans, null", condition, "kept", {
    refused: true,
    problem: "only strings, numbers, booleans and null are supported as values",
  });
}

function isScalar(value: JsonValue): boolean {
  return typeof value !== "object" || value === null;
}

function rootObject(schema: JsonObject, refuse: Refuse): JsonObject {
  const root = joinAllOf(withRootTarget(schema, refuse), "", refuse);
  for (const keyword of ["anyOf", "oneOf"]) {
    if (root[keyword] !== undefined)
      throw refuse(`/${keyword}`, "the schema has alternatives, but arguments must be one object");
  }
  const { type = "object" } = root;
  if (type !== "object")
    throw refuse("/type", `the type is ${JSON.stringify(type)}, but arguments must be an object`);
  return { ...root, type };
}

/** No look-around, back-references, word boundaries, Unicode properties, lazy or long repetitions. */
function isSimple(pattern: string): boolean {
  return !/\(\?|\\[1-9bBpPkcux]|[*+?}]\?|\{\d{3,}|\{\d+,\d{3,}/.test(pattern);
}
