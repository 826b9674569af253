import type { JsonGuard } from "../../json/guard.js";
import { JsonParser } from "../../json/parser.js";
import type { JsonValue } from "../../json/value.js";
import { asCombined, asPart } from "../../schema/combined.js";
import { coerceAll } from "../../schema/guard-of.js";
import { guardOfShapes } from "../../schema/guard/guard-of-shapes.js";
import { shapeAt } from "../../schema/part/shape-at.js";
import { shapesOf } from "../../schema/adapters/shapes-of.js";
import { SchemaViolation } from "../../schema/guard/violation.js";
import { partialSchema } from "../../schema/part/partial-schema.js";
import type { Schema } from "../../schema/schema.js";
import { pointerTo } from "../../tree/pointer.js";
import { streamSchemaOf } from "./catalogue.js";
import { OperationProblem } from "./line-error.js";
import { PlacedHandler } from "./line-guard.js";

/** A place that the schema allows: its keys, and the guard of a value there. */
export interface GuardedPlace {
  readonly keys: readonly string[];
  readonly guard: JsonGuard | undefined;
}

/**
 * Finds the rules of a document's schema for the place of an operation.
 *
 * @throws {OperationProblem} `schema` if the schema has no such place
 */
export type PlaceGuard = (keys: readonly string[], document: JsonValue) => GuardedPlace;

export function placeGuard(schemas: readonly Schema<unknown>[]): PlaceGuard {
  const schema = asCombined(partOf(schemas));
  return (keys, document) => {
    const shapes = shapesOf(schema);
    const found = shapeAt(shapes, keys, document);
    if ("shape" in found)
      return { keys: found.keys, guard: guardOfShapes(() => shapes.rootedAt(found.shape), coerceAll) };
    const pointer = pointerTo(found);
    const violation = new SchemaViolation("unknown_key", {
      pointer,
      expected: "a place that the schema has",
      got: `${JSON.stringify(found.at(-1))}, which it does not have there`,
      value: undefined, // the document will be mutated
    });
    throw new OperationProblem("schema", violation.message, violation);
  };
}

/**
 * Checks a whole value, as it is.
 *
 * @throws {SchemaViolation} if the guard does not allow it at the pointer
 */
export function checkValue(value: JsonValue, pointer: string, guard: JsonGuard): void {
  const parser = new JsonParser({
    maxDepth: Infinity,
    guard: (next) => guard(new PlacedHandler(next, (inside) => pointer + inside)),
  });
  parser.write(JSON.stringify(value));
  parser.end();
}

/** All schemas hold for the document. */
function partOf(schemas: readonly Schema<unknown>[]): Schema<unknown> {
  const $defs = {};
  const parts = schemas.map((schema, i) => asPart(partialSchema(streamSchemaOf(schema)), $defs, `part${i}`));
  const [only] = parts;
  const streamSchema = { ...(parts.length === 1 ? only : { allOf: parts }), $defs };
  return {
    name: "document",
    jsonSchema: streamSchema,
    streamSchema,
    warnings: [],
    validate: (value) => ({ value }),
  };
}
