import type { JsonObject, JsonValue } from "millrace/json";
import { isObject } from "../../tree.js";

/** A JSON Schema that the value satisfies, for a run without a schema. */
export function schemaFrom(value: JsonValue | undefined): JsonObject {
  return value === undefined ? {} : schemaOfAll([value]);
}

/** A JSON Schema that all values satisfy. Without values, every value does. */
function schemaOfAll(values: readonly JsonValue[]): JsonObject {
  const types = [...new Set(values.map(typeOf))];
  const [type, ...others] = types;
  if (type === undefined) return {};
  const schema: JsonObject = { type: others.length === 0 ? type : types };
  if (types.includes("array")) {
    schema["items"] = schemaOfAll(values.flatMap((value) => (Array.isArray(value) ? value : [])));
  }
  if (types.includes("object")) {
    const objects = values.filter((value) => isObject(value));
    const valuesOf = new Map<string, JsonValue[]>();
    for (const [key, value] of objects.flatMap((object) => Object.entries(object))) {
      const known = valuesOf.get(key);
      if (known === undefined) valuesOf.set(key, [value]);
      else known.push(value);
    }
    const properties = [...valuesOf].map(([key, all]) => [key, schemaOfAll(all)] as const);
    schema["properties"] = Object.fromEntries(properties);
    schema["required"] = [...valuesOf.keys()].filter((key) => valuesOf.get(key)?.length === objects.length);
  }
  return schema;
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** The TypeScript type of a simple JSON Schema: objects, arrays, enums and types. Anything else is `unknown`. */
export function typeText(schema: JsonValue | undefined, indent = ""): string {
  if (!isObject(schema)) return "unknown";
  const { enum: values, type, items } = schema;
  if (Array.isArray(values)) return unionText(values.map((value) => JSON.stringify(value)));
  if (Array.isArray(type)) return unionText(type.map((one) => typeText({ ...schema, type: one }, indent)));
  if (type === "array") {
    const item = typeText(items, indent);
    return item.includes(" | ") ? `(${item})[]` : `${item}[]`;
  }
  const properties = schemaProperties(schema);
  if (properties.length > 0) {
    const inner = `${indent}  `;
    const lines = properties.map(
      ({ key, schema: child, required }) =>
        `${inner}${nameText(key)}${required ? "" : "?"}: ${typeText(child, inner)};\n`,
    );
    return `{\n${lines.join("")}${indent}}`;
  }
  return typeof type === "string" ? (types[type] ?? "unknown") : "unknown";
}

function unionText(types: readonly string[]): string {
  return types.join(" | ") || "never";
}

/** A property of an object's schema. */
export interface SchemaProperty {
  readonly key: string;
  readonly schema: JsonObject;
  readonly required: boolean;
}

/** The properties of a schema of objects. `null` may be valid too, and nothing else. */
export function schemaProperties(schema: JsonObject): readonly SchemaProperty[] {
  const { properties, required, enum: values, type = "object" } = schema;
  const types = [type].flat();
  const isOfObjects = types.includes("object") && types.every((one) => one === "object" || one === "null");
  if (!isObject(properties) || !isOfObjects || values !== undefined) return [];
  return Object.entries(properties).map(([key, child]) => ({
    key,
    schema: isObject(child) ? child : {},
    required: Array.isArray(required) && required.includes(key),
  }));
}

/** A key as it is written in a type. */
function nameText(key: string): string {
  return isName(key) ? key : JSON.stringify(key);
}

export function isName(key: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(key);
}

const types: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null",
  object: "Record<string, unknown>",
};
