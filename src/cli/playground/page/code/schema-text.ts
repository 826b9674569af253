import { isObject, type JsonObject, type JsonValue } from "../../../../json/value.js";

/** A JSON Schema that the value satisfies, for a run without a schema. */
export function schemaFrom(value: JsonValue | undefined): JsonObject {
  if (value === undefined) return {};
  if (value === null) return { type: "null" };
  if (Array.isArray(value)) return { type: "array", items: schemaFrom(value[0]) };
  if (typeof value !== "object") return { type: typeof value };
  const properties = Object.entries(value).map(([key, child]) => [key, schemaFrom(child)] as const);
  return { type: "object", properties: Object.fromEntries(properties), required: Object.keys(value) };
}

/** The TypeScript type of a simple JSON Schema: objects, arrays, enums and types. Anything else is `unknown`. */
export function typeText(schema: JsonValue | undefined, indent = ""): string {
  if (!isObject(schema)) return "unknown";
  const { enum: values, type, items } = schema;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (Array.isArray(type)) return type.map((one) => typeText({ ...schema, type: one }, indent)).join(" | ");
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

/** A property of an object's schema. */
export interface SchemaProperty {
  readonly key: string;
  readonly schema: JsonObject;
  readonly required: boolean;
}

export function schemaProperties(schema: JsonObject): readonly SchemaProperty[] {
  const { properties, required } = schema;
  if (!isObject(properties)) return [];
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
