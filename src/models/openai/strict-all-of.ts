import { childPointer } from "../../json/pointer.js";
import type { JsonArray, JsonObject, JsonValue } from "../../json/value.js";
import type { Refuse } from "./strict-refusal.js";

/**
 * What all of them say, said in one schema: strict mode has no `allOf`. Objects get the properties of each, and what only
 * one of them says is taken over.
 */
export function joinAllOf(schema: JsonObject, pointer: string, refuse: Refuse): JsonObject {
  const { allOf, ...others } = schema;
  if (!Array.isArray(allOf)) return schema;
  return allOf.reduce<JsonObject>((joined, member, index) => {
    const place = childPointer(childPointer(pointer, "allOf"), index);
    return join(joined, member as JsonObject, place, refuse);
  }, others);
}

function join(a: JsonObject, b: JsonObject, pointer: string, refuse: Refuse): JsonObject {
  const joined = { ...a };
  for (const [keyword, value] of Object.entries(b)) {
    const before = a[keyword];
    if (before === undefined) joined[keyword] = value;
    else if (keyword === "required")
      joined[keyword] = [...new Set([...(before as JsonArray), ...(value as JsonArray)])];
    else if (keyword === "properties") joined[keyword] = joinProperties(before, value, pointer, refuse);
    else if (!annotations.has(keyword) && !same(before, value)) {
      throw refuse(childPointer(pointer, keyword), "an allOf says something else than the schema beside it");
    }
  }
  if (joined["$ref"] !== undefined && joined["properties"] !== undefined) {
    throw refuse(pointer, "an allOf adds properties to a reference");
  }
  return joined;
}

/** The first of these counts. */
const annotations: ReadonlySet<string> = new Set(["title", "description"]);

function joinProperties(a: JsonValue, b: JsonValue, pointer: string, refuse: Refuse): JsonObject {
  const joined = { ...(a as JsonObject) };
  for (const [name, value] of Object.entries(b as JsonObject)) {
    const before = joined[name];
    if (before !== undefined && !same(before, value)) {
      const place = childPointer(childPointer(pointer, "properties"), name);
      throw refuse(place, "an allOf describes a property in another way than the schema beside it");
    }
    joined[name] = value;
  }
  return joined;
}

function same(a: JsonValue, b: JsonValue): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
