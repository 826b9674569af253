import { MillraceError } from "../errors.js";

/**
 * - `not_a_schema`: neither a Standard Schema (Zod, Valibot, ArkType, …) nor a JSON Schema object
 * - `bad_schema`: a JSON Schema that no value can be checked against, as it names a `$ref` that is not there
 * - `no_json_schema`: a schema that cannot be written as JSON Schema, so that no model can be told about it
 */
export type SchemaErrorCode = "not_a_schema" | "bad_schema" | "no_json_schema";

/** The schema itself is at fault, not the value. */
export class SchemaError extends MillraceError<SchemaErrorCode> {
  override readonly name: string = "SchemaError";
}
