import type { JsonSchema } from "../../../schema/schema.js";
import { constantAsJson } from "../python-text.js";

export function allowsOnlyStrings(schema: JsonSchema | undefined): boolean {
  if (schema === undefined) return true;
  const { type, enum: values, const: value } = schema;
  if (type === undefined)
    return [values ?? value ?? ""].flat().every((it) => typeof it === "string") && !hasParts(schema);
  return [type].flat().every((it) => it === "string");
}

function hasParts(schema: JsonSchema): boolean {
  return ["anyOf", "oneOf", "allOf", "$ref"].some((key) => key in schema);
}

/** The JSON in the value, or the value as a string. */
export function typedAsJson(value: string, schema: JsonSchema | undefined): string {
  const text = value.trim();
  const literal = constantAsJson(text) ?? text;
  const allowsString = schema?.["type"] === undefined || [schema["type"]].flat().includes("string");
  try {
    const parsed = JSON.parse(literal) as unknown;
    // A number is a string where the schema allows only the string.
    if (
      typeof parsed !== "number" ||
      !allowsString ||
      [schema?.["type"]].flat().some((it) => it === "number" || it === "integer")
    ) {
      return literal;
    }
  } catch {
    // Not JSON.
  }
  return JSON.stringify(value);
}
