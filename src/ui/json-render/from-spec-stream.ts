import type { JsonValue } from "../../json/value.js";
import { schemaInPrompt, type SchemaInstructions } from "../../schema/in-prompt.js";
import { schemaOf, type SchemaInput } from "../../schema/schema-of.js";
import {
  patchLines,
  type PatchLinesOptions,
  type PatchLinesParser,
} from "../../parsers/patch-lines/patch-lines.js";

/** The options of `fromSpecStream()`: those of `patchLines()` that the format does not settle. */
export type SpecStreamOptions = Omit<PatchLinesOptions, "schema" | "initial" | "create">;

/**
 * Reads the SpecStream of json-render while a model writes it: JSON Patch operations that build
 * `{ root, elements, state }`, one a line. It is `patchLines()` for that document: elements and state are made when
 * they are needed. json-render's own parser shows a line at its end; this one shows a value from its first character.
 *
 * With a `catalogue`, the type of each element and its properties are checked against the schema of its component,
 * which json-render's own `validate()` does not do. Properties may be expressions, such as `{"$state": "/title"}`.
 *
 * @example
 * ```ts
 * import { from, pipe } from "millrace";
 * import { fromSpecStream } from "millrace/ui";
 * import { z } from "zod";
 *
 * const catalogue = { components: { Card: z.strictObject({ title: z.string() }) } };
 * const model = [
 *   '{"op":"add","path":"/root","value":"a"}\n{"op":"add","path":"/elements/a","value":{"type":"Card","props":{"title":"Te',
 *   'a"},"children":[]}}\n',
 * ];
 * for await (const spec of pipe(from(model), fromSpecStream({ catalogue }).snapshots)) console.log(JSON.stringify(spec));
 * ```
 *
 * ```text prints
 * {"root":"a","elements":{"a":{"type":"Card","props":{"title":"Te"}}}}
 * {"root":"a","elements":{"a":{"type":"Card","props":{"title":"Tea"},"children":[]}}}
 * ```
 */
export function fromSpecStream(options: SpecStreamOptions = {}): PatchLinesParser<JsonValue, JsonValue> {
  const parser = patchLines({ ...options, create: ["/elements", "/state"] });
  const components = Object.entries(options.catalogue?.components ?? {});
  let instructions: string | undefined;
  return Object.defineProperty({ ...parser }, "instructions", {
    get: () => (instructions ??= specStreamInstructions(components, options.instructions)),
  });
}

/** Text for the prompt: asks for a spec, an operation a line. */
function specStreamInstructions(
  components: readonly (readonly [name: string, schema: SchemaInput])[],
  form: SchemaInstructions | undefined,
): string {
  const lines = [
    "Answer with JSON Patch operations (RFC 6902), one on each line, and nothing else: no prose, no Markdown fence.",
    "They build an interface: /root is the key of its first element, /elements has all elements by key. For example:",
    '{"op":"add","path":"/root","value":"main"}',
    '{"op":"add","path":"/elements/main","value":{"type":"Card","props":{"title":"Tea"},"children":["note"]}}',
    '{"op":"add","path":"/elements/note","value":{"type":"Text","props":{"text":{"$state":"/tip"}},"children":[]}}',
    '{"op":"add","path":"/state/tip","value":"Cool"}',
    'Children are keys of elements. A property may be a value, or {"$state":"/tip"} for a value of /state.',
  ];
  for (const [name, input] of components) {
    const { jsonSchema } = schemaOf(input);
    lines.push(schemaInPrompt({ name, jsonSchema }, `The props of ${name}`, form));
  }
  return lines.join("\n");
}
