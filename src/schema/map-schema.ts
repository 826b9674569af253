import { isObject, type JsonObject, type JsonValue } from "../json/value.js";
import { childPointer } from "../tree/pointer.js";
import { wordSet } from "../text/words-in.js";

/**
 * Copies a JSON Schema and replaces each schema in it by the result of `change`, inner schemas first.
 *
 * @param change takes a schema whose inner schemas are already replaced, and its JSON Pointer
 */
export function mapSchema(schema: JsonObject, change: ChangeSchema, pointer = ""): JsonObject {
  return change(
    mapInside(schema, (inner, at) => mapSchema(inner, change, at), pointer),
    pointer,
  );
}

type ChangeSchema = (schema: JsonObject, pointer: string) => JsonObject;

/** Copies a JSON Schema, and replaces the schemas that are directly inside it. */
export function mapInside(schema: JsonObject, change: ChangeSchema, pointer: string): JsonObject {
  const changed = (value: JsonValue, at: string): JsonValue => (isObject(value) ? change(value, at) : value);
  const inside = (value: JsonValue, at: string): JsonValue =>
    Array.isArray(value) ? value.map((item, i) => changed(item, childPointer(at, i))) : changed(value, at);
  return mapValues(schema, (value, keyword) => {
    const at = childPointer(pointer, keyword);
    if (keywordsOfSchemas.has(keyword)) return inside(value, at);
    // Its keys are names, not keywords.
    if (!keywordsOfNames.has(keyword) || !isObject(value)) return value;
    return mapValues(value, (named, name) => inside(named, childPointer(at, name)));
  });
}

/** A copy of a JSON Schema without the `stream` marks of this package (`.meta({ stream })`), for a provider. */
export function withoutMarks(schema: JsonObject): JsonObject {
  return mapSchema(schema, ({ stream, ...others }) =>
    stream === undefined || stream === "whole" || stream === "required" ? others : { ...others, stream },
  );
}

export function withoutKeywords(schema: JsonObject, keywords: ReadonlySet<unknown>): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.has(keyword)));
}

/** Keywords whose value is a schema or an array of schemas. */
export const keywordsOfSchemas: ReadonlySet<unknown> = wordSet(`
  items prefixItems additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties
  propertyNames anyOf oneOf allOf not if then else
`);

/** Keywords whose value is an object of schemas by name. */
export const keywordsOfNames: ReadonlySet<unknown> = wordSet(`
  properties patternProperties dependentSchemas dependencies $defs definitions
`);

export function mapValues(
  object: JsonObject,
  change: (value: JsonValue, key: string) => JsonValue,
): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
