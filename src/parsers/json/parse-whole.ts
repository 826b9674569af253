import { MillraceError } from "../../errors.js";
import { JsonParseError } from "../../json/errors.js";
import type { JsonParserOptions } from "../../json/options.js";
import { JsonParser } from "../../json/parser.js";
import type { JsonRepair } from "../../json/repair.js";
import type { JsonValue } from "../../json/value.js";
import type { FinishReason } from "../../messages/finish-reason.js";
import { SchemaViolation } from "../../schema/guard/violation.js";
import type { Schema } from "../../schema/schema.js";
import { isInstance } from "../../text/thrown.js";
import { noop } from "../../stream/core/result.js";
import { check, synchronous } from "../check.js";
import { type Output, textOfOutput } from "../output-parser.js";
import { stoppedEarly } from "../truncation.js";
import { jsonAtEnd, outputError } from "./json-stage.js";

/** Parses a whole output, and checks it. */
export function parseWhole(
  schema: Schema<unknown> | undefined,
  options: JsonParserOptions,
  output: Output,
): unknown {
  const { text, finishReason } = textOfOutput(output);
  const value = readWhole(options, text, finishReason);
  return synchronous(check(schema, value, finishReason), () => ({ value, finishReason }));
}

/**
 * The whole text shows whether its first document was part of the thinking. Then the text after `</think>` decides:
 * without a schema, its last complete document is the result.
 */
function readWhole(
  options: JsonParserOptions,
  text: string,
  finishReason: FinishReason | undefined,
): JsonValue {
  try {
    return readText(options, text, finishReason);
  } catch (error) {
    if (!isInstance(error, JsonParseError) || error.code !== "thinking" || options.openThinking === true)
      throw outputError(error, finishReason);
  }
  const starts: number[] = [];
  const onRepair = (repair: JsonRepair): void => {
    if (repair.kind === "extra_document") starts.push(repair.offset);
    options.onRepair?.(repair);
  };
  try {
    const first = readText({ ...options, openThinking: true, onRepair }, text, finishReason);
    return (options.guard === undefined ? lastComplete(options, text, starts) : undefined) ?? first;
  } catch (error) {
    throw outputError(error, finishReason);
  }
}

/** The last document of these places that is complete. */
function lastComplete(
  options: JsonParserOptions,
  text: string,
  starts: readonly number[],
): JsonValue | undefined {
  for (const start of starts.slice(-maxDocuments).reverse()) {
    const parser = new JsonParser({ ...options, onRepair: noop, onTruncated: "keep" });
    try {
      parser.write(text.slice(start));
      if (parser.complete) return parser.snapshot();
    } catch (error) {
      if (!isInstance(error, JsonParseError)) throw error;
    }
  }
  return undefined;
}

/**
 * A guard is needed to coerce and to choose the document. It stops at the first violation, but the schema's own check
 * reports all of them.
 */
function readText(
  { guard, ...options }: JsonParserOptions,
  text: string,
  finishReason: FinishReason | undefined,
): JsonValue {
  const read = (guarded: JsonParserOptions, start = 0): JsonValue => {
    const parser = new JsonParser(guarded);
    parser.write(text.slice(start));
    parser.end({ truncated: stoppedEarly(finishReason) });
    return jsonAtEnd(parser, finishReason);
  };
  if (guard === undefined) return read(options);
  try {
    return read({ ...options, guard });
  } catch (violation) {
    if (!isInstance(violation, SchemaViolation)) throw violation;
    const starts: number[] = [];
    const onRepair = ({ kind, offset }: JsonRepair): void => {
      if (kind === "extra_document") starts.push(offset);
    };
    let first: JsonValue;
    try {
      first = read({ ...options, onRepair });
    } catch (error) {
      // The violation comes before the place where the text is cut or invalid.
      throw isInstance(error, JsonParseError) && error.code === "thinking" ? error : violation;
    }
    return readLater(starts.slice(0, maxDocuments)) ?? first;
  }

  /** Several documents: the first one that satisfies the schema is the result. */
  function readLater(starts: readonly number[]): JsonValue | undefined {
    for (const start of starts) {
      const onRepair = (repair: JsonRepair): void =>
        options.onRepair?.({ ...repair, offset: repair.offset + start });
      try {
        return read({ ...options, guard, onRepair } as JsonParserOptions, start);
      } catch (error) {
        // A callback may throw other errors.
        if (!isInstance(error, MillraceError)) throw error;
      }
    }
    return undefined;
  }
}

/** The number of further documents that are tried. */
const maxDocuments = 10;
