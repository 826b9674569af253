import { schemaInPrompt, type SchemaInstructions } from "../../schema/in-prompt.js";
import type { Schema } from "../../schema/schema.js";

/** Text for the prompt: asks for operations, one a line. */
export function patchLinesInstructions(
  schema: Schema<unknown> | undefined,
  components: Schema<unknown> | undefined,
  form?: SchemaInstructions,
): string {
  const lines = [
    "Answer with JSON Patch operations (RFC 6902), one on each line, and nothing else: no prose, no Markdown fence.",
    'Write "op", then "path", then "value". Add a container before its members. For example:',
    '{"op":"add","path":"/title","value":"Tea"}',
    '{"op":"add","path":"/steps","value":[]}',
    '{"op":"add","path":"/steps/-","value":"Boil water"}',
  ];
  for (const each of [schema, components]) {
    if (each === undefined) continue;
    lines.push(schemaInPrompt(each, "The document", form));
  }
  return lines.join("\n");
}
