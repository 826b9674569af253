import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { childPointer } from "../../tree/pointer.js";
import type { JsonObject } from "../../json/value.js";
import { type JsonSchema, type Schema, type SchemaIssue, type Validation, thenOrNow } from "../schema.js";
import { SchemaError } from "../errors.js";
import { lenience, type Lenience } from "./lenience.js";
import { withoutMarks } from "../map-schema.js";

/** Converts a Standard Schema (Zod 4, Valibot, ArkType and others) to the common form. */
export function fromStandardSchema<T>(schema: StandardSchemaV1<unknown, T>): Schema<T> {
  const standard: StandardSchemaV1.Props<unknown, T> & Partial<StandardJSONSchemaV1.Props> =
    schema["~standard"];
  let converted: JsonSchema | undefined;
  const toJsonSchema = ({ libraryOptions, adapt }: Lenience = {}): JsonSchema => {
    if (standard.jsonSchema === undefined) {
      throw new SchemaError(
        "no_json_schema",
        `Expected a schema that implements Standard JSON Schema, but this ${standard.vendor} schema does not.`,
      );
    }
    try {
      // The model writes the input: before transforms and defaults.
      const options = { target: "draft-2020-12", ...(libraryOptions && { libraryOptions }) } as const;
      const jsonSchema = standard.jsonSchema.input(options) as JsonObject;
      return adapt === undefined ? jsonSchema : adapt(jsonSchema);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new SchemaError(
        "no_json_schema",
        `This ${standard.vendor} schema cannot be converted to JSON Schema: ${reason}`,
        {
          cause: error,
        },
      );
    }
  };
  return {
    get name() {
      const { title } = this.jsonSchema;
      return typeof title === "string" ? title : "output";
    },
    get jsonSchema() {
      return (converted ??= withoutMarks(toJsonSchema()));
    },
    get streamSchema() {
      return toJsonSchema(lenience(standard.vendor));
    },
    validate(value) {
      return thenOrNow(standard.validate(value), validationOf);
    },
  };
}

function validationOf<T>(result: StandardSchemaV1.Result<T>): Validation<T> {
  return result.issues === undefined ? { value: result.value } : { issues: result.issues.map(issueOf) };
}

function issueOf({ message, path = [] }: StandardSchemaV1.Issue): SchemaIssue {
  const keys = path.map((segment) => (typeof segment === "object" ? segment.key : segment));
  return { pointer: keys.reduce<string>((pointer, key) => childPointer(pointer, String(key)), ""), message };
}
