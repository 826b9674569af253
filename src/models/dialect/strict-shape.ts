import { isObject, type JsonObject } from "../../json/value.js";
import { childPointer } from "../../tree/pointer.js";
import { ifSo, type KeywordRule } from "./dialect.js";
import type { Refuse } from "./refuse.js";

/** Strict modes support only `anyOf`. It means the same as `oneOf` if the choices exclude each other. */
export const oneOfAsAnyOf: KeywordRule = {
  as: "written as `anyOf`",
  rewrite: (schema, pointer, refuse) => {
    const { oneOf, ...others } = schema;
    if (oneOf === undefined) return schema;
    if (others["anyOf"] === undefined) return { ...others, anyOf: oneOf };
    throw refuse(childPointer(pointer, "oneOf"), "oneOf and anyOf are both present");
  },
};

/** Strict modes close every object. */
export const closedOnly: KeywordRule = ifSo("`false`", (value) => value === false, "kept", {
  refused: true,
  problem: "properties may have any name. Use an array of objects with name and value instead",
});

/**
 * The shape that strict modes require: a type for every value, a schema for every element, references alone, objects
 * closed. @param besideReference the keywords that may not be beside a `$ref`
 */
export function strictShape(
  schema: JsonObject,
  pointer: string,
  refuse: Refuse,
  besideReference: readonly string[],
): JsonObject {
  if (schema["anyOf"] !== undefined && schema["properties"] !== undefined) {
    throw refuse(pointer, "an anyOf beside properties is not supported, because every object is closed");
  }
  if (hasType(schema, "array") && !isObject(schema["items"])) {
    throw refuse(pointer, "the items of the array may be anything. Add items");
  }
  if (!restrictingKeywords.some((keyword) => schema[keyword] !== undefined)) {
    throw refuse(pointer, "any value is allowed. Add a type");
  }
  const alone = withReferenceAlone(schema, pointer, refuse, besideReference);
  const isObjectSchema = hasType(alone, "object") || (alone["type"] === undefined && alone["properties"]);
  if (!isObjectSchema) return alone;
  const properties = propertiesOf(alone, pointer, refuse);
  return { ...alone, type: alone["type"] ?? "object", properties, additionalProperties: false };
}

/** Keywords that restrict the values. A schema without any of them allows everything. */
export const restrictingKeywords = ["type", "properties", "enum", "const", "anyOf", "$ref"] as const;

/** Moves a `$ref` into an `anyOf` if it has sibling keywords, because providers ignore or refuse them. */
export function withReferenceAlone(
  schema: JsonObject,
  pointer: string,
  refuse: Refuse,
  besideReference: readonly string[],
): JsonObject {
  const { $ref, ...others } = schema;
  const isAlone = Object.keys(others).every(
    (keyword) => keyword.startsWith("$") || keyword === "definitions",
  );
  if ($ref === undefined || isAlone) return schema;
  const second = besideReference.find((keyword) => keyword !== "$ref" && others[keyword] !== undefined);
  if (second === undefined) return { ...others, anyOf: [{ $ref }] };
  throw refuse(childPointer(pointer, "$ref"), `a reference beside ${second} is not supported`);
}

export function hasType({ type }: JsonObject, name: string): boolean {
  return Array.isArray(type) ? type.includes(name) : type === name;
}

function propertiesOf(
  { properties, additionalProperties, required }: JsonObject,
  pointer: string,
  refuse: Refuse,
): JsonObject {
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
  return own;
}
