import type { JsonCoercing } from "../../json/coercion.js";
import type { JsonGuard, JsonReading } from "../../json/guard.js";
import type { JsonListener } from "../../json/handler.js";
import { OpenContainer } from "./open-container.js";
import { SchemaGuard } from "./schema-guard.js";
import type { Shapes } from "./shape.js";

/**
 * Creates a guard that reads values that the schema does not allow as it expects them: `coerce`. It is called with
 * `Shapes`, which declarations would show with all that they are made of.
 */
export type Coerce = (
  shapes: never,
  next: JsonListener,
  reading: JsonReading,
  coercing: JsonCoercing,
) => JsonListener;

/**
 * A guard that follows the shapes of a schema. They are made with the first document: many parsers never read a stream.
 *
 * @param coerce without it, no value is coerced
 */
export function guardOfShapes(shapes: () => Shapes, coerce?: Coerce): JsonGuard {
  return (next, reading = {}) => {
    const { coercing } = reading;
    return coercing === undefined || coerce === undefined
      ? new SchemaGuard(shapes(), next, reading, (shape) => new OpenContainer(shape))
      : coerce(shapes() as never, next, reading, coercing);
  };
}
