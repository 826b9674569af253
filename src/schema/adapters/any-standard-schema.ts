import type { StandardSchemaV1 } from "@standard-schema/spec";
import { fieldOf, hasMethod } from "../../text/thrown.js";
import { SchemaError } from "../errors.js";
import { mapSchema } from "../map-schema.js";
import { arktype, isArkType } from "./arktype.js";
import { checkedSource } from "./document-source.js";
import type { SchemaCheck } from "./schema-check.js";
import { fromStandardSchema, type Library } from "./standard-schema.js";
import { valibot } from "./valibot.js";
import { isZod, missingInZod, zod } from "./zod.js";

/** Converts a Standard Schema of any library. */
export function anyStandardSchema<Input, Output>(
  schema: StandardSchemaV1<Input, Output>,
): SchemaCheck<Input, Output> {
  const standard = fieldOf(schema, "~standard");
  if (!hasMethod(standard, "validate"))
    throw new SchemaError(
      "not_a_schema",
      'Expected a Standard Schema, whose "~standard" has a function validate.',
    );
  if (isZod(schema)) return zod(schema);
  if (isArkType(schema)) return arktype(schema);
  return fieldOf(standard, "vendor") === "valibot"
    ? valibot(schema)
    : fromStandardSchema(schema, otherLibrary);
}

/** Its JSON Schema is used, but without patterns, whose flags are missing. */
const otherLibrary: Library = {
  checked: (_schema, toJsonSchema) =>
    mapSchema(toJsonSchema(), ({ pattern: _pattern, patternProperties, ...others }) => {
      // Which keys are additional depends on the patterns too.
      if (patternProperties !== undefined) delete others["additionalProperties"];
      return others;
    }),
  missing: missingInZod,
  source: checkedSource,
};
