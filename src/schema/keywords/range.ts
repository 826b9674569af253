import type { JsonObject, JsonValue } from "../../json/value.js";

/** The tests of the bounds of a number. */
export const signs = {
  ">=": (value: number, limit: number) => value >= limit,
  "<=": (value: number, limit: number) => value <= limit,
  ">": (value: number, limit: number) => value > limit,
  "<": (value: number, limit: number) => value < limit,
} as const;

export function boundOf(
  value: JsonValue | undefined,
  sign: string,
  counterpart: JsonValue | undefined,
): number | undefined {
  if (sign.length === 1 && value === true) return numberIn(counterpart);
  return sign.length === 2 && counterpart === true ? undefined : numberIn(value);
}

function boundsOf(schema: JsonObject): (readonly [sign: string, bound: number])[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const bounds = [
    [">=", boundOf(minimum, ">=", exclusiveMinimum)],
    [">", boundOf(exclusiveMinimum, ">", minimum)],
    ["<=", boundOf(maximum, "<=", exclusiveMaximum)],
    ["<", boundOf(exclusiveMaximum, "<", maximum)],
  ] as const;
  return bounds.filter((each): each is typeof each & readonly [string, number] => each[1] !== undefined);
}

/** All bounds of the schema, because a model that is told one of them may break the other. */
export function wordsForRange(schema: JsonObject): string {
  const bounds = boundsOf(schema);
  // Zod writes the bounds of safe integers for every integer: mention them only if there are no others.
  const own = bounds.filter(([, limit]) => Math.abs(limit) < Number.MAX_SAFE_INTEGER);
  const words = (own.length > 0 ? own : bounds).map(([sign, limit]) => `${sign} ${limit}`);
  return `a number ${words.join(" and ")}`;
}

export function numberIn(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" ? value : undefined;
}
