import { childPointer } from "../../tree/pointer.js";
import { sameData } from "../../json/patch/same-data.js";
import { setMember, type JsonObject, type JsonValue } from "../../json/value.js";
import { isRecord } from "../loose.js";
import type { Refuse } from "./request-errors.js";

/**
 * Merges the `allOf` of a schema into one schema, for providers without `allOf`. Properties, definitions, required
 * names and descriptions are combined. Any other keyword may appear only once, or with equal values.
 */
export function joinAllOf(schema: JsonObject, pointer: string, refuse: Refuse): JsonObject {
  const { allOf, ...whole } = schema;
  if (!Array.isArray(allOf)) return schema;
  for (const [index, member] of allOf.entries()) {
    const place = childPointer(childPointer(pointer, "allOf"), index);
    if (!isRecord(member)) throw refuse(place, "a schema was expected");
    for (const [keyword, value] of Object.entries(member)) {
      const before = Object.hasOwn(whole, keyword) ? whole[keyword] : undefined;
      const at = childPointer(place, keyword);
      setMember(whole, keyword, before === undefined ? value : both(keyword, before, value, at, refuse));
    }
  }
  return whole;
}

function both(keyword: string, a: JsonValue, b: JsonValue, pointer: string, refuse: Refuse): JsonValue {
  if (sameData(a, b) || keyword === "title") return a;
  if (keyword === "required" && Array.isArray(a) && Array.isArray(b)) return [...new Set([...a, ...b])];
  if ((keyword === "properties" || keyword === "$defs") && isRecord(a) && isRecord(b)) {
    const other = Object.keys(b).find((name) => Object.hasOwn(a, name) && !sameData(a[name], b[name]));
    if (other === undefined) return { ...a, ...b };
    throw refuse(
      childPointer(pointer, other),
      "an allOf describes this property differently from the schema that contains it",
    );
  }
  if (keyword === "description" && typeof a === "string" && typeof b === "string") return `${a} ${b}`;
  throw refuse(pointer, `an allOf has a different ${keyword} from the schema that contains it`);
}
