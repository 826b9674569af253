import { sureDocument, type SureDocument } from "../../../find/sure-document.js";
import type { JsonRepair } from "../../../json/repair.js";
import type { JsonSchema } from "../../../schema/schema.js";
import { constantAsJson } from "../python/python-text.js";

/** The schema of a value that is JSON, in a tool that is not known. */
export const anyJson: JsonSchema = { type: ["string", "number"] };

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

/** The JSON in the value with its repairs, or the value as a string. */
export function typedAsJson(
  value: string,
  schema: JsonSchema | undefined,
): { readonly args: string; readonly repairs?: readonly JsonRepair[] } {
  const text = value.trim();
  const literal = constantAsJson(text) ?? text;
  const types = [schema?.["type"]].flat();
  const allowsString = schema?.["type"] === undefined || types.includes("string");
  try {
    const parsed = JSON.parse(literal) as unknown;
    // A number is a string where the schema allows only the string.
    if (
      typeof parsed !== "number" ||
      !allowsString ||
      types.some((it) => it === "number" || it === "integer")
    ) {
      return { args: literal };
    }
  } catch {
    // Not JSON.
  }
  const found = allowsString ? undefined : repaired(text);
  if (found === undefined) return { args: JSON.stringify(value) };
  return { args: JSON.stringify(found.value), repairs: found.repairs };
}

/** A list or object that is nearly JSON, as in Python: `['a', True]`. */
function repaired(text: string): SureDocument | undefined {
  return /^\[[^]*\]$|^\{[^]*\}$/.test(text) ? sureDocument(text) : undefined;
}
