import type { JsonObject } from "../../json/value.js";
import type { JsonOutputParserOptions } from "../../parsers/json/json-parser.js";
import type { Chunk } from "../../parsers/output-parser.js";
import { compose } from "../../stream/compose.js";
import type { Operator } from "../../stream/operator.js";
import { itemsStage } from "./items-stage.js";
import { outputLines } from "./output-line.js";
import type { OutputMode } from "./output-mode.js";
import { parserFor } from "./parser-for.js";

export interface OutputStageOptions extends JsonOutputParserOptions {
  /** Called with a message for each document in which `--items` matches nothing. */
  readonly onMiss: (message: string) => void;
}

/**
 * Creates the stage that yields the lines of output. At the end of input it checks that the text is complete and the
 * value satisfies the schema.
 */
export function outputStage(
  mode: OutputMode,
  schema: JsonObject | undefined,
  options: OutputStageOptions,
): Operator<Chunk, string> {
  return compose(valuesStage(mode, schema, options), outputLines(mode));
}

function valuesStage(
  mode: OutputMode,
  schema: JsonObject | undefined,
  { onMiss, ...options }: OutputStageOptions,
): Operator<Chunk, unknown> {
  const parser = parserFor(schema, { ...options, append: mode.kind === "patches" && mode.append });
  switch (mode.kind) {
    case "patches":
      return parser.patches;
    case "snapshots":
      return parser.stream;
    case "items":
      return itemsStage(parser, mode.pointer, onMiss);
    case "final":
      return parser.final;
  }
}
