import { kindOf } from "../../json/build/kinds.js";
import type { JsonCoercion } from "../../json/coercion.js";
import type { JsonValue } from "../../json/value.js";
import { shapesOf } from "../adapters/shapes-of.js";
import { readDocument } from "./document.js";
import type { Schema } from "../schema.js";
import { readingsOfKind, Reader } from "./reader.js";
import { coercingStrategy } from "./strategy.js";
import { quoted } from "../../text/cut.js";
import { best, reportReading } from "./reading.js";

/** A value as a schema expects it, and how it was coerced. */
export interface CoercedValue {
  readonly value: JsonValue;
  readonly coercions: readonly JsonCoercion[];
  readonly problem?: undefined;
}

/** A value that can be read in two ways, although its schema may allow it. */
export interface UnclearValue {
  readonly value?: undefined;
  readonly coercions?: undefined;
  /** A sentence for the model. */
  readonly problem: string;
}

/** Whether and how complete values are coerced. */
export interface CoerceOptions {
  readonly coerce?: boolean | undefined;
  readonly locale?: string | undefined;
}

/**
 * Reads a complete value as a schema expects it. `undefined` if the schema allows the value as it is, if it cannot be
 * read, or if `coerce` is false.
 */
export function coerceValue(
  value: JsonValue,
  schema: Schema<unknown>,
  { coerce = true, locale }: CoerceOptions,
): CoercedValue | UnclearValue | undefined {
  if (!coerce) return undefined;
  const shapes = shapesOf(schema);
  const { root } = shapes;
  const reader = new Reader(shapes.wholeValues(), coercingStrategy({ locale, readDocument }));
  const readings = reader.read(value, root, false);
  const reading = best(readingsOfKind(root, readings, kindOf(value), root.all));
  if (reading?.value === undefined) return reader.doubled && { problem: problemOf(reader.doubled) };
  if (reading.cost === 0) return undefined;
  const coercions: JsonCoercion[] = [];
  reportReading(reading, "", (coercion) => coercions.push(coercion));
  return { value: reading.value, coercions };
}

function problemOf([key, name]: readonly [string, string]): string {
  return `${quoted(key)} and ${quoted(name)} may mean the same member. Write only ${quoted(name)}.`;
}
