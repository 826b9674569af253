import { readDocument } from "../document.js";
import { Reader } from "../reader.js";
import { CoercingGuard } from "./coercing-guard.js";
import type { GuardCoercion } from "../../guard/guard.js";

/** All coercions, with a JSON parser for documents in strings. */
export const coerce: GuardCoercion = (shapes, next, reading, { locale, report }) =>
  new CoercingGuard(shapes, next, reading, new Reader(shapes.evaluation(), locale, readDocument), report);
