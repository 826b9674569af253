import type { JsonObject } from "../../../json/value.js";
import { isRecord } from "../../loose.js";
import { joinAllOf } from "../../request/join-all-of.js";
import type { Refuse } from "../../request/request-errors.js";

/** Returns a schema whose root declares an object, as tool arguments require. */
export function rootObject(schema: JsonObject, refuse: Refuse): JsonObject {
  const { $ref, ...others } = schema;
  // Only a reference, as in a recursive schema.
  const [, keyword = "", name = ""] =
    /^#\/(\$defs|definitions)\/([^/]+)$/.exec(typeof $ref === "string" ? $ref : "") ?? [];
  const named = others[keyword];
  const target = isRecord(named) ? named[name] : undefined;
  const root = joinAllOf(isRecord(target) ? { ...target, ...others } : schema, "", refuse);
  for (const keyword of ["anyOf", "oneOf"]) {
    if (root[keyword] !== undefined)
      throw refuse(`/${keyword}`, "the schema has alternatives, but arguments must be one object");
  }
  const { type = "object" } = root;
  if (type !== "object")
    throw refuse("/type", `the type is ${JSON.stringify(type)}, but arguments must be an object`);
  return { ...root, type };
}
