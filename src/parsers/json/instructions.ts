import { exampleOf } from "../../schema/example/example.js";
import { schemaInPrompt, type SchemaInstructions } from "../../schema/in-prompt.js";
import type { Schema } from "../../schema/schema.js";

/** Text for the prompt: asks for JSON, with the schema and an example. */
export function jsonInstructions(schema: Schema<unknown> | undefined, form?: SchemaInstructions): string {
  const request = "Answer with one JSON value and nothing else: no prose, no Markdown fence.";
  if (schema === undefined) return request;
  const lines = [`${request} ${schemaInPrompt(schema, "It", form)}`];
  const example = exampleOf(schema);
  if (example !== undefined)
    lines.push("For example, with values that are made up:", JSON.stringify(example));
  return lines.join("\n");
}
