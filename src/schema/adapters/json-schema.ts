import type { StandardSchemaV1 } from "@standard-schema/spec";
import { isObject, type JsonValue } from "../../json/value.js";
import { notASchema } from "../errors.js";
import { Interpreter } from "../interpreter/interpreter.js";
import { type JsonSchema, titleOf, type Validation } from "../schema.js";
import { documentSource } from "../adapters/document-source.js";
import { checkOf, type SchemaCheck } from "./schema-check.js";
import { parsePointer } from "../../tree/pointer.js";
import { withoutMarks } from "../map-schema.js";
import { withPointerReferences } from "../pointer-references.js";

/**
 * A JSON Schema as plain data as a check, like `zod()`. The guard asks the validator about complete values.
 *
 * @throws {SchemaError} `bad_schema` if it has a `type` that does not exist
 */
export function jsonSchema(input: JsonSchema): SchemaCheck<JsonValue, JsonValue> {
  if (!isObject(input)) throw notASchema("JSON Schema", input);
  let forModel: JsonSchema | undefined;
  let interpreter = new Interpreter(input);
  const written = withPointerReferences(input, interpreter.document);
  if (written !== input) interpreter = new Interpreter(written);
  const validate = (value: unknown): Validation<JsonValue> => {
    if (value === undefined) {
      return { issues: [{ pointer: "", message: "Expected a value, but got undefined." }] };
    }
    const mismatches = interpreter.check(value as JsonValue);
    if (mismatches.length === 0) return { value: value as JsonValue };
    return {
      issues: mismatches.map(({ pointer, expected, found }) => ({
        pointer,
        message: `Expected ${expected}, but got ${found}.`,
      })),
    };
  };
  const schema = {
    "~standard": { version: 1, vendor: "millrace", validate: (value: unknown) => standard(validate(value)) },
    name: titleOf(written),
    get jsonSchema(): JsonSchema {
      return (forModel ??= withoutMarks(written));
    },
    streamSchema: written,
    get warnings() {
      return interpreter.warnings;
    },
    validate,
  } as const;
  return checkOf<JsonValue, JsonValue>(
    schema,
    () => documentSource(interpreter.document, true),
    () => interpreter.wholeValues(),
  );
}

function standard(found: Validation<JsonValue>): StandardSchemaV1.Result<JsonValue> {
  if (found.issues === undefined) return found;
  return { issues: found.issues.map(({ pointer, message }) => ({ message, path: parsePointer(pointer) })) };
}
