import type { JsonObject } from "../../../json/value.js";
import { joinAllOf } from "../../request/join-all-of.js";
import { withRootTarget } from "../../request/strict-parts.js";
import type { Refuse } from "../../request/request-errors.js";

/** Returns a schema whose root declares an object, as tool arguments require. */
export function rootObject(schema: JsonObject, refuse: Refuse): JsonObject {
  const root = joinAllOf(withRootTarget(schema, refuse), "", refuse);
  for (const keyword of ["anyOf", "oneOf"]) {
    if (root[keyword] !== undefined)
      throw refuse(`/${keyword}`, "the schema has alternatives, but arguments must be one object");
  }
  const { type = "object" } = root;
  if (type !== "object")
    throw refuse("/type", `the type is ${JSON.stringify(type)}, but arguments must be an object`);
  return { ...root, type };
}
