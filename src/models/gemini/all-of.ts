import { childPointer } from "../../json/pointer.js";
import type { JsonArray, JsonObject, JsonValue } from "../../json/value.js";
import { refusal } from "./schema-refusal.js";

/** What all of them say, said in one schema: Gemini has no `allOf`. */
export function joinAllOf(schema: JsonObject, pointer: string): JsonObject {
  const { allOf, ...others } = schema;
  if (!Array.isArray(allOf)) return schema;
  const members = allOf as JsonObject[];
  return members.reduce((joined, member, index) => {
    const result = { ...joined };
    for (const [keyword, value] of Object.entries(member)) {
      result[keyword] = both(keyword, joined[keyword], value) ?? conflict(pointer, index, keyword);
    }
    return result;
  }, others);
}

function both(keyword: string, a: JsonValue | undefined, b: JsonValue): JsonValue | undefined {
  if (a === undefined || JSON.stringify(a) === JSON.stringify(b)) return b;
  switch (keyword) {
    case "title":
    case "description":
      return a;
    case "required":
      return [...new Set([...(a as JsonArray), ...(b as JsonArray)])];
    case "properties":
    case "$defs":
      return joinMembers(a as JsonObject, b as JsonObject);
    default:
      return undefined;
  }
}

function joinMembers(a: JsonObject, b: JsonObject): JsonObject | undefined {
  const same = (name: string): boolean =>
    a[name] === undefined || JSON.stringify(a[name]) === JSON.stringify(b[name]);
  return Object.keys(b).every(same) ? { ...a, ...b } : undefined;
}

function conflict(pointer: string, index: number, keyword: string): never {
  const place = [index, keyword].reduce<string>(childPointer, childPointer(pointer, "allOf"));
  throw refusal(place, "Gemini has no allOf, and these do not fit into one schema");
}
