import { isObject, type JsonObject, type JsonValue } from "../../json/value.js";
import { mapChoices } from "../../schema/inline-references.js";

/** Whether only objects match the schema. Expects inlined references. */
export function isObjectSchema(schema: JsonObject): boolean {
  const { type, properties, allOf } = schema;
  if (type !== undefined) return type === "object";
  return properties !== undefined || schemasIn(allOf).some(isObjectSchema);
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

function schemasIn(choice: JsonValue | undefined): JsonObject[] {
  return Array.isArray(choice) ? choice.filter((it) => isObject(it)) : [];
}
