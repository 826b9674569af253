import { childPointer } from "../../../tree/pointer.js";
import { isObject, type JsonObject, type JsonValue } from "../../../json/value.js";
import { mapSchema, withoutMarks } from "../../../schema/map-schema.js";
import { checkLimits } from "./strict-limits.js";
import { joinAllOf } from "../../request/join-all-of.js";
import { propertiesOf, withAnyOf, withRootTarget } from "../../request/strict-parts.js";
import { describeRules, hasType, type StrictRules } from "../../request/describe-rules.js";
import { withDefinitions } from "../../request/references.js";
import { type Refuse, refuseIn } from "../../request/request-errors.js";
import { wordsIn } from "../../../text/words-in.js";

/**
 * Converts a JSON Schema to the subset that OpenAI's strict mode supports ("Supported schemas" in OpenAI's guide to
 * Structured Outputs). Every object is closed and every property is required; optional properties may be null instead.
 * Rules that strict mode does not support are added to the description, where the model reads them.
 *
 * Except for the nulls, accepted values have the shape of the original schema.
 *
 * @param subject owner of the schema, for errors: `the tool "weather"`
 * @throws {ModelError} `invalid_request` with the JSON Pointer of a part that strict mode cannot express
 */
export function toOpenAIStrictSchema(schema: JsonObject, subject: string): JsonObject {
  const refuse = refuseIn(subject, "expressed in OpenAI's strict mode", wayOut);
  const whole = withRootTarget(withDefinitions(withoutMarks(schema), refuse), refuse);
  const checked = mapSchema(whole, (inner, pointer) => withoutOpenParts(inner, pointer, refuse));
  const strict = mapSchema(checked, (inner, pointer) => toStrict(inner, pointer, refuse));
  if (strict["type"] !== "object" || strict["anyOf"] !== undefined) {
    const found = strict["anyOf"] === undefined ? `it is ${describe(strict)}` : "it is a choice (anyOf)";
    throw refuse("", `${found}, but it must be a single object`);
  }
  checkLimits(checked, refuse);
  return strict;
}

/** Rejects keywords that strict mode cannot express, and removes those that closed objects make redundant. */
function withoutOpenParts(schema: JsonObject, pointer: string, refuse: Refuse): JsonObject {
  const { propertyNames: _, unevaluatedProperties, unevaluatedItems, ...others } = schema;
  const { additionalProperties = false } = others;
  if (additionalProperties !== false) {
    const place = childPointer(pointer, "additionalProperties");
    throw refuse(place, "properties may have any name. Use an array of objects with name and value instead");
  }
  const open: Readonly<Record<string, JsonValue | undefined>> = {
    ...others,
    unevaluatedProperties,
    unevaluatedItems,
  };
  for (const keyword of inexpressible) {
    const value = open[keyword];
    if (value === undefined || (value === false && keyword.startsWith("unevaluated"))) continue;
    throw refuse(childPointer(pointer, keyword), `${keyword} is not supported by strict mode`);
  }
  return others;
}

const inexpressible = wordsIn(`
  patternProperties unevaluatedProperties prefixItems additionalItems unevaluatedItems contains not if
  dependentRequired dependentSchemas dependencies $dynamicRef
`);

const wayOut =
  "Change this part of the schema. Where you can set strict: false, it sends the schema unchanged, but not enforced.";

function withAllOf(schema: JsonObject, pointer: string, refuse: Refuse): JsonObject {
  const joined = joinAllOf(schema, pointer, refuse);
  if (joined["$ref"] === undefined || joined["properties"] === undefined) return joined;
  throw refuse(childPointer(pointer, "$ref"), "a $ref beside properties is not supported");
}

/** Converts one schema whose subschemas are converted already. */
function toStrict(schema: JsonObject, pointer: string, refuse: Refuse): JsonObject {
  const one = describeRules(withAllOf(withAnyOf(schema, pointer, refuse), pointer, refuse), openAIRules);
  const type = one["type"] ?? typeOf(one);
  const typed = type === undefined ? one : { ...one, type };
  if (hasType(typed, "array") && !isObject(typed["items"])) {
    throw refuse(pointer, "the items of the array may be anything. Add items");
  }
  const strict = hasType(typed, "object") ? closed(typed, pointer, refuse) : typed;
  if (type === undefined && strict["anyOf"] === undefined && strict["$ref"] === undefined) {
    throw refuse(pointer, "any value is allowed. Add a type");
  }
  return withReferenceAlone(strict);
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

/** Closes an object and requires all of its properties. */
function closed(schema: JsonObject, pointer: string, refuse: Refuse): JsonObject {
  const own = propertiesOf(schema, pointer, refuse);
  const { required } = schema;
  const needed: ReadonlySet<JsonValue> = new Set(Array.isArray(required) ? required : []);
  const all = Object.entries(own).map(([name, value]) => [name, needed.has(name) ? value : nullable(value)]);
  return {
    ...schema,
    properties: Object.fromEntries(all) as JsonObject,
    required: Object.keys(own),
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

/**
 * Moves a `$ref` into an `anyOf` if it has sibling keywords, because strict mode allows none, not even a description.
 */
function withReferenceAlone(schema: JsonObject): JsonObject {
  const { $ref, ...others } = schema;
  if ($ref === undefined) return schema;
  const beside = Object.keys(others).some((keyword) => keyword !== "$defs" && keyword !== "definitions");
  return beside ? { ...others, anyOf: [{ $ref }] } : schema;
}

function describe(schema: JsonObject): string {
  return schema["type"] === undefined ? "a reference" : `of the type ${JSON.stringify(schema["type"])}`;
}

/** The keywords that OpenAI's strict mode supports. */
const openAIRules: StrictRules = { supports: isKnown, ignores: isCoveredByFormat };

function isKnown(keyword: string, value: JsonValue): boolean {
  if (keyword === "format") return formats.has(value);
  // "regex lookaround is not supported" (vercel/ai#21037), and neither are back references.
  if (keyword === "pattern") return typeof value === "string" && !/\(\?<?[=!]|\\[1-9]/.test(value);
  return known.has(keyword);
}

/** Zod writes the pattern of an email beside its format. For a long time, that pattern used lookaround. */
function isCoveredByFormat(keyword: string, _value: JsonValue, { format }: JsonObject): boolean {
  return keyword === "pattern" && format !== undefined && formats.has(format);
}

const known: ReadonlySet<string> = new Set(
  wordsIn(`
    type properties required additionalProperties items anyOf enum const $ref $defs definitions title description
    multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems
  `),
);

const formats: ReadonlySet<JsonValue> = new Set(
  wordsIn("date-time time date duration email hostname ipv4 ipv6 uuid"),
);
