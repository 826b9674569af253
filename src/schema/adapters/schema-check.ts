import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonGuard } from "../../json/guard.js";
import { asCombined } from "../combined.js";
import { Expansion } from "../guard/expansion.js";
import { guardOfShapes, type Coerce } from "../guard/guard-of-shapes.js";
import { writtenSource, type SchemaSource } from "../guard/schema-source.js";
import { withShapes } from "../guard/known-shapes.js";
import { Shapes } from "../guard/shape.js";
import type { WholeValues } from "../interpreter/interpreter.js";
import type { Schema } from "../schema.js";

/**
 * A schema and its guard, made by `zod()`, `valibot()`, `arktype()` or `jsonSchema()`. Everything that takes a schema
 * accepts it.
 */
export interface SchemaCheck<Input, Output> extends Schema<Output>, StandardSchemaV1<Input, Output> {
  /**
   * The guard of a `JsonParser`: it checks a document while it streams.
   *
   * @param coerce reads values as the schema expects them; without it, the guard coerces nothing
   */
  guard(coerce?: Coerce): JsonGuard;
}

/**
 * Adds the guard to a schema.
 *
 * @param source the schemas that the guard reads; by default the stream schema as an adapter writes it
 * @param wholeValues what decides about complete values
 */
export function checkOf<Input, Output>(
  schema: Schema<Output> & Pick<StandardSchemaV1<Input, Output>, "~standard">,
  source: () => SchemaSource = () => writtenSource(schema.streamSchema),
  wholeValues?: () => WholeValues,
): SchemaCheck<Input, Output> {
  const check = Object.assign(schema, {
    guard: (coerce?: Coerce) => guardOfShapes(shapes, coerce),
  });
  const shapes = withShapes(check, () => new Shapes(new Expansion(source()), wholeValues));
  return asCombined<SchemaCheck<Input, Output>>(check);
}
