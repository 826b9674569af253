import { isObject, type JsonObject, type JsonValue } from "../json/value.js";
import { childPointer } from "../tree/pointer.js";
import { wordsIn } from "../text/words-in.js";

/**
 * Copies a JSON Schema and replaces each schema in it by the result of `change`, inner schemas first.
 *
 * @param change takes a schema whose inner schemas are already replaced, and its JSON Pointer
 */
export function mapSchema(
  schema: JsonObject,
  change: (schema: JsonObject, pointer: string) => JsonObject,
  pointer = "",
): JsonObject {
  const inside = (value: JsonValue, at: string): JsonValue => {
    if (Array.isArray(value)) return value.map((item, i) => inside(item, childPointer(at, i)));
    return isObject(value) ? mapSchema(value, change, at) : value;
  };
  const mapped = mapValues(schema, (value, keyword) => {
    const at = childPointer(pointer, keyword);
    if (keywordsOfSchemas.has(keyword)) return inside(value, at);
    // Its keys are names, not keywords.
    if (!keywordsOfNames.has(keyword) || !isObject(value)) return value;
    return mapValues(value, (named, name) => inside(named, childPointer(at, name)));
  });
  return change(mapped, pointer);
}

/** A copy of a JSON Schema without the `stream` marks of this package (`.meta({ stream })`), for a provider. */
export function withoutMarks(schema: JsonObject): JsonObject {
  return mapSchema(schema, ({ stream, ...others }) =>
    stream === undefined || stream === "whole" || stream === "required" ? others : { ...others, stream },
  );
}

/** Keywords whose value is a schema or an array of schemas. */
export const keywordsOfSchemas: ReadonlySet<string> = new Set(
  wordsIn(`
  items prefixItems additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties
  propertyNames anyOf oneOf allOf not if then else
`),
);

/** Keywords whose value is an object of schemas by name. */
export const keywordsOfNames: ReadonlySet<string> = new Set(
  wordsIn(`
    properties patternProperties dependentSchemas dependencies $defs definitions
  `),
);

function mapValues(object: JsonObject, change: (value: JsonValue, key: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
