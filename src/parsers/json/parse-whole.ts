import { MillraceError } from "../../errors.js";
import { extractFromWhole } from "../../find/choose/extraction.js";
import { JsonParseError } from "../../json/errors.js";
import type { JsonParserOptions } from "../../json/options.js";
import { JsonParser } from "../../json/parser.js";
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
 * Reads the text as a stream would. Where that fails, the whole text shows more: the first document may have been part
 * of the thinking, and then the text after `</think>` decides.
 */
function readWhole(
  options: JsonParserOptions,
  text: string,
  finishReason: FinishReason | undefined,
): JsonValue {
  try {
    return readFitting(options, (attempt) => {
      const parser = new JsonParser(attempt);
      parser.write(text);
      parser.end({ truncated: stoppedEarly(finishReason) });
      return jsonAtEnd(parser, finishReason);
    });
  } catch (error) {
    if (!isOfThinking(error) || options.openThinking === true) throw outputError(error, finishReason);
    const extract = options.guard === undefined ? extractFromWhole : options.extract;
    return readWhole({ ...options, openThinking: true, ...(extract && { extract }) }, text, finishReason);
  }
}

/**
 * A guard is needed to coerce and to choose the document. It stops at the first violation, but the schema's own check
 * reports all of them, so if no document fits, the first one is the result.
 */
function readFitting(
  { guard, ...unguarded }: JsonParserOptions,
  read: (options: JsonParserOptions) => JsonValue,
): JsonValue {
  if (guard === undefined) return read(unguarded);
  const guarded = { ...unguarded, guard };
  try {
    return read(guarded);
  } catch (violation) {
    if (!isInstance(violation, SchemaViolation)) throw violation;
    let first: JsonValue;
    try {
      first = read({ ...unguarded, onRepair: noop });
    } catch (error) {
      // The violation comes before the place where the text is cut or invalid.
      throw isOfThinking(error) ? error : violation;
    }
    if (guarded.extract === undefined) return first;
    try {
      return read({ ...guarded, extract: extractFromWhole });
    } catch (error) {
      // A callback may throw other errors.
      if (!isInstance(error, MillraceError)) throw error;
      return first;
    }
  }
}

function isOfThinking(error: unknown): boolean {
  return isInstance(error, JsonParseError) && error.code === "thinking";
}
