import { isObject, type JsonObject, type JsonValue } from "../../../json/value.js";
import { wordsIn } from "../../../text/words-in.js";
import {
  allOfJoined,
  each,
  type KeywordRule,
  ifSo,
  namesOfProperties,
  readAsAnyOf,
  type SchemaDialect,
} from "../dialect.js";
import { allowsIntegersOnly, withInclusiveBounds } from "../inclusive-bounds.js";
import { noteOf, withNote } from "../join-all-of.js";
import { flattened } from "./flatten.js";
import { MAX_REPETITIONS, readPattern, withLengths, writePattern } from "./pattern.js";

/**
 * The schemas of servers that turn them into a grammar of llama.cpp ("json-schema-to-grammar"). Of these keywords the
 * grammar takes the first, and drops the rules beside it: `$ref`, `anyOf` or `oneOf`, a list of types, `const`, `enum`,
 * `properties` and `additionalProperties`, `items`, `pattern`, `format`, lengths and bounds. So they are written apart,
 * and what a grammar cannot say is described.
 */
const grammarKeywords: Readonly<Record<string, KeywordRule>> = {
  allOf: allOfJoined,
  ...each("type enum const properties required additionalProperties anyOf $defs definitions", "kept"),
  oneOf: readAsAnyOf,
  $ref: ifSo("a pointer", (value) => typeof value !== "string" || value.startsWith("#/"), "kept", {
    refused: true,
    problem: "the reference points outside the schema, or is an anchor",
  }),
  prefixItems: { as: "written as an array of `items`", rewrite: withTuple },
  items: { as: "kept; an array only where it has an end", rewrite: withTuple },
  additionalItems: { as: "see `items`", rewrite: withTuple, otherwise: "ignored" },
  patternProperties: { as: "written as `additionalProperties`, and described", rewrite: withNamedValues },
  propertyNames: {
    as: "an `enum` is written as `properties`",
    rewrite: withNames,
    otherwise: namesOfProperties,
  },
  pattern: { as: "written with plain classes, groups and both anchors, or described", rewrite: withPattern },
  format: ifSo("date, time, date-time, uuid", (value) => grammarFormats.has(value), "kept", "described"),
  ...each("exclusiveMinimum exclusiveMaximum", {
    as: "for integers, written as an inclusive bound",
    rewrite: withInclusiveBounds,
    otherwise: "described",
  }),
  ...each("minimum maximum", {
    as: "for integers, rounded",
    rewrite: withInclusiveBounds,
    otherwise: ifSo(
      "safe integers",
      (value, schema) => allowsIntegersOnly(schema) && Number.isSafeInteger(value),
      "kept",
      "described",
    ),
  }),
  ...each(
    "minLength maxLength",
    ifSo(
      `below ${MAX_REPETITIONS}, without \`pattern\``,
      (value, { pattern, format }) =>
        pattern === undefined && !grammarFormats.has(format ?? null) && isRepeatable(value),
      "kept",
      "described",
    ),
  ),
  ...each("minItems maxItems", ifSo(`below ${MAX_REPETITIONS}`, isRepeatable, "kept", "described")),
  unevaluatedProperties: ifSo("`false`", (value) => value === false, "dropped", "described"),
  ...each(
    `multipleOf uniqueItems minProperties maxProperties contains minContains maxContains not if then else
    dependentSchemas dependentRequired dependencies unevaluatedItems contentEncoding contentMediaType
    $dynamicRef $recursiveRef`,
    "described",
  ),
};

export function grammarDialect(server: string): SchemaDialect {
  return {
    expressed: `expressed for ${server}`,
    advice: "With strict: false it is sent unchanged.",
    root: flattened,
    keywords: grammarKeywords,
    others: "ignored",
    shape: withoutGaps,
  };
}

const grammarFormats: ReadonlySet<JsonValue> = new Set(["date", "time", "date-time", "uuid"]);

function isRepeatable(times: JsonValue): boolean {
  return typeof times === "number" && times < MAX_REPETITIONS;
}

/** Any value, as types: the grammar takes an empty schema for an object, and refuses `true`. */
const anyType: JsonObject = { type: ["object", "array", "string", "number", "boolean", "null"] };

const starts = wordsIn(
  "type $ref anyOf oneOf const enum properties additionalProperties items pattern format",
);

