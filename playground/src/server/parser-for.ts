import {
  type JsonObject,
  jsonParser,
  type JsonOutputParser,
  type JsonOutputParserOptions,
  type JsonValue,
} from "millrace";

/** Creates a parser for a schema, or for any JSON if there is no schema. */
export function parserFor(
  schema: JsonObject | undefined,
  options: JsonOutputParserOptions = {},
): JsonOutputParser<JsonValue, JsonValue> {
  return schema === undefined ? jsonParser(undefined, options) : jsonParser(schema, options);
}
