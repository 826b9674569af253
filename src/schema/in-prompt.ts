import type { Schema } from "./schema.js";
import { typesText } from "./types-text.js";

/** How a schema is written into a prompt: as JSON Schema, or as compact type definitions. */
export type SchemaInstructions = "json-schema" | "types";

/**
 * A schema as text for a prompt, with a sentence before it.
 *
 * @param subject what must have the schema: "It", "The document"
 */
export function schemaInPrompt(
  schema: Pick<Schema<unknown>, "jsonSchema" | "name">,
  subject: string,
  form: SchemaInstructions = "json-schema",
): string {
  if (form === "json-schema")
    return `${subject} must satisfy this JSON Schema:\n${JSON.stringify(schema.jsonSchema)}`;
  const text = typesText(schema.jsonSchema, schema.name);
  const [, last = ""] = /.*(?:^|\n)type (\S+) = /s.exec(text) ?? [];
  return `${subject} must be JSON of the type ${last}:\n${text}`;
}

/** @throws {TypeError} for any other form */
export function checkInstructions(form: string | undefined): void {
  if (form === undefined || form === "json-schema" || form === "types") return;
  throw new TypeError(`Expected instructions: "json-schema" or "types", but got ${JSON.stringify(form)}.`);
}
