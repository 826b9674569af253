export { addIncrements } from "./build/increments.js";
export { XmlParseError, type XmlParseErrorCode, type XmlParseErrorDetails } from "./errors.js";
export type {
  XmlCloseEvent,
  XmlCommentEvent,
  XmlEvent,
  XmlInstructionEvent,
  XmlOpenEvent,
  XmlTextEvent,
} from "./events.js";
export type { XmlParserOptions, XmlRepair, XmlRepairKind } from "./options.js";
export { XmlParser } from "./parser.js";
export type { XmlPatchOperation } from "./patch.js";
export type { XmlContent, XmlItem, XmlObject } from "./value.js";
