import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonObject, JsonValue } from "../json/value.js";
import { SchemaError } from "./errors.js";
import { jsonSchema } from "./adapters/json-schema.js";
import type { JsonSchema, Schema } from "./schema.js";
import { hasRule } from "./interpreter/metaschema.js";
import { isCombined } from "./combined.js";
import { jsonExcerpt } from "./values.js";
import { anyStandardSchema } from "./adapters/any-standard-schema.js";
import { updateZod } from "./adapters/zod.js";
import { madeForText, madeOnce } from "../tree/made-once.js";

/** The schemas that this package accepts: Zod 4, any other Standard Schema, or a JSON Schema as plain data. */
export type SchemaInput = StandardSchemaV1 | Readonly<Record<string, unknown>>;

/** The type of a checked value: after transforms and defaults. */
export type OutputOf<S extends SchemaInput> = S extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<S>
  : JsonValue;

/** The type of the value that the model writes: before transforms and defaults. */
export type InputOf<S extends SchemaInput> = S extends StandardSchemaV1
  ? StandardSchemaV1.InferInput<S>
  : JsonValue;

/**
 * Converts any kind of schema to the common form: a name, a JSON Schema and a check.
 *
 * A tool definition, `{ name, description, parameters }`, is the JSON Schema of its parameters.
 *
 * @throws {SchemaError} `not_a_schema` if `input` is neither a Standard Schema nor an object with a keyword of JSON
 *   Schema that restricts values. The empty object is a schema for any value. `bad_schema` for a JSON Schema with a
 *   `type` that does not exist
 *
 * @example
 * ```ts
 * import { schemaOf } from "millrace/schema";
 * import { z } from "zod";
 *
 * const schema = schemaOf(z.object({ stars: z.int().max(5) }).meta({ title: "review" }));
 * console.log(schema.name, JSON.stringify(schema.jsonSchema["properties"]));
 * console.log(await schema.validate({ stars: 6 }));
 * ```
 */
export function schemaOf<S extends SchemaInput>(input: S): Schema<OutputOf<S>> {
  if (isCombined<OutputOf<S>>(input)) return input;
  if (isStandardSchema(input)) return ofLibrary(input) as Schema<OutputOf<S>>;
  return ofJsonSchema(input) as Schema<OutputOf<S>>;
}

// `streamObject()` gets the same schema with each call, and to compile one takes a millisecond.
const ofLibrary = madeOnce(anyStandardSchema);
const ofJsonSchema = madeForText(jsonSchemaIn);

function jsonSchemaIn(input: object): Schema<JsonValue> {
  const other: unknown = parametersIn(input) ?? input;
  if (isStandardSchema(other)) {
    throw new SchemaError(
      "not_a_schema",
      "Expected a tool definition with a JSON Schema as its parameters, but got one with a Standard Schema. Pass that schema instead of the definition.",
    );
  }
  if (typeof other !== "object" || other === null || Array.isArray(other)) {
    const found = typeof other === "function" ? "a function" : JSON.stringify(other);
    throw new SchemaError(
      "not_a_schema",
      `Expected a Zod or other Standard Schema, or a JSON Schema object, but got ${found}.`,
    );
  }
  if ("_def" in other && "safeParse" in other) {
    throw new SchemaError("not_a_schema", `Expected a schema of Zod 4, but got one of Zod 3. ${updateZod}`);
  }
  if (lacksKeywords(other)) {
    throw new SchemaError("not_a_schema", `Expected a JSON Schema, but got ${wordsForKeywordless(other)}.`);
  }
  return jsonSchema(other as JsonObject satisfies JsonSchema);
}

/** Whether the input is an object that is no schema: it has keys, but none that restricts values. */
export function lacksKeywords(input: unknown): input is object {
  return (
    typeof input === "object" &&
    input !== null &&
    !isStandardSchema(input) &&
    !hasRule(input) &&
    parametersIn(input) === undefined
  );
}

export function wordsForKeywordless(input: object): string {
  const keys = Object.keys(input).slice(0, 5).map(jsonExcerpt);
  return `an object without a keyword that restricts values (the keys are ${keys.join(", ")}; for any value, write {})`;
}

/**
 * The JSON Schema of a tool definition, as OpenAI and LangChain write it: `{ name, description, parameters }`, also as
 * the `function` of a tool. A Standard Schema there is returned as it is.
 */
function parametersIn(input: unknown): object | undefined {
  if (typeof input !== "object" || input === null || isStandardSchema(input)) return undefined;
  const { type, function: called, name, description, parameters } = input as Record<string, unknown>;
  if (type === "function" && called !== undefined) return parametersIn(called);
  if (typeof name !== "string" || hasRule(input)) return undefined;
  if (isStandardSchema(parameters)) return parameters;
  if (typeof parameters !== "object") return undefined;
  return { title: name, ...(typeof description === "string" && { description }), ...parameters };
}

/** A schema may also be a function: those of ArkType are. */
export function isStandardSchema(input: unknown): input is StandardSchemaV1 {
  return (typeof input === "object" || typeof input === "function") && input !== null && "~standard" in input;
}
