import type { JsonGuard } from "../../json/guard.js";
import type { JsonParserOptions } from "../../json/options.js";
import type { JsonValue } from "../../json/value.js";
import type { SchemaCheck } from "../../schema/adapters/schema-check.js";
import type { Coerce } from "../../schema/guard/guard-of-shapes.js";
import { knownShapesOf } from "../../schema/guard/known-shapes.js";
import { type JsonViews, jsonViews } from "./json-views.js";

/** The parts of `json()`: the options of `JsonParser`, and a schema. What is not passed is not in the bundle. */
export interface JsonParts<Input, Output> extends Omit<JsonParserOptions, "guard" | "coerce" | "onComplete"> {
  /**
   * A schema of `millrace/schema`: `zod(schema)`, `valibot(schema)`, `arktype(schema)` or `jsonSchema(schema)`. It
   * guards the stream and checks the result. Default: any JSON is accepted.
   */
  readonly check?: SchemaCheck<Input, Output>;
  /**
   * Checks the stream while it arrives. `false` checks the schema only at the end. Default: the guard of `check`.
   */
  readonly guard?: JsonGuard | false;
  /** The value `coerce` of `millrace/schema` reads values as the schema expects them. Default: nothing is coerced. */
  readonly coerce?: Coerce;
  /** Yield a snapshot in `.stream` after each chunk that changed the value, also of wide objects. Default: false. */
  readonly everyChunk?: boolean;
}

/**
 * Parses JSON while a model writes it, with the parts that are passed. `jsonParser()` of `millrace` is the same with
 * all parts: `json({ extract, repair, fast, check: …, coerce })`, the text for the prompt, and `parse()`.
 *
 * `.stream` yields an immutable snapshot after each chunk that changed the value. `.patches`, `.items()` and `.final`
 * are other views of the same stream. They are operators for `pipe()`, and functions from one async iterable to
 * another. Every view checks the end: a document that is truncated, invalid or does not satisfy the schema ends the
 * stream with an `OutputParserError`.
 *
 * @example
 * ```ts
 * import { json, repair } from "millrace/json";
 * import { zod } from "millrace/schema";
 * import { z } from "zod";
 *
 * const recipe = json({ repair, check: zod(z.object({ name: z.string(), minutes: z.int() })) });
 * async function* chunks() {
 *   yield '{"name": "Te';
 *   yield 'a", "minutes": 5,}';
 * }
 * for await (const partial of recipe.stream(chunks())) console.log(partial);
 * ```
 */
export function json<Input = JsonValue, Output = Input>({
  check,
  coerce,
  guard = check?.guard(coerce) ?? false,
  everyChunk = false,
  ...options
}: JsonParts<Input, Output> = {}): JsonViews<Input, Output> {
  const parts = {
    options: { ...options, ...(guard !== false && { guard, coerce: coerce !== undefined }) },
    schema: check,
    shapes: () => check && knownShapesOf(check),
    everyChunk,
  };
  return jsonViews(parts, (itemSchema: SchemaCheck<unknown, unknown>) => itemSchema) as JsonViews<
    Input,
    Output
  >;
}
