import type { JsonCoercing } from "../../json/coercion.js";
import type { JsonGuard, JsonReading } from "../../json/guard.js";
import type { JsonListener } from "../../json/handler.js";
import { OpenContainer } from "./open-container.js";
import { SchemaGuard } from "./schema-guard.js";
import type { Shapes } from "./shape.js";

/** Creates a guard that reads values as the schema expects them. */
export type GuardCoercion = (
  shapes: Shapes,
  next: JsonListener,
  reading: JsonReading,
  coercing: JsonCoercing,
) => JsonListener;

/**
 * A guard with these shapes.
 *
 * @param shapes called for each document
 * @param coerce used where the parser coerces; `coerce` of `coerce/stream/coerce.ts`. Without it nothing is coerced
 */
export function guardBy(shapes: () => Shapes, coerce?: GuardCoercion): JsonGuard {
  return (next, reading = {}) => {
    const { coercing } = reading;
    if (coerce === undefined || coercing === undefined) {
      return new SchemaGuard(shapes(), next, reading, (shape) => new OpenContainer(shape));
    }
    return coerce(shapes(), next, reading, coercing);
  };
}
