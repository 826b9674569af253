import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import {
  annotations,
  ifSo,
  each,
  formatRules,
  allOfJoined,
  namesOfProperties,
  refused,
  type SchemaDialect,
  unchanged,
} from "../dialect/dialect.js";
import { ModelError } from "../contract/errors.js";
import { isInstance } from "../../text/thrown.js";
import { joinAllOf } from "../dialect/join-all-of.js";
import { withDefinitions, withRootTarget } from "../dialect/references.js";
import type { Refuse } from "../dialect/refuse.js";
import { closedOnly, hasType, oneOfAsAnyOf, strictShape } from "../dialect/strict-shape.js";
import { checkLimits } from "./request/strict-limits.js";

/**
 * The subset that OpenAI's strict mode supports ("Supported schemas" in OpenAI's guide to Structured Outputs). Every
 * object is closed and every property is required; optional properties may be null instead.
 *
 * Except for the nulls, accepted values have the shape of the original schema.
 */
export const openAIStrict: SchemaDialect = {
  expressed: "expressed in OpenAI's strict mode",
  advice:
    "Change this part of the schema. Where you can set strict: false, it sends the schema unchanged, but not enforced.",
  root: (schema, refuse) => withRootTarget(withDefinitions(schema, refuse), refuse),
  keywords: {
    ...annotations,
    allOf: allOfJoined,
    oneOf: oneOfAsAnyOf,
    ...each(
      "type properties required items anyOf enum const $ref $defs definitions title description",
      "kept",
    ),
    ...each("multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems", "kept"),
    additionalProperties: closedOnly,
    // "regex lookaround is not supported" (vercel/ai#21037), and neither are back references.
    ...formatRules(
      "without look-around and back references",
      (pattern) => !/\(\?<?[=!]|\\[1-9]/.test(pattern),
      "date-time time date duration email hostname ipv4 ipv6 uuid",
    ),
    propertyNames: "dropped",
    ...each(
      "unevaluatedProperties unevaluatedItems",
      ifSo("`false`", (value) => value === false, "dropped", refused),
    ),
    ...each(
      `patternProperties prefixItems additionalItems contains not if dependentRequired dependentSchemas dependencies
      $dynamicRef`,
      refused,
    ),
  },
  others: "described",
  shape: (schema, pointer, refuse) => {
    const type = schema["type"] ?? typeOf(schema);
    const typed = type === undefined ? schema : { ...schema, type };
    return allRequired(strictShape(typed, pointer, refuse, ["properties", "anyOf"]));
  },
  check: (strict, from, refuse) => {
    checkRoot(strict, refuse);
    checkLimits(from, refuse);
  },
};

/** Without strict mode, OpenAI refuses `propertyNames` only. */
export const openAILoose: SchemaDialect = { ...unchanged, keywords: { propertyNames: namesOfProperties } };

/** OpenAI accepts no `allOf` at the root. One that cannot be joined is left to the server: not all refuse it. */
export const openAITool: SchemaDialect = {
  ...openAILoose,
  root: (schema, refuse) => {
    try {
      return joinAllOf(schema, "", refuse);
    } catch (error) {
      if (isInstance(error, ModelError)) return schema;
      throw error;
    }
  },
};

function checkRoot(strict: JsonObject, refuse: Refuse): void {
  const { type, anyOf } = strict;
  if (type === "object" && anyOf === undefined) return;
  const kind = type === undefined ? "a reference" : `of the type ${JSON.stringify(type)}`;
  const found = anyOf === undefined ? `it is ${kind}` : "it is a choice (anyOf)";
  throw refuse("", `${found}, but it must be a single object`);
}

/** The type that other keywords imply, because strict mode requires a type. */
function typeOf(schema: JsonObject): JsonValue | undefined {
  if (schema["properties"] !== undefined) return "object";
  if (schema["items"] !== undefined) return "array";
  const { enum: values = schema["const"] } = schema;
  if (values === undefined) return undefined;
  const types = [...new Set([values].flat().map(typeOfValue))];
  return types.length === 1 ? types[0] : types;
}

function typeOfValue(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Requires all properties of an object. The optional ones may be null instead. */
function allRequired(schema: JsonObject): JsonObject {
  const { properties, required, additionalProperties: _, ...others } = schema;
  if (!hasType(schema, "object") || !isObject(properties)) return schema;
  const needed: ReadonlySet<JsonValue> = new Set(Array.isArray(required) ? required : []);
  const all = Object.entries(properties as Record<string, JsonObject>).map(
    ([name, value]) => [name, needed.has(name) ? value : nullable(value)] as const,
  );
  return {
    ...others,
    properties: Object.fromEntries(all),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/** The schema or null, which is how strict mode expresses an optional property. */
function nullable(schema: JsonObject): JsonObject {
  if (acceptsNull(schema)) return schema;
  const { type, anyOf } = schema;
  const isPlain = schema["enum"] === undefined && schema["const"] === undefined;
  if (Array.isArray(anyOf) && type === undefined) return { ...schema, anyOf: [...anyOf, { type: "null" }] };
  if (type !== undefined && anyOf === undefined && isPlain) {
    return { ...schema, type: [...[type].flat(), "null"] };
  }
  return { anyOf: [schema, { type: "null" }] };
}

function acceptsNull(schema: JsonObject): boolean {
  const { anyOf, enum: values } = schema;
  if (Array.isArray(values)) return values.includes(null);
  if (schema["const"] !== undefined) return schema["const"] === null;
  if (Array.isArray(anyOf)) return anyOf.some((choice) => isObject(choice) && acceptsNull(choice));
  return hasType(schema, "null");
}
