import type { AnyPatchOperation } from "../../../json/patch/patch.js";
import type { JsonObject, JsonValue } from "../../../json/value.js";
import type { Catalogue } from "../../../parsers/patch-lines/catalogue.js";
import type { PatchLineError } from "../../../parsers/patch-lines/line-error.js";
import type { PatchLineRepair } from "../../../parsers/patch-lines/patch-lines-reader.js";
import type { PatchLinesParser } from "../../../parsers/patch-lines/patch-lines.js";
import type { Operator } from "../../../stream/operator.js";
import { noop } from "../../../stream/core/result.js";
import { fromSpecStream, type SpecStreamOptions } from "../../../ui/json-render/from-spec-stream.js";
import { parserFor } from "../../output/parser-for.js";
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
  const again = specParser(format.components, { ...rules, onLineError: noop });
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
