import { Validator, type OutputUnit, type SchemaDraft } from "@cfworker/json-schema";
import { SchemaError } from "../errors.js";
import type { JsonSchema, Schema, SchemaIssue, Validation } from "../schema.js";
import { withoutMarks } from "../map-schema.js";

/**
 * Converts a JSON Schema to the common form. The validator does not generate code, so it works where a content security
 * policy forbids `eval`.
 */
export function fromJsonSchema<T>(jsonSchema: JsonSchema): Schema<T> {
  const { title } = jsonSchema;
  let validator: Validator | undefined;
  return {
    name: typeof title === "string" ? title : "output",
    jsonSchema: withoutMarks(jsonSchema),
    streamSchema: jsonSchema,
    validate(value): Validation<T> {
      // The validator throws on `undefined`.
      if (value === undefined)
        return { issues: [{ pointer: "", message: "Expected a value, but got undefined." }] };
      try {
        // The validator modifies its schema.
        validator ??= new Validator(structuredClone(jsonSchema), draftOf(jsonSchema), false);
        const { valid, errors } = validator.validate(value);
        return valid ? { value: value as T } : { issues: issuesOf(errors) };
      } catch (error) {
        throw new SchemaError("bad_schema", `This JSON Schema cannot be used: ${messageOf(error)}`, {
          cause: error,
        });
      }
    },
  };
}

/**
 * Keywords that apply another schema. The validator reports an error for each of them as well as for the keyword that
 * failed inside.
 */
const applicators = new Set([
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "allOf",
  "$ref",
  "$dynamicRef",
  "dependentSchemas",
  "if",
]);

function issuesOf(errors: readonly OutputUnit[]): SchemaIssue[] {
  const own = errors.filter(({ keyword }) => !applicators.has(keyword));
  return (own.length > 0 ? own : errors).map(({ instanceLocation, error }) => ({
    // The location is a URI fragment: "#/a/b".
    pointer: decodeURIComponent(instanceLocation.slice(1)),
    message: error,
  }));
}

/** The draft that `$schema` names, 2020-12 by default. Draft-06 is a part of draft-07. */
export function draftOf(schema: JsonSchema): SchemaDraft {
  const uri = typeof schema["$schema"] === "string" ? schema["$schema"] : "";
  if (uri.includes("draft-04")) return "4";
  if (uri.includes("draft-06") || uri.includes("draft-07")) return "7";
  return uri.includes("2019-09") ? "2019-09" : "2020-12";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
