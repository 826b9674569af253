import type { JsonObject, JsonValue } from "../../json/value.js";
import {
  jsonParser,
  type JsonOutputParser,
  type JsonOutputParserOptions,
} from "../../parsers/json/json-parser.js";

/** Creates a parser for a schema, or for any JSON if there is no schema. */
export function parserFor(
  schema: JsonObject | undefined,
  options: JsonOutputParserOptions = {},
): JsonOutputParser<JsonValue, JsonValue> {
  return schema === undefined ? jsonParser(undefined, options) : jsonParser(schema, options);
}
