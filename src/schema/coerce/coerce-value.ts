import { kindOf } from "../../json/build/kinds.js";
import type { JsonCoercion } from "../../json/coercion.js";
import type { JsonValue } from "../../json/value.js";
import { shapesOf } from "../adapters/shapes-of.js";
import { readDocument } from "./document.js";
import type { Schema } from "../schema.js";
import { readingsOfKind, Reader } from "./reader.js";
import { coercing } from "./strategy.js";
import { best, reportReading } from "./reading.js";

/** A value as a schema expects it, and how it was coerced. */
export interface CoercedValue {
  readonly value: JsonValue;
  readonly coercions: readonly JsonCoercion[];
}

/** Whether and how complete values are coerced. */
export interface CoerceOptions {
  readonly coerce?: boolean | undefined;
  readonly locale?: string | undefined;
}

/**
 * Reads a complete value as a schema expects it. `undefined` if the schema allows the value as it is, if it cannot be
 * read in one way, or if `coerce` is false.
 */
export function coerceValue(
  value: JsonValue,
  schema: Schema<unknown>,
  { coerce = true, locale }: CoerceOptions,
): CoercedValue | undefined {
  if (!coerce) return undefined;
  const shapes = shapesOf(schema);
  const { root } = shapes;
  const readings = new Reader(shapes.wholeValues(), coercing({ locale, readDocument })).read(
    value,
    root,
    false,
  );
  const reading = best(readingsOfKind(root, readings, kindOf(value), root.all));
  if (reading?.value === undefined || reading.cost === 0) return undefined;
  const coercions: JsonCoercion[] = [];
  reportReading(reading, "", (coercion) => coercions.push(coercion));
  return { value: reading.value, coercions };
}
