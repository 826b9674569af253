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

export { map } from "./stream/map.js";
export type { Operator } from "./stream/operator.js";
