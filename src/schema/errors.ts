import { MillraceError } from "../errors.js";
import { kindName } from "../text/kind-name.js";

/**
 * - `not_a_schema`: neither a Standard Schema (Zod, Valibot, ArkType, …) nor a JSON Schema object
 * - `bad_schema`: a JSON Schema that cannot be used, for example because of a `type` that does not exist
 * - `no_json_schema`: the schema cannot be converted to JSON Schema, which models need
 * - `check_failed`: a function of the schema, such as a refinement, throws or rejects with something, the `cause`
 * - `too_complex`: checking the value against this JSON Schema takes too many steps
 */
export type SchemaErrorCode =
  | "not_a_schema"
  | "bad_schema"
  | "no_json_schema"
  | "check_failed"
  | "too_complex";

/** The schema is at fault, not the value. */
export class SchemaError extends MillraceError<SchemaErrorCode> {
  override readonly name: string = "SchemaError";
}

export function notASchema(expected: string, found: unknown): SchemaError {
  return new SchemaError("not_a_schema", `Expected a ${expected}, but got ${kindName(found)}.`);
}
