import type { Catalogue, Operator, PatchLineError, PatchLineRepair, PatchLinesParser } from "millrace";
import type { AnyPatchOperation, JsonObject, JsonValue } from "millrace/json";
import { type SpecStreamOptions, fromSpecStream } from "millrace/ui";
import { parserFor } from "./parser-for.js";

/** The format of a run's text, and the rules for its content. */
export type RunFormat =
  | { readonly kind: "json"; readonly schema: JsonObject | undefined }
  | { readonly kind: "spec"; readonly components: Catalogue["components"] | undefined };

/** Reports of a run's parser. */
export interface ParserReports {
  readonly repair: (repair: PatchLineRepair) => void;
  readonly refuse: (error: PatchLineError) => void;
}

/** The patches of a run's text. */
export function runParser(
  format: RunFormat,
  strict: boolean,
  { repair, refuse }: ParserReports,
): Operator<string, readonly AnyPatchOperation[]> {
  if (format.kind === "spec") {
    const rules = { append: true, repair: !strict, onRepair: repair, onLineError: refuse };
    return specParser(format.components, rules).patches;
  }
  return parserFor(format.schema, {
    append: true,
    strict,
    nullAsAbsent: true, // strict modes write null for an absent optional property
    onRepair: repair,
  }).patches;
}

export function specParser(
  components: Catalogue["components"] | undefined,
  options: SpecStreamOptions = {},
): PatchLinesParser<JsonValue, JsonValue> {
  return fromSpecStream({ ...options, ...(components !== undefined && { catalogue: { components } }) });
}
