import type { Coerce } from "../guard/guard-of-shapes.js";
import type { Shapes } from "../guard/shape.js";
import { Reader } from "./reader.js";
import { coercingStrategy } from "./strategy.js";
import { CoercingGuard } from "./stream/coercing-guard.js";
import { WholeContainers } from "./stream/whole-containers.js";

/**
 * Reads values that a schema does not allow as it expects them (docs/reference/coercion.md). Pass it to the `guard()`
 * of a schema. A string that contains a JSON document is read only if `JsonCoercing` has a parser for it.
 */
export const coerce: Coerce = (shapes: Shapes, next, reading, coercing) => {
  const reader = new Reader(shapes.wholeValues(), coercingStrategy(coercing));
  return new WholeContainers(new CoercingGuard(shapes, next, reading, reader, coercing.report));
};
