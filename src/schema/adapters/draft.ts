import type { SchemaDraft } from "@cfworker/json-schema";
import type { JsonSchema } from "../schema.js";

/** The draft that a schema's `$schema` names; 2020-12 where it names none. Draft-06 is a part of draft-07. */
export function draftOf(schema: JsonSchema): SchemaDraft {
  const uri = typeof schema["$schema"] === "string" ? schema["$schema"] : "";
  if (uri.includes("draft-04")) return "4";
  if (uri.includes("draft-06") || uri.includes("draft-07")) return "7";
  return uri.includes("2019-09") ? "2019-09" : "2020-12";
}
