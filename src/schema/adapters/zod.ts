import type { StandardSchemaV1 } from "@standard-schema/spec";
import { SchemaError } from "../errors.js";
import type { SchemaCheck } from "./schema-check.js";
import { fromStandardSchema, type Library } from "./standard-schema.js";
import type { ZodPayload, ZodSchema } from "./zod-definition.js";
import { unwritableInZod } from "./zod-unwritable.js";
import { checkedByZod } from "./zod-writer.js";

/**
 * A Zod 4 schema as a check: for the model its JSON Schema, for a stream its guard, for the answer its validation.
 *
 * @throws {SchemaError} `not_a_schema` if it is not a schema of Zod 4
 *
 * @example
 * ```ts
 * import { JsonParser } from "millrace/json";
 * import { zod } from "millrace/schema";
 * import { z } from "zod";
 *
 * const parser = new JsonParser({ guard: zod(z.object({ stars: z.int().max(5) })).guard() });
 * parser.write('{"stars": 4}');
 * console.log(parser.value);
 * ```
 */
export function zod<Input, Output>(schema: StandardSchemaV1<Input, Output>): SchemaCheck<Input, Output> {
  if (!isZod(schema)) throw new SchemaError("not_a_schema", `Expected a schema of Zod 4. ${updateZod}`);
  return fromStandardSchema(schema, zodLibrary);
}

const zodLibrary: Library = {
  checked: (schema) => checkedByZod(schema as ZodSchema),
  validate: (schema, value) => validatedByZod(schema as ZodSchema, value),
  missing: missingInZod,
  unwritable: (schema) => unwritableInZod(schema as ZodSchema),
};

export function isZod(schema: unknown): boolean {
  return isObjectWith("_zod", schema) && isObjectWith("~standard", schema);
}

function isObjectWith(key: string, value: unknown): boolean {
  return typeof value === "object" && value !== null && key in value;
}

/** Why a schema of Zod, or of another library, has no JSON Schema. */
export function missingInZod(schema: StandardSchemaV1): string | undefined {
  if ("_zod" in schema && !("meta" in schema))
    return 'Zod Mini does not write JSON Schema. Import the functions of this schema from "zod", not from "zod/mini".';
  return schema["~standard"].vendor === "zod"
    ? `This Zod schema cannot be written as JSON Schema: it is of Zod 3 or of an early Zod 4. ${updateZod}`
    : undefined;
}

/** The advice for a schema of an old Zod. */
export const updateZod: string =
  'Install the latest Zod 4 (`npm install zod@4`), and import it from "zod", not from "zod/v3".';

/**
 * Checks a value in one run. Zod's own `validate` runs a schema as a synchronous one first. At the first promise it
 * runs the schema again and drops the promise, so a check that rejects is an unhandled rejection.
 */
function validatedByZod(
  schema: ZodSchema,
  value: unknown,
): StandardSchemaV1.Result<unknown> | Promise<StandardSchemaV1.Result<unknown>> {
  const result = runOf(schema, value);
  if (!(result instanceof Promise) && result.issues.length === 0) return { value: result.value };
  // Only Zod can write the messages of its issues, so a copy of the schema repeats the result.
  const { constr, def } = schema._zod;
  const copy = new constr(def);
  Object.assign(copy._zod, { run: () => result });
  return copy["~standard"].validate(value);
}

function runOf(schema: ZodSchema, value: unknown): ZodPayload | Promise<ZodPayload> {
  const run = (async?: true): ZodPayload | Promise<ZodPayload> =>
    schema._zod.run({ value, issues: [] }, { async });
  if (schema.meta !== undefined) return run(true);
  // With `async`, a transform of Zod Mini returns a promise even if it is synchronous.
  try {
    return run();
  } catch {
    return run(true);
  }
}
