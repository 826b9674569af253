import type { JsonObject } from "../../json/value.js";
import { mapSchema } from "../map-schema.js";

/** A copy of a JSON Schema that says nothing by regular expressions. */
export function withoutPatterns(schema: JsonObject): JsonObject {
  return mapSchema(schema, ({ pattern: _pattern, patternProperties, ...others }) => {
    // What other keys may be depends on the patterns too.
    if (patternProperties !== undefined) delete others["additionalProperties"];
    return others;
  });
}
