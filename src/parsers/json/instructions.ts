import { exampleOf } from "../../schema/example/example.js";
import { schemaInPrompt, type SchemaInstructions } from "../../schema/in-prompt.js";
import type { Schema } from "../../schema/schema.js";
import { madeOnce } from "../../tree/made-once.js";

/** Text for the prompt: asks for JSON, with the schema and an example. */
export function jsonInstructions(schema: Schema<unknown> | undefined, form?: SchemaInstructions): string {
  const request = "Answer with one JSON value and nothing else: no prose, no Markdown fence.";
  if (schema === undefined) return request;
  return [`${request} ${schemaInPrompt(schema, "It", form)}`, ...exampleLines(schema)].join("\n");
}

const exampleLines = madeOnce((schema: Schema<unknown>): readonly string[] => {
  const example = exampleOf(schema);
  if (example === undefined) return [];
  return ["For example, with values that are made up:", JSON.stringify(example)];
});
