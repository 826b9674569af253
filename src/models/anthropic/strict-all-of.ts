import { childPointer } from "../../json/pointer.js";
import type { JsonArray, JsonObject, JsonValue } from "../../json/value.js";
import { isRecord } from "../loose.js";
import type { Refuse } from "./refuse.js";

/**
 * A schema and those that must hold beside it, as one: closed objects cannot be intersected, as each would forbid the
 * properties of the others. Properties and what is required are put together; all else may be said once, or the same.
 */
export function joinAll(schema: JsonObject, all: JsonArray, pointer: string, refuse: Refuse): JsonObject {
  const whole: JsonObject = { ...schema };
  all.forEach((member, index) => {
    const place = childPointer(childPointer(pointer, "allOf"), index);
    if (!isRecord(member)) throw refuse(place, "there is no schema");
    for (const [keyword, value] of Object.entries(member)) {
      const before = whole[keyword];
      whole[keyword] =
        before === undefined
          ? value
          : joinKeyword(keyword, before, value, childPointer(place, keyword), refuse);
    }
  });
  return whole;
}

function joinKeyword(
  keyword: string,
  a: JsonValue,
  b: JsonValue,
  pointer: string,
  refuse: Refuse,
): JsonValue {
  if (keyword === "required" && Array.isArray(a) && Array.isArray(b)) return [...new Set([...a, ...b])];
  if (keyword === "properties" && isRecord(a) && isRecord(b)) {
    const twice = Object.keys(b).find((name) => Object.hasOwn(a, name) && !same(a[name], b[name]));
    if (twice === undefined) return { ...a, ...b };
    throw refuse(
      childPointer(pointer, twice),
      "there is a property that another member of allOf describes too",
    );
  }
  if (keyword === "description" && typeof a === "string" && typeof b === "string") return `${a} ${b}`;
  if (same(a, b)) return a;
  throw refuse(pointer, `there is another ${keyword} than beside it, and it takes one`);
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
