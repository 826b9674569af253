import type { Catalogue, Operator, PatchLineError, PatchLineRepair, PatchLinesParser } from "millrace";
import type { AnyPatchOperation, JsonObject, JsonValue } from "millrace/json";
import { type SpecStreamOptions, fromSpecStream } from "millrace/ui";
import { parserFor } from "./parser-for.js";
import { readAgain } from "./measure/read-again.js";

/** The format of a run's text, and the rules for its content. */
export type RunFormat =
  | { readonly kind: "json"; readonly schema: JsonObject | undefined }
  | { readonly kind: "spec"; readonly components: Catalogue["components"] | undefined };

/** Reports of a run's parser. */
export interface ParserReports {
  readonly repair: (repair: PatchLineRepair) => void;
  readonly refuse: (error: PatchLineError) => void;
}

/** The parser of a run. */
export interface RunParser {
  readonly patches: Operator<string, readonly AnyPatchOperation[]>;
  /** Parses a whole text from the start, as programs without an incremental parser do after each chunk. */
  readonly readAgain: (text: string) => void;
}

export function runParser(format: RunFormat, strict: boolean, { repair, refuse }: ParserReports): RunParser {
  if (format.kind === "json") {
    const { patches } = parserFor(format.schema, {
      append: true,
      strict,
      nullAsAbsent: true, // strict modes write null for an absent optional property
      onRepair: repair,
    });
    return { patches, readAgain: (text) => readAgain(text, strict) };
  }
  const rules = { append: true, repair: !strict };
  const again = specParser(format.components, { ...rules, onLineError: () => {} });
  return {
    patches: specParser(format.components, { ...rules, onRepair: repair, onLineError: refuse }).patches,
    readAgain: (text) => {
      try {
        again.parse(text);
      } catch {
        // The run reports the error.
      }
    },
  };
}

export function specParser(
  components: Catalogue["components"] | undefined,
  options: SpecStreamOptions = {},
): PatchLinesParser<JsonValue, JsonValue> {
  return fromSpecStream({ ...options, ...(components !== undefined && { catalogue: { components } }) });
}
