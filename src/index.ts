export { MillraceError } from "./errors.js";

export { Allow } from "./json/allow.js";
export {
  formatJsonError,
  JsonParseError,
  type JsonExcerpt,
  type JsonParseErrorCode,
  type JsonParseErrorDetails,
} from "./json/errors.js";
export { expandAppends, type StandardPatchOperation } from "./json/expand-appends.js";
export { JsonParser } from "./json/parser.js";
export type { JsonParserOptions } from "./json/options.js";
export type { JsonPatch, JsonPatchOperation } from "./json/patch.js";
export type { JsonArray, JsonObject, JsonValue } from "./json/value.js";

export { from } from "./stream/from.js";
export { collect } from "./stream/collect.js";
export { map } from "./stream/map.js";
export { mapAsync } from "./stream/map-async.js";
export type { Operator } from "./stream/operator.js";
export { pipe } from "./stream/pipe.js";

export {
  OutputParserError,
  type OutputParserErrorCode,
  type OutputParserErrorDetails,
} from "./parsers/errors.js";
export { jsonParser, type JsonOutputParser } from "./parsers/json.js";
export type { Chunk, OutputParser } from "./parsers/output-parser.js";

export type { DeepPartial } from "./schema/deep-partial.js";
export { SchemaError, type SchemaErrorCode } from "./schema/errors.js";
export { schemaOf, type InputOf, type OutputOf, type SchemaInput } from "./schema/schema-of.js";
export type { JsonSchema, Schema, SchemaIssue, Validation } from "./schema/schema.js";
