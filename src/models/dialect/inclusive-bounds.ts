import type { JsonObject, JsonValue } from "../../json/value.js";

/** The bounds of an integer as inclusive bounds, without fractions. */
export function withInclusiveBounds(schema: JsonObject): JsonObject {
  const { exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...others } = schema;
  if (!allowsIntegersOnly(schema)) return schema;
  const low = Math.max(
    Math.ceil(numberOr(minimum, -Infinity)),
    Math.floor(numberOr(exclusiveMinimum, -Infinity)) + 1,
  );
  const high = Math.min(
    Math.floor(numberOr(maximum, Infinity)),
    Math.ceil(numberOr(exclusiveMaximum, Infinity)) - 1,
  );
  return {
    ...others,
    ...(low > -Infinity && { minimum: low }),
    ...(high < Infinity && { maximum: high }),
  };
}

export function allowsIntegersOnly({ type }: JsonObject): boolean {
  const types = [type].flat();
  return types.includes("integer") && !types.includes("number");
}

function numberOr(value: JsonValue | undefined, other: number): number {
  return typeof value === "number" ? value : other;
}
