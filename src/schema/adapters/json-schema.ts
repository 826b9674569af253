import type { JsonValue } from "../../json/value.js";
import { Interpreter } from "../interpreter/interpreter.js";
import type { JsonSchema, Schema, Validation } from "../schema.js";
import { withoutMarks } from "../map-schema.js";

/** Converts a JSON Schema to the common form. */
export function fromJsonSchema<T>(jsonSchema: JsonSchema): Schema<T> {
  const { title } = jsonSchema;
  let forModel: JsonSchema | undefined;
  let interpreter: Interpreter | undefined;
  return {
    name: typeof title === "string" ? title : "output",
    get jsonSchema() {
      return (forModel ??= withoutMarks(jsonSchema));
    },
    streamSchema: jsonSchema,
    validate(value): Validation<T> {
      if (value === undefined)
        return { issues: [{ pointer: "", message: "Expected a value, but got undefined." }] };
      interpreter ??= new Interpreter(jsonSchema);
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
}