/** A tuple, which the grammar reads as an array of `items`. Where more may follow, the places are described. */
function withTuple(schema: JsonObject): JsonObject {
  const { prefixItems, items, additionalItems, minItems, maxItems, ...others } = schema;
  const places = Array.isArray(prefixItems) ? prefixItems : items;
  if (!Array.isArray(places)) return schema;
  const rest = Array.isArray(items) ? additionalItems : items;
  const most = Math.min(places.length, typeof maxItems === "number" ? maxItems : Infinity);
  const least = typeof minItems === "number" ? minItems : 0;
  if (least <= most && !isObject(rest)) return { ...others, items: places.slice(0, most).map(asObject) };
  const choices = [...places, rest ?? true].map(asObject);
  return withNote(
    {
      ...others,
      items: { anyOf: choices },
      ...(minItems !== undefined && { minItems }),
      ...(maxItems !== undefined && { maxItems }),
    },
    `(${noteOf("prefixItems", places)})`,
  );
}

/** Other names may have the values of all patterns. */
function withNamedValues(schema: JsonObject): JsonObject {
  const { patternProperties, additionalProperties = true, ...others } = schema;
  if (!isObject(patternProperties)) return schema;
  const values = [...Object.values(patternProperties), additionalProperties].filter((it) => it !== false);
  const [only = false, ...more] = values;
  const all = values.includes(true) ? true : more.length === 0 ? only : { anyOf: values };
  return withNote(
    { ...others, additionalProperties: all },
    `(${noteOf("patternProperties", patternProperties)})`,
  );
}

/** A record of known names has properties. */
function withNames(schema: JsonObject): JsonObject {
  const { propertyNames, additionalProperties = true, properties, ...others } = schema;
  const names = isObject(propertyNames)
    ? (propertyNames["enum"] ?? [propertyNames["const"] ?? null].flat())
    : [];
  if (!Array.isArray(names) || names.length === 0 || additionalProperties === false) return schema;
  if (!names.every((name) => typeof name === "string")) return schema;
  const own = isObject(properties) ? properties : {};
  const all = names.map(
    (name) => [name, Object.hasOwn(own, name) ? own[name] : asObject(additionalProperties)] as const,
  );
  return { ...others, properties: Object.fromEntries(all) as JsonObject, additionalProperties: false };
}

/** A pattern that is also written with the lengths beside it, because it switches them off. */
function withPattern(schema: JsonObject): JsonObject {
  const { pattern, minLength = 0, maxLength = Infinity, ...others } = schema;
  const read = typeof pattern === "string" ? readPattern(pattern) : undefined;
  if (read === undefined) {
    const { pattern: _, ...rest } = schema;
    return withNote(rest, `(${noteOf("pattern", pattern ?? null)})`);
  }
  const both = withLengths(read, minLength as number, maxLength as number);
  return both === undefined
    ? { ...schema, pattern: writePattern(read) }
    : { ...others, pattern: writePattern(both) };
}

/** The schema without what a grammar misreads: empty schemas, `true` and `false`, required names without a property. */
function withoutGaps(schema: JsonObject): JsonObject {
  const typed = starts.some((keyword) => schema[keyword] !== undefined) ? schema : { ...schema, ...anyType };
  const { properties, items, anyOf, oneOf } = typed;
  return withRequired({
    ...typed,
    ...(isObject(properties) && { properties: withoutFalse(properties) }),
    ...(items === false && { items: anyType, maxItems: 0 }),
    ...(items === true && { items: anyType }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.filter((it) => it !== false).map(asObject) }),
    ...(Array.isArray(oneOf) && { oneOf: oneOf.filter((it) => it !== false).map(asObject) }),
  });
}

/** A property that no value may have is left out. */
function withoutFalse(properties: JsonObject): JsonObject {
  const possible = Object.entries(properties).filter(([, schema]) => schema !== false);
  return Object.fromEntries(possible.map(([name, schema]) => [name, asObject(schema)]));
}

/** A required property among those of any name gets a schema, because the grammar requires no others. */
function withRequired(schema: JsonObject): JsonObject {
  const { type, properties, required, additionalProperties = true } = schema;
  if (!Array.isArray(required) || additionalProperties === false) return schema;
  if (type !== "object" && properties === undefined) return schema;
  const own = isObject(properties) ? properties : {};
  const missing = required.filter((name) => typeof name === "string" && !Object.hasOwn(own, name));
  if (missing.length === 0) return schema;
  const added = missing.map((name) => [name, asObject(additionalProperties)] as const);
  return {
    ...schema,
    properties: { ...own, ...(Object.fromEntries(added) as JsonObject) },
    additionalProperties,
  };
}

function asObject(schema: JsonValue): JsonObject {
  return isObject(schema) && Object.keys(schema).length > 0 ? schema : anyType;
}
