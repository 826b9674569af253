import { childPointer } from "../../../tree/pointer.js";
import type { JsonObject, JsonValue } from "../../../json/value.js";
import { mapSchema, withoutMarks } from "../../../schema/map-schema.js";
import { isRecord } from "../../loose.js";
import { type Refuse, refuseIn } from "../../request/request-errors.js";
import { rootObject } from "./root-object.js";
import { joinAllOf } from "../../request/join-all-of.js";
import { propertiesOf, withAnyOf } from "../../request/strict-parts.js";
import { describeRules, hasType, type StrictRules } from "../../request/describe-rules.js";
import { checkReferences } from "./check-references.js";
import { wordsIn } from "../../../text/words-in.js";

/**
 * Converts a JSON Schema for Anthropic's structured outputs ("JSON Schema limitations" in their documentation;
 * docs/anthropic.md). Every object is closed. Unsupported rules, such as number bounds, move to the description, where
 * the model reads them.
 *
 * @param subject the owner of the schema, for errors: `the tool "weather"`
 * @param isTool whether the root must be an object
 * @throws {ModelError} `invalid_request` with the JSON Pointer of the unsupported part
 */
export function strictSchema(schema: JsonObject, subject: string, isTool = false): JsonObject {
  const refuse = refuseIn(subject, "expressed in Anthropic's structured outputs");
  const plain = withoutMarks(schema);
  const whole = isTool ? rootObject(plain, refuse) : plain;
  checkReferences(whole, refuse);
  return mapSchema(whole, (inner, pointer) => strictly(inner, pointer, refuse));
}

/** Converts one schema whose subschemas are already converted. */
function strictly(schema: JsonObject, pointer: string, refuse: Refuse): JsonObject {
  const joined = joinAllOf(schema, pointer, refuse);
  // The members of an allOf are checked as part of the whole.
  if (/\/allOf\/\d+$/.test(pointer)) return joined;
  const whole = withAnyOf(joined, pointer, refuse);
  if (whole["anyOf"] !== undefined && whole["properties"] !== undefined) {
    throw refuse(pointer, "an anyOf beside properties is not supported, because every object is closed");
  }
  for (const keyword of unsupportedKeywords) {
    if (whole[keyword] === undefined) continue;
    throw refuse(childPointer(pointer, keyword), `${keyword} is not supported`);
  }
  const values = whole["enum"] ?? ("const" in whole ? [whole["const"]] : []);
  if (Array.isArray(values) && values.some((value) => typeof value === "object" && value !== null)) {
    const keyword = whole["enum"] === undefined ? "const" : "enum";
    throw refuse(
      childPointer(pointer, keyword),
      "only strings, numbers, booleans and null are supported as values",
    );
  }
  const described = describeRules(whole, rules);
  if (hasType(described, "array") && !isRecord(described["items"])) {
    throw refuse(pointer, "an array needs a schema for its elements");
  }
  if (!restrictingKeywords.some((keyword) => described[keyword] !== undefined))
    throw refuse(pointer, "a schema that allows any value is not supported");
  const single = alone(described, pointer, refuse);
  return isObjectSchema(single) ? closed(single, pointer, refuse) : single;
}

/** Keywords that restrict the values. A schema without any of them allows everything. */
const restrictingKeywords = ["type", "properties", "enum", "const", "anyOf", "$ref"] as const;

/** Keywords that change the allowed values in a way that a description cannot express. */
const unsupportedKeywords = wordsIn("patternProperties prefixItems additionalItems if $dynamicRef");

function closed(schema: JsonObject, pointer: string, refuse: Refuse): JsonObject {
  const { additionalProperties = false } = schema;
  if (additionalProperties !== false) {
    throw refuse(
      childPointer(pointer, "additionalProperties"),
      "properties with arbitrary names are not supported. Use an array of objects with a name and a value",
    );
  }
  const properties = propertiesOf(schema, pointer, refuse);
  return { ...schema, type: schema["type"] ?? "object", properties, additionalProperties: false };
}

/** Other keywords beside a reference are ignored. */
function alone(schema: JsonObject, pointer: string, refuse: Refuse): JsonObject {
  const { $ref, ...others } = schema;
  const beside = Object.keys(others).filter((keyword) => keyword !== "$defs" && keyword !== "definitions");
  if ($ref === undefined || beside.length === 0) return schema;
  const second = restrictingKeywords.find((keyword) => others[keyword] !== undefined);
  if (second === undefined) return { ...others, anyOf: [{ $ref }] };
  throw refuse(childPointer(pointer, "$ref"), `a reference beside ${second} is not supported`);
}

const rules: StrictRules = { supports: isKnown, ignores: isIdle };

function isKnown(keyword: string, value: JsonValue): boolean {
  switch (keyword) {
    case "format":
      return formats.has(value);
    case "minItems":
      return value === 0 || value === 1;
    case "pattern":
      return typeof value === "string" && isSimple(value);
    default:
      return known.has(keyword);
  }
}

/**
 * Whether a pattern has only repetitions, classes and plain groups: no look-around, back-references, word boundaries,
 * Unicode properties, lazy or long repetitions.
 */
function isSimple(pattern: string): boolean {
  return !/\(\?|\\[1-9bBpPkcux]|[*+?}]\?|\{\d{3,}|\{\d+,\d{3,}/.test(pattern);
}

/** Whether a keyword has no effect here. */
function isIdle(keyword: string, value: JsonValue, schema: JsonObject): boolean {
  // The bounds of safe integers, which Zod adds to every integer.
  if (typeof value === "number" && Math.abs(value) === Number.MAX_SAFE_INTEGER) return true;
  // Patterns that repeat the format, and long ones.
  if (keyword === "pattern") return schema["format"] !== undefined && formats.has(schema["format"]);
  return keyword === "unevaluatedProperties" && value === false;
}

const known: ReadonlySet<string> = new Set(
  wordsIn(`
    type properties required additionalProperties items anyOf enum const default $ref $defs definitions title
    description
  `),
);

const formats: ReadonlySet<JsonValue> = new Set(
  wordsIn("date-time time date duration email hostname uri ipv4 ipv6 uuid"),
);

function isObjectSchema(schema: JsonObject): boolean {
  return hasType(schema, "object") || (schema["type"] === undefined && schema["properties"] !== undefined);
}
