import { memberPattern, startOf, type LineSyntax } from "../../parsers/patch-lines/line-syntax.js";
import {
  type LinesOptions,
  linesOptionNames,
  linesParser,
  type PatchLinesParser,
  patchLinesRules,
} from "../../parsers/patch-lines/patch-lines.js";
import type { LineFormat } from "../../parsers/patch-lines/streamed-line.js";
import { guardOf } from "../../schema/guard-of.js";
import { schemaInPrompt, type SchemaInstructions } from "../../schema/in-prompt.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";
import { type A2uiCatalogue, A2uiCatalogueSchema } from "./a2ui-catalogue.js";
import { a2uiKinds, type A2uiSurfaces } from "./a2ui-message.js";
import { OpenMessage } from "./open-message.js";

/** The options of `fromA2ui()`. */
export interface FromA2uiOptions extends LinesOptions {
  /** The components. It guards the type and the properties of each component. Default: any component is allowed. */
  readonly catalogue?: A2uiCatalogue;
}

const optionNames = { ...linesOptionNames, catalogue: true } satisfies OptionNames<FromA2uiOptions>;

/**
 * Reads the messages of A2UI (v0.9, and those of v1.0 for surfaces) while a model writes them: JSON lines in prose and
 * fences, a list of messages, or `{"messages": […]}`, cut anywhere. The value is what a renderer has: for each surface
 * its `components` by id, its `dataModel`, and what `createSurface` says of it.
 *
 * It reads as `patchLines()` does. A new component is shown when its `id` and `component` are known, and grows; one
 * that replaces another is shown when it is complete. A value of the data model grows too, unless it replaces a
 * container with something in it. A message whose surface does not exist yet waits for it. A line that is nearly JSON
 * is repaired, and a message that a renderer would refuse is reported (`onLineError`) and taken back: a component that
 * the catalogue does not have, wrong properties, a second `createSurface`.
 *
 * @throws {TypeError} for options that it does not know
 *
 * @example
 * ```ts
 * import { from, pipe } from "millrace";
 * import { fromA2ui } from "millrace/ui";
 * import { z } from "zod";
 *
 * const catalogue = { components: { Text: z.strictObject({ text: z.string() }) } };
 * const model = [
 *   '{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"c"}}\n',
 *   '{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":"Te',
 *   'a"}]}}\n',
 * ];
 * for await (const { s } of pipe(from(model), fromA2ui({ catalogue }).snapshots)) console.log(JSON.stringify(s?.components));
 * ```
 *
 * ```text prints
 * {}
 * {"root":{"id":"root","component":"Text","text":"Te"}}
 * {"root":{"id":"root","component":"Text","text":"Tea"}}
 * ```
 */
export function fromA2ui(options: FromA2uiOptions = {}): PatchLinesParser<A2uiSurfaces, A2uiSurfaces> {
  checkOptions("fromA2ui()", options, optionNames);
  const schema = new A2uiCatalogueSchema(options.catalogue);
  const guard = guardOf(schema.streamSchema);
  const format: LineFormat = {
    syntax: messageSyntax,
    open: (place, context) => new OpenMessage(place, context, schema, guard),
  };
  return linesParser(
    {
      rules: { ...patchLinesRules(options), initial: {}, format },
      checks: [],
      expected: "a message of A2UI",
    },
    () => a2uiInstructions(schema, options.instructions),
  );
}

const messageSyntax: LineSyntax = {
  start: startOf(["version", ...a2uiKinds]),
  member: memberPattern(["version"]),
  wrapper: startOf(["messages"]),
};

/** Text for the prompt: asks for messages, one a line. */
function a2uiInstructions(catalogue: A2uiCatalogueSchema, form?: SchemaInstructions): string {
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
