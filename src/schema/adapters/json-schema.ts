import type { JsonValue } from "../../json/value.js";
import { Interpreter } from "../interpreter/interpreter.js";
import { type JsonSchema, type Schema, titleOf, type Validation } from "../schema.js";
import { withoutMarks } from "../map-schema.js";
import { withPointerReferences } from "../pointer-references.js";

const interpreters = new WeakMap<Schema<unknown>, Interpreter>();

/** The interpreter that checks the values of a JSON Schema; `undefined` for any other schema. */
export function interpreterOf(schema: Schema<unknown>): Interpreter | undefined {
  return interpreters.get(schema);
}

/**
 * Converts a JSON Schema to the common form.
 *
 * @throws {SchemaError} `bad_schema` if it has a `type` that does not exist
 */
export function fromJsonSchema<T>(input: JsonSchema): Schema<T> {
  let forModel: JsonSchema | undefined;
  let interpreter = new Interpreter(input);
  const jsonSchema = withPointerReferences(input, interpreter.document);
  if (jsonSchema !== input) interpreter = new Interpreter(jsonSchema);
  const schema: Schema<T> = {
    name: titleOf(jsonSchema),
    get jsonSchema() {
      return (forModel ??= withoutMarks(jsonSchema));
    },
    streamSchema: jsonSchema,
    get warnings() {
      return interpreter.warnings;
    },
    validate(value): Validation<T> {
      if (value === undefined)
        return { issues: [{ pointer: "", message: "Expected a value, but got undefined." }] };
      const mismatches = interpreter.check(value as JsonValue);
      if (mismatches.length === 0) return { value: value as T };
      return {
        issues: mismatches.map(({ pointer, expected, found }) => ({
          pointer,
          message: `Expected ${expected}, but got ${found}.`,
        })),
      };
    },
  };
  interpreters.set(schema, interpreter);
  return schema;
}
