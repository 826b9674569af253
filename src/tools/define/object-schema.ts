import { parsePointer } from "../../tree/pointer.js";
import { isObject, type JsonObject, type JsonValue, valueAt } from "../../json/value.js";

/**
 * Replaces references at the root of a schema, and in its `allOf`, `anyOf` and `oneOf`, with their targets. Providers require
 * the type `object` at the root.
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

/** Whether only objects match the schema. Expects inlined references. */
export function isObjectSchema(schema: JsonObject): boolean {
  const { type, properties, allOf, anyOf, oneOf } = schema;
  if (type !== undefined) return type === "object";
  if (properties !== undefined || schemasIn(allOf).some(isObjectSchema)) return true;
  return [anyOf, oneOf].some(
    (choice) => schemasIn(choice).length > 0 && schemasIn(choice).every(isObjectSchema),
  );
}

/** Whether the schema has the property. Expects inlined references. */
export function hasProperty(schema: JsonObject, name: string): boolean {
  const { properties, allOf, anyOf, oneOf } = schema;
  if (isObject(properties) && Object.hasOwn(properties, name)) return true;
  return [allOf, anyOf, oneOf].some((choice) => schemasIn(choice).some((it) => hasProperty(it, name)));
}

/** Removes properties from the schema. Expects inlined references. */
export function withoutProperties(schema: JsonObject, names: ReadonlySet<string>): JsonObject {
  const rest = mapChoices(schema, (choice) => withoutProperties(choice, names));
  const { properties, required } = schema;
  if (isObject(properties)) {
    rest["properties"] = Object.fromEntries(Object.entries(properties).filter(([name]) => !names.has(name)));
  }
  if (Array.isArray(required)) {
    rest["required"] = required.filter((name) => typeof name !== "string" || !names.has(name));
  }
  return rest;
}

function mapChoices(schema: JsonObject, change: (choice: JsonObject) => JsonObject): JsonObject {
  const mapped = { ...schema };
  for (const keyword of ["allOf", "anyOf", "oneOf"]) {
    const choice = schema[keyword];
    if (Array.isArray(choice)) mapped[keyword] = choice.map((it) => (isObject(it) ? change(it) : it));
  }
  return mapped;
}

function schemasIn(choice: JsonValue | undefined): JsonObject[] {
  return Array.isArray(choice) ? choice.filter((it) => isObject(it)) : [];
}
