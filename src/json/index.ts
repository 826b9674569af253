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
export { extract } from "../find/choose/extraction.js";
export type { DocumentSearch, Found, FoundRepair, Missing } from "./extraction.js";
export { fast } from "./fast/fast-paths.js";
export type { Built, JsonHandler, JsonHints, JsonKnown, JsonListener, Visibility } from "./handler.js";
export type {
  CreateShortCuts,
  Extract,
  JsonParserOptions,
  DocumentParts,
  RepairMode,
  ScannerContext,
  ShortCutContext,
} from "./options.js";
export type { Rejection, Mistake } from "./scan/rejection.js";
export type { JsonScanner } from "./scan/json-scanner.js";
export type { Nesting } from "./scan/nesting.js";
export type { Position } from "./scan/position.js";
export type { GuessedKeys, ShortCuts } from "./scan/short-cuts.js";
export { rawStrings, repair } from "../lenient/repair.js";
export { JsonParser } from "./parser.js";
export { json, type JsonParts } from "../parsers/json/json.js";
export type { JsonViews } from "../parsers/json/json-views.js";
export { applyPatch } from "./patch/apply-patch.js";
export type { AnyPatchOperation } from "./patch/patch.js";
export { diff } from "./patch/diff.js";
export { expandAppends } from "./patch/expand-appends.js";
export type { JsonPatch, JsonPatchOperation, StandardPatchOperation } from "./patch/patch.js";
export { JsonPatchError, type JsonPatchErrorCode } from "./patch/patch-error.js";
export type { JsonRepair, JsonRepairKind } from "./repair.js";
export type { JsonArray, JsonObject, JsonValue } from "./value.js";
