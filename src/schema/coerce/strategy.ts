import type { JsonCoercing } from "../../json/coercion.js";
import type { JsonValue } from "../../json/value.js";
import type { Alternative } from "../guard/alternative.js";
import type { Shape } from "../guard/shape.js";
import { isOptional, declaredName } from "./names.js";
import { best, type Reading, type Readings } from "./reading.js";
import { type ConvertScalar, scalarReader } from "./scalar.js";

/** The changes that a reader may make. */
export interface ReadingStrategy {
  /** Reads a scalar that an alternative does not allow as written. */
  readonly convert: ConvertScalar;
  pick(readings: Readings): Reading | undefined;
  /** Whether a null may stand for an absent member with this name. */
  mayBeAbsent(alternative: Alternative, name: string): boolean;
  /** Whether a null is known to be wrong, although the guard has no rules for it. */
  isRefused(container: JsonValue, key: string | number): boolean;
  nameOf(shape: Shape, key: string): string;
  /** Whether a value may become a list of one, a list of one its element, and a string the document in it. */
  readonly restructures: boolean;
  /** Decides whether `1,2` is a number where a list is expected. */
  readonly locale?: string | undefined;
  readonly readDocument?: JsonCoercing["readDocument"];
}

/** Reads each value as the schema expects it. */
export function coercingStrategy({ locale, readDocument }: Omit<JsonCoercing, "report">): ReadingStrategy {
  return {
    convert: scalarReader(locale),
    pick: best,
    mayBeAbsent: isOptional,
    isRefused: () => false,
    nameOf: declaredName,
    restructures: true,
    locale,
    readDocument,
  };
}
