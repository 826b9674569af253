import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { messageOf } from "../../text/excerpt.js";
import { childPointer } from "../../tree/pointer.js";
import type { JsonObject } from "../../json/value.js";
import {
  type JsonSchema,
  type Schema,
  type SchemaIssue,
  type Validation,
  thenOrNow,
  titleOf,
} from "../schema.js";
import { SchemaError } from "../errors.js";
import { checkedByArkType, type ArkNode } from "./arktype.js";
import { mapSchema, withoutMarks } from "../map-schema.js";
import { checkedBehind, checkedByValibot } from "./valibot.js";
import type { ValibotSchema } from "./valibot-definition.js";
import { checkedByZod, validatedByZod } from "./zod.js";
import type { ZodSchema } from "./zod-definition.js";

/** Converts a Standard Schema (Zod 4, Valibot, ArkType and others) to the common form. */
export function fromStandardSchema<T>(schema: StandardSchemaV1<unknown, T>): Schema<T> {
  const standard: StandardSchemaV1.Props<unknown, T> & Partial<StandardJSONSchemaV1.Props> =
    schema["~standard"];
  let converted: JsonSchema | undefined;
  const toJsonSchema = (libraryOptions?: Record<string, unknown>): JsonSchema => {
    if (standard.jsonSchema === undefined) {
      throw new SchemaError(
        "no_json_schema",
        "_zod" in schema && !("meta" in schema)
          ? 'Zod Mini does not write JSON Schema. Import the functions of this schema from "zod", not from "zod/mini".'
          : standard.vendor === "zod"
            ? `This Zod schema cannot be written as JSON Schema: it is of Zod 3 or of an early Zod 4. ${updateZod}`
            : `Expected a schema that implements Standard JSON Schema, but this ${standard.vendor} schema does not.`,
      );
    }
    try {
      // The model writes the input: before transforms and defaults.
      const options = { target: "draft-2020-12", ...(libraryOptions && { libraryOptions }) } as const;
      return standard.jsonSchema.input(options) as JsonObject;
    } catch (error) {
      const reason = messageOf(error);
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
      return titleOf(this.jsonSchema);
    },
    get jsonSchema() {
      return (converted ??= withoutMarks(toJsonSchema()));
    },
    get streamSchema() {
      return checkedBy(schema, toJsonSchema);
    },
    warnings: [],
    validate(value) {
      const result = isZod(schema) ? validatedByZod(schema, value) : standard.validate(value);
      return thenOrNow(result as StandardSchemaV1.Result<T>, validationOf);
    },
  };
}

/**
 * Writes as JSON Schema what the library checks. Its own JSON Schema describes what a model should send, and the
 * library may accept more. For libraries that are not listed that is used, but without patterns, whose flags are
 * missing.
 */
function checkedBy(
  schema: StandardSchemaV1,
  toJsonSchema: (libraryOptions?: Record<string, unknown>) => JsonSchema,
): JsonSchema {
  const { vendor } = schema["~standard"];
  if (isZod(schema)) return checkedByZod(schema);
  if (vendor === "arktype" && "inner" in schema) return checkedByArkType(schema as unknown as ArkNode);
  if (vendor === "valibot") {
    return "kind" in schema
      ? checkedByValibot(schema as unknown as ValibotSchema)
      : checkedBehind(schema["~standard"], toJsonSchema);
  }
  return mapSchema(toJsonSchema(), ({ pattern: _pattern, patternProperties, ...others }) => {
    // Which keys are additional depends on the patterns too.
    if (patternProperties !== undefined) delete others["additionalProperties"];
    return others;
  });
}

function isZod(schema: StandardSchemaV1): schema is ZodSchema {
  return schema["~standard"].vendor === "zod" && "_zod" in schema;
}

function validationOf<T>(result: StandardSchemaV1.Result<T>): Validation<T> {
  return result.issues === undefined ? { value: result.value } : { issues: result.issues.map(issueOf) };
}

function issueOf({ message, path = [] }: StandardSchemaV1.Issue): SchemaIssue {
  const keys = path.map((segment) => (typeof segment === "object" ? segment.key : segment));
  return { pointer: keys.reduce<string>((pointer, key) => childPointer(pointer, String(key)), ""), message };
}

/** The advice for a schema of an old Zod. */
export const updateZod: string =
  'Install the latest Zod 4 (`npm install zod@4`), and import it from "zod", not from "zod/v3".';
