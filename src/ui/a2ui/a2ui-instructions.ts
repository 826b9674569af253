import { schemaInPrompt, type SchemaInstructions } from "../../schema/in-prompt.js";
import type { A2uiCatalogueSchema } from "./a2ui-catalogue.js";

/** Text for the prompt: asks for messages, one a line. */
export function a2uiInstructions(catalogue: A2uiCatalogueSchema, form?: SchemaInstructions): string {
  const lines = [
    "Answer with messages of A2UI v0.9, one JSON object on each line, and nothing else: no prose, no Markdown fence.",
    "First create a surface, then send its components and its data. For example:",
    '{"version":"v0.9","createSurface":{"surfaceId":"main","catalogId":"basic"}}',
    '{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[{"id":"root","component":"Text","text":{"path":"/title"}}]}}',
    '{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/title","value":"Tea"}}',
    'Components are a flat list, joined by id; one of them is "root". A component that is sent again replaces the one with',
    'its id. A property may be a value, or {"path":"/title"} for a value of the data model. Write "id", then "component".',
  ];
  for (const [name, schema] of catalogue.properties) {
    lines.push(schemaInPrompt({ name, jsonSchema: schema.jsonSchema }, `The properties of ${name}`, form));
  }
  return lines.join("\n");
}
