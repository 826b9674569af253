import type { Coerce } from "../guard/guard-of-shapes.js";
import { CoercingWatch } from "../guard/coercing-watch.js";

/**
 * Reads values that a schema does not allow as it expects them (docs/coercion.md). Pass it to the `guard()` of a
 * schema. A string that contains a JSON document is read only if `JsonCoercing` has a parser for it.
 */
export const coerce: Coerce = (shapes, place, coercing) => new CoercingWatch(shapes, place, coercing);
