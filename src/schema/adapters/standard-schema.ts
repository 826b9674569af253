import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { fieldOf, isInstance } from "../../text/thrown.js";
import { childPointer } from "../../tree/pointer.js";
import { isObject, type JsonObject } from "../../json/value.js";
import { noop } from "../../stream/core/result.js";
import { type JsonSchema, type SchemaIssue, type Validation, titleOf } from "../schema.js";
import { notASchema, SchemaError } from "../errors.js";
import type { SchemaSource } from "../guard/schema-source.js";
import { withoutMarks } from "../map-schema.js";
import { checkOf, type SchemaCheck } from "./schema-check.js";

/** What an adapter knows about a library. */
export interface Library {
  /**
   * Writes as JSON Schema what the library checks. Its own JSON Schema describes what a model should send, and the
   * library may accept more.
   */
  checked(schema: StandardSchemaV1, toJsonSchema: ToJsonSchema): JsonSchema;
  /** By default the check of Standard Schema. */
  readonly validate?: (schema: StandardSchemaV1, value: unknown) => CheckResult | Promise<CheckResult>;
  /** The reason why the schema has no JSON Schema. */
  readonly missing?: (schema: StandardSchemaV1) => string | undefined;
  /** Continues the error with the part of the schema that has no JSON Schema. */
  readonly unwritable?: (schema: StandardSchemaV1) => string;
  /** Reads what `checked()` wrote. By default only JSON Pointers are followed. */
  readonly source?: (checked: () => JsonSchema) => SchemaSource;
}

export type CheckResult = StandardSchemaV1.Result<unknown>;
export type ToJsonSchema = (libraryOptions?: Record<string, unknown>) => JsonSchema;

/** Converts a Standard Schema (Zod 4, Valibot, ArkType and others) to the common form. */
export function fromStandardSchema<Input, Output>(
  schema: StandardSchemaV1<Input, Output>,
  library: Library,
): SchemaCheck<Input, Output> {
  if (!isObject(fieldOf(schema, "~standard") as JsonObject | undefined))
    throw notASchema("Standard Schema", schema);
  const standard: StandardSchemaV1.Props<Input, Output> & Partial<StandardJSONSchemaV1.Props> =
    schema["~standard"];
  const { vendor } = standard;
  let converted: JsonSchema | undefined;
  const toJsonSchema: ToJsonSchema = (libraryOptions) => {
    if (standard.jsonSchema === undefined) {
      throw new SchemaError(
        "no_json_schema",
        library.missing?.(schema) ??
          `Expected a schema that implements Standard JSON Schema, but this ${vendor} schema does not.`,
      );
    }
    const { input } = standard.jsonSchema;
    // The model writes the input: before transforms and defaults.
    const options = { target: "draft-2020-12", ...(libraryOptions && { libraryOptions }) } as const;
    return written(() => input(options) as JsonObject);
  };
  /** The JSON Schema that a library writes, or an error that says why it cannot. */
  const written = (write: () => JsonSchema): JsonSchema => {
    try {
      const result = write();
      if (!isObject(result)) throw new TypeError("it is no object");
      return result;
    } catch (error) {
      if (isInstance(error, SchemaError)) throw error;
      const words = `This ${vendor} schema cannot be converted to JSON Schema${reasonOf(error)}${library.unwritable?.(schema) ?? ""}`;
      throw new SchemaError("no_json_schema", words, { cause: error });
    }
  };
  const streamSchema = (): JsonSchema => written(() => library.checked(schema, toJsonSchema));
  const failed = (error: unknown): never => {
    throw new SchemaError("check_failed", `The check of this ${vendor} schema failed${reasonOf(error)}`, {
      cause: error,
    });
  };
  const { source } = library;
  const check = {
    "~standard": standard,
    get name() {
      return titleOf(this.jsonSchema);
    },
    get jsonSchema() {
      return (converted ??= withoutMarks(toJsonSchema()));
    },
    get streamSchema() {
      return streamSchema();
    },
    warnings: [],
    validate(value: unknown): Validation<Output> | Promise<Validation<Output>> {
      try {
        const result = (library.validate?.(schema, value) ??
          standard.validate(value)) as StandardSchemaV1.Result<Output>;
        if (typeof (result as { readonly then?: unknown }).then !== "function") return validationOf(result);
        const validation = Promise.resolve(result).then(validationOf).catch(failed);
        validation.catch(noop); // the next value of a list may throw before anybody waits for this one
        return validation;
      } catch (error) {
        return failed(error);
      }
    },
  };
  return checkOf(check, source && (() => source(streamSchema)));
}

function validationOf<T>(result: StandardSchemaV1.Result<T>): Validation<T> {
  return result.issues === undefined ? { value: result.value } : { issues: result.issues.map(issueOf) };
}

function issueOf({
  message,
  path = [],
}: {
  readonly message: unknown;
  readonly path?: StandardSchemaV1.Issue["path"];
}): SchemaIssue {
  const keys = path.map((segment) => (typeof segment === "object" ? segment.key : segment));
  const pointer = keys.reduce<string>((parent, key) => childPointer(parent, String(key)), "");
  return { pointer, message: String(message) };
}

/** Not messageOf(), whose words for any value are a kilobyte. */
function reasonOf(error: unknown): string {
  const thrown = isInstance(error, Error) ? fieldOf(error, "message") : error;
  return `: ${typeof thrown === "string" ? thrown : `a value of type ${typeof thrown}`}`;
}
