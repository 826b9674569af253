import type { JsonObject, JsonValue } from "../../../json/value.js";
import { mapSchema } from "../../../schema/map-schema.js";
import { childPointer } from "../../../tree/pointer.js";
import { asRecord } from "../../loose.js";
import type { Refuse } from "../../dialect/refuse.js";

/** As of 2026 ("Limitations on schema size" and the sections around it in OpenAI's guide to Structured Outputs). */
const limits = {
  properties: 5_000,
  /** Nesting depth of objects below the root. */
  levels: 10,
  enumValues: 1_000,
  /** Total length of property names, definition names, and values of enum and const. */
  characters: 120_000,
  /** An enum with more values than this ... */
  longEnum: 250,
  /** ... is limited to this many characters. */
  longEnumCharacters: 15_000,
} as const;

export function checkLimits(schema: JsonObject, refuse: Refuse): void {
  let properties = 0;
  let enumValues = 0;
  let characters = 0;
  mapSchema(schema, (inner, pointer) => {
    const named = [inner["properties"], inner["$defs"], inner["definitions"]];
    const names = named.map((schemas) => Object.keys(asRecord(schemas)));
    const values = Array.isArray(inner["enum"]) ? inner["enum"] : [];
    properties += names[0]?.length ?? 0;
    enumValues += values.length;
    const inEnum = lengthOf(values);
    characters += lengthOf(names.flat()) + inEnum + lengthOf([inner["const"]]);
    if (values.length > limits.longEnum && inEnum > limits.longEnumCharacters) {
      const limit = `an enum of more than ${limits.longEnum} values may have ${limits.longEnumCharacters} characters`;
      throw refuse(childPointer(pointer, "enum"), `${limit}, but this one has ${inEnum}`);
    }
    return inner;
  });
  const check = (limit: number, things: string, found: number): void => {
    if (found > limit)
      throw refuse("", `there are ${found} ${things}, but no more than ${limit} are allowed`);
  };
  check(limits.properties, "properties", properties);
  check(limits.enumValues, "enum values", enumValues);
  check(limits.characters, "characters in names and values", characters);
  check(limits.levels, "levels of nesting", levelsOf(schema) - 1);
}

/** Nesting depth of objects, including this one. References are not followed, because they may be recursive. */
function levelsOf(schema: JsonValue | undefined): number {
  if (Array.isArray(schema)) return Math.max(0, ...schema.map(levelsOf));
  if (typeof schema !== "object" || schema === null) return 0;
  const { properties, items, anyOf, oneOf, allOf } = schema;
  const own = properties === undefined ? 0 : 1 + levelsOf(Object.values(properties as JsonObject));
  return Math.max(own, ...[items, anyOf, oneOf, allOf].map(levelsOf));
}

function lengthOf(values: readonly (JsonValue | undefined)[]): number {
  return values.reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 0), 0);
}
