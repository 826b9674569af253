import { isObject, type JsonObject, valueAt } from "../../json/value.js";
import { withTarget } from "../../schema/inline-references.js";
import { childPointer } from "../../tree/pointer.js";
import { definitionAt, targetOf } from "./references.js";
import type { Refuse } from "./request-errors.js";

/** Replaces a root `$ref`, as in recursive schemas, with its target: strict modes require an object at the root. */
export function withRootTarget(schema: JsonObject, refuse: Refuse): JsonObject {
  const { $ref, ...others } = schema;
  if (typeof $ref !== "string") return schema;
  const target = targetOf($ref, "/$ref", refuse);
  const definition = target === undefined ? undefined : definitionAt(target);
  const root = definition === undefined ? undefined : valueAt(others, definition);
  return isObject(root) ? withTarget(others, root, schema) : schema;
}

/** Strict modes support only `anyOf`. It means the same as `oneOf` if the choices exclude each other. */
export function withAnyOf(schema: JsonObject, pointer: string, refuse: Refuse): JsonObject {
  const { oneOf, ...others } = schema;
  if (oneOf === undefined) return schema;
  if (others["anyOf"] === undefined) return { ...others, anyOf: oneOf };
  throw refuse(childPointer(pointer, "oneOf"), "oneOf and anyOf are both present");
}

/** The properties of an object, which must all have a name and a schema. */
export function propertiesOf(
  { properties, additionalProperties, required }: JsonObject,
  pointer: string,
  refuse: Refuse,
): Readonly<Record<string, JsonObject>> {
  if (!isObject(properties) && additionalProperties === undefined) {
    throw refuse(pointer, "the properties of the object may be anything. Add properties");
  }
  const own = isObject(properties) ? properties : {};
  for (const [name, schema] of Object.entries(own)) {
    if (isObject(schema)) continue;
    const place = childPointer(childPointer(pointer, "properties"), name);
    throw refuse(place, schema === false ? "no value is allowed" : "any value is allowed. Add a type");
  }
  for (const name of Array.isArray(required) ? required : []) {
    if (typeof name === "string" && Object.hasOwn(own, name)) continue;
    const problem = `the property ${JSON.stringify(name)} is required, but not in properties`;
    throw refuse(childPointer(pointer, "required"), problem);
  }
  return own as Readonly<Record<string, JsonObject>>;
}
