import type { JsonCoercing } from "../../json/coercion.js";
import type { JsonGuard, JsonPlace, JsonWatch } from "../../json/guard.js";
import { SchemaWatch } from "./schema-watch.js";
import type { Shapes } from "./shape.js";

/** Starts to check one document, and reads values that the schema does not allow as it expects them: `coerce`. */
export type Coerce = (shapes: Shapes, place: JsonPlace, coercing: JsonCoercing) => JsonWatch;

/**
 * A guard that follows the shapes of a schema. They are made with the first document: many parsers never read a stream.
 *
 * @param coerce without it, no value is coerced
 */
export function guardOfShapes(shapes: () => Shapes, coerce?: Coerce): JsonGuard {
  return {
    watch: (place, coercing) =>
      coercing === undefined || coerce === undefined
        ? new SchemaWatch(shapes(), place)
        : coerce(shapes(), place, coercing),
  };
}
