import type { JsonObject, JsonValue } from "../../json/value.js";
import { jsonParser, type JsonOutputParser, type JsonOutputParserOptions } from "../../parsers/json/json.js";

/** The parser for a schema file, or for any JSON where there is none. */
export function parserFor(
  schema: JsonObject | undefined,
  options: JsonOutputParserOptions = {},
): JsonOutputParser<JsonValue, JsonValue> {
  return schema === undefined ? jsonParser(undefined, options) : jsonParser(schema, options);
}
