import type { JsonValue } from "../../json/value.js";
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
 * they are needed. json-render's own parser shows a line at its end; this one shows a value from its first character on.
 *
 * With a `catalogue`, the type of each element and its properties are checked against the schema of its component, which
 * json-render's own `validate()` does not do. Properties may be expressions, such as `{"$state": "/title"}`.
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
  return patchLines({ ...options, create: ["/elements", "/state"] });
}
