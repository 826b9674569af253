import type { JsonGuard } from "../json/guard.js";
import { coerce } from "./coerce/coerce.js";
import { readDocument } from "./coerce/document.js";
import { JsonParser } from "../json/parser.js";
import { repair } from "../lenient/repair.js";
import { keepAlive } from "../tree/keep-alive.js";
import { schemaOf, type SchemaInput } from "./schema-of.js";
import type { Schema } from "./schema.js";
import { guardOfShapes, type Coerce } from "./guard/guard-of-shapes.js";
import { shapesOf } from "./adapters/shapes-of.js";

/**
 * Checks a document against a schema while it streams: the `guard` of a `JsonParser`. `jsonParser(schema)` has one
 * already.
 *
 * The guard *fails fast*. At the first chunk after which no continuation can satisfy the schema, `write()` throws a
 * `SchemaViolation`. The guard accepts every document that the schema's own check accepts, with one exception: a wrong
 * value fails at once, even if a later member with the same key would replace it. Rules that it does not know
 * (refinements, `not`, `if` and others, see docs/reference/schema.md) are left to the schema's own check. A schema of a
 * library that is not known and has no JSON Schema is not guarded.
 *
 * The guard *withholds* values that would mislead in part. The value of an enum, a const or a format, and any value
 * marked with `stream: "whole"`, appears when it is complete. An object appears when its members marked with `stream:
 * "required"` are complete, and a member of a discriminated union when its discriminator is.
 *
 * @throws {SchemaError} `not_a_schema` if `input` is not a schema
 *
 * @example
 * ```ts
 * import { JsonParser } from "millrace/json";
 * import { guardOf, SchemaViolation } from "millrace/schema";
 * import { z } from "zod";
 *
 * const guard = guardOf(z.object({ mood: z.enum(["good", "bad"]), stars: z.int().max(5) }));
 * const parser = new JsonParser({ guard });
 * parser.write('{"mood": "go');
 * console.log(parser.snapshot()); // {}: "go" is not a valid mood
 * parser.write('od", "stars": ');
 * console.log(parser.snapshot());
 * try {
 *   parser.write("9,");
 * } catch (error) {
 *   if (error instanceof SchemaViolation) console.log(error.message);
 * }
 * ```
 */
export function guardOf(input: SchemaInput): JsonGuard {
  return guardOfSchema(schemaOf(input));
}

/** A guard for the result of `schemaOf()`: its shapes (`guard/shape.ts`), which `SchemaGuard` checks a document against. */
export function guardOfSchema(schema: Schema<unknown>): JsonGuard {
  const guard = guardOfShapes(() => shapesOf(schema), coerceAll);
  return (next, reading) => {
    keepAlive("guard", createGuarded);
    return guard(next, reading);
  };
}

function createGuarded(): JsonParser[] {
  const guard = guardOf({ type: "object" });
  const parsers = [new JsonParser({ guard }), new JsonParser({ guard, repair })];
  for (const parser of parsers) parser.write('{"a": 1');
  return parsers;
}

/** Coerces values, also those in strings that contain a document. */
export const coerceAll: Coerce = (shapes, next, reading, coercing) =>
  coerce(shapes, next, reading, { readDocument, ...coercing });
