export { Allow } from "./allow.js";
export type { JsonCoercing, JsonCoercion, JsonCoercionKind } from "./coercion.js";
export type { DeepPartial } from "./deep-partial.js";
export {
  formatJsonError,
  JsonParseError,
  type JsonExcerpt,
  type JsonParseErrorCode,
  type JsonParseErrorDetails,
} from "./errors.js";
export type { JsonGuard, JsonReading } from "./guard.js";
export type { JsonHandler, JsonHints, JsonKnown, JsonListener, Visibility } from "./handler.js";
export type { JsonParserOptions } from "./options.js";
export { JsonParser } from "./parser.js";
export { applyPatch } from "./patch/apply-patch.js";
export type { AnyPatchOperation } from "./patch/patch.js";
export { expandAppends, type StandardPatchOperation } from "./patch/expand-appends.js";
export type { JsonPatch, JsonPatchOperation } from "./patch/patch.js";
export { JsonPatchError, type JsonPatchErrorCode } from "./patch/patch-error.js";
export type { JsonRepair, JsonRepairKind } from "./repair/repair.js";
export type { JsonArray, JsonObject, JsonValue } from "./value.js";
