import type { JsonCoercion } from "../../json/coercion.js";
import type { JsonValue } from "../../json/value.js";
import { shapesOf } from "../guard/shape.js";
import type { Schema } from "../schema.js";
import { Reader } from "./reader.js";
import { best, reportReading } from "./reading.js";

/** A value as a schema expects it, and how it was coerced. */
export interface CoercedValue {
  readonly value: JsonValue;
  readonly coercions: readonly JsonCoercion[];
}

/**
 * Reads a complete value as a schema expects it. `undefined` if the schema allows the value as it is, or if it cannot
 * be read in one way.
 */
export function coerceValue(value: JsonValue, schema: Schema<unknown>): CoercedValue | undefined {
  const shapes = shapesOf(schema);
  const reading = best(new Reader(shapes.evaluation(), undefined).read(value, shapes.root, false));
  if (reading?.value === undefined || reading.cost === 0) return undefined;
  const coercions: JsonCoercion[] = [];
  reportReading(reading, "", (coercion) => coercions.push(coercion));
  return { value: reading.value, coercions };
}
