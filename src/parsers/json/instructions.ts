import { exampleOf } from "../../schema/example/example.js";
import type { Schema } from "../../schema/schema.js";

/** Text for the prompt: asks for JSON, with the JSON Schema and an example. */
export function instructionsFor(schema: Schema<unknown> | undefined): string {
  const request = "Answer with one JSON value and nothing else: no prose, no Markdown fence.";
  if (schema === undefined) return request;
  const lines = [`${request} It must satisfy this JSON Schema:`, JSON.stringify(schema.jsonSchema)];
  const example = exampleOf(schema);
  if (example !== undefined)
    lines.push("For example, with values that are made up:", JSON.stringify(example));
  return lines.join("\n");
}
