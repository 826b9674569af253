import type { JsonGuard, JsonPlace, JsonWatch } from "../../json/guard.js";
import { schemaOf, type SchemaInput } from "../schema-of.js";
import type { Schema } from "../schema.js";
import { SchemaWatch } from "./schema-watch.js";
import { shapesOf } from "./shape.js";

/**
 * What a schema says of a document before its end, for the `guard` of `JsonParser`. `jsonParser(schema)` has one already.
 *
 * It *fails fast*: at the first chunk after which no continuation could satisfy the schema, `write()` throws a
 * `SchemaViolation`. It never refuses what the schema's own check accepts, with one exception: a wrong value is wrong at
 * once, though a later member of the same key would replace it. What it cannot tell (refinements, `not`, `if` and others:
 * docs/schema.md), it leaves to that check. A schema that cannot be written as JSON Schema guards nothing.
 *
 * It *withholds* what would mislead in part: the value of an enum, a const or a format, and whatever is marked with
 * `stream: "whole"`, appears when it is complete; an object with a member marked with `stream: "required"`, or one of a
 * discriminated union, when that member, or the one that decides, is complete.
 *
 * @throws {SchemaError} `not_a_schema` if it is none
 *
 * @example
 * ```ts
 * import { guardOf, JsonParser, SchemaViolation } from "millrace";
 * import { z } from "zod";
 *
 * const guard = guardOf(z.object({ mood: z.enum(["good", "bad"]), stars: z.int().max(5) }));
 * const parser = new JsonParser({ guard });
 * parser.write('{"mood": "go');
 * console.log(parser.snapshot()); // not yet: "go" is no mood
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

/** A guard for the result of `schemaOf()`. */
export function guardOfSchema(schema: Schema<unknown>): JsonGuard {
  return {
    // The shapes are made with the first document: many parsers never read a stream.
    watch: (place: JsonPlace): JsonWatch => new SchemaWatch(shapesOf(schema).root, place),
  };
}
