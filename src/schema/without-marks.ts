import type { JsonObject } from "../json/value.js";
import { mapSchema } from "./map-schema.js";

/** A copy of a JSON Schema without what is said to this package alone (`.meta({ stream })`): no model needs to know it. */
export function withoutMarks(schema: JsonObject): JsonObject {
  return mapSchema(schema, ({ stream, ...others }) =>
    stream === undefined || stream === "whole" || stream === "required" ? others : { ...others, stream },
  );
}
