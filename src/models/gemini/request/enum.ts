import { childPointer } from "../../../tree/pointer.js";
import type { JsonObject, JsonValue } from "../../../json/value.js";
import { refuseSchema } from "./schema-refusal.js";

/** `const` as an `enum` of one. */
export function withoutConst(schema: JsonObject): JsonObject {
  const { const: value, ...others } = schema;
  if (value === undefined || others["enum"] !== undefined) return schema;
  return { ...others, enum: [value] };
}

/** Reduces an `enum` to strings and numbers, as Gemini requires. true, false and null become types. */
export function withPlainEnum(schema: JsonObject, pointer: string): JsonObject {
  const { enum: values, ...others } = schema;
  if (!Array.isArray(values) || values.every(isPlain)) return schema;
  if (values.some((value) => typeof value === "object" && value !== null)) {
    throw refuseSchema(
      childPointer(pointer, "enum"),
      "Gemini does not support objects and arrays in an enum",
    );
  }
  const alternatives = [
    ...ofType("string", values),
    ...ofType("number", values),
    ...booleansIn(values),
    ...(values.includes(null) ? [{ type: "null" }] : []),
  ];
  const { type: _, ...rest } = others;
  const [only, ...more] = alternatives;
  if (only !== undefined && more.length === 0) {
    const texts = [rest["description"], only["description"]].filter((text) => typeof text === "string");
    return { ...rest, ...only, ...(texts.length === 0 ? undefined : { description: texts.join(" ") }) };
  }
  if (rest["anyOf"] !== undefined) {
    throw refuseSchema(
      childPointer(pointer, "enum"),
      "Gemini does not support an enum with true, false or null beside an anyOf",
    );
  }
  return { ...rest, anyOf: alternatives };
}

function isPlain(value: JsonValue): boolean {
  return typeof value === "string" || typeof value === "number";
}

function ofType(type: "string" | "number", values: readonly JsonValue[]): JsonObject[] {
  const own = values.filter((value) => typeof value === type);
  return own.length === 0 ? [] : [{ type, enum: own }];
}

function booleansIn(values: readonly JsonValue[]): JsonObject[] {
  const own = values.filter((value) => typeof value === "boolean");
  if (own.length === 0) return [];
  return own.length === 1 ? [{ type: "boolean", description: `(const: ${own[0]})` }] : [{ type: "boolean" }];
}
