import type { JsonObject, JsonValue } from "../json/value.js";

/** A copy of a JSON Schema that says nothing by regular expressions. */
export function withoutPatterns(schema: JsonObject): JsonObject {
  const { pattern: _pattern, patternProperties, ...others } = schema;
  // What other keys may be depends on the patterns too.
  if (patternProperties !== undefined) delete others["additionalProperties"];
  return mapValues(others, (value, keyword) => {
    if (asWritten.has(keyword)) return value;
    // The names in these are no keywords.
    return named.has(keyword) && isObject(value) ? mapValues(value, inside) : inside(value);
  });
}

const asWritten: ReadonlySet<string> = new Set(["enum", "const", "default", "examples"]);
const named: ReadonlySet<string> = new Set(["properties", "$defs", "definitions"]);

function inside(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inside);
  return isObject(value) ? withoutPatterns(value) : value;
}

function mapValues(object: JsonObject, change: (value: JsonValue, key: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
