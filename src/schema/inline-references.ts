import { isObject, type JsonObject, valueAt } from "../json/value.js";
import { parsePointer } from "../tree/pointer.js";

/**
 * Replaces references at the root of a schema, and in its `allOf`, `anyOf` and `oneOf`, with their targets. Providers
 * require the type `object` at the root of a tool.
 */
export function inlineReferences(
  schema: JsonObject,
  root: JsonObject = schema,
  seen: readonly string[] = [],
): JsonObject {
  const { $ref, ...own } = schema;
  if (typeof $ref === "string" && /^#(?:\/|$)/.test($ref) && !seen.includes($ref)) {
    const target = valueAt(root, parsePointer(decodeURIComponent($ref.slice(1))));
    if (isObject(target)) return inlineReferences({ ...target, ...own }, root, [...seen, $ref]);
  }
  return mapChoices(schema, (choice) => inlineReferences(choice, root, seen));
}

/** Replaces the schemas in `allOf`, `anyOf` and `oneOf`. */
export function mapChoices(schema: JsonObject, change: (choice: JsonObject) => JsonObject): JsonObject {
  const mapped = { ...schema };
  for (const keyword of ["allOf", "anyOf", "oneOf"]) {
    const choice = schema[keyword];
    if (Array.isArray(choice)) mapped[keyword] = choice.map((it) => (isObject(it) ? change(it) : it));
  }
  return mapped;
}
