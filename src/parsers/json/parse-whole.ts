import type { JsonParserOptions } from "../../json/options.js";
import { JsonParser } from "../../json/parser.js";
import type { JsonValue } from "../../json/value.js";
import type { FinishReason } from "../../messages/finish-reason.js";
import { SchemaViolation } from "../../schema/guard/violation.js";
import type { Schema } from "../../schema/schema.js";
import { isInstance } from "../../text/thrown.js";
import { noop } from "../../stream/core/result.js";
import { check } from "../check.js";
import { OutputParserError } from "../errors.js";
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
  const result = check(schema, value, finishReason);
  if (!(result instanceof Promise)) return result;
  result.catch(noop); // the result is not used
  throw new OutputParserError(
    "async_schema",
    "The schema checks asynchronously, but parse() is synchronous. Use .final on a stream of the output.",
    { value, finishReason },
  );
}

/** A guard is needed to coerce. It stops at the first violation, but the schema's own check reports all of them. */
function readWhole(
  { guard, ...options }: JsonParserOptions,
  text: string,
  finishReason: FinishReason | undefined,
): JsonValue {
  const { repair, coerce = repair === true } = options;
  const read = (guarded: JsonParserOptions): JsonValue => {
    const parser = new JsonParser(guarded);
    parser.write(text);
    parser.end({ truncated: stoppedEarly(finishReason) });
    return jsonAtEnd(parser, finishReason);
  };
  try {
    return coerce && guard !== undefined ? readGuarded() : read(options);
  } catch (error) {
    throw outputError(error, finishReason);
  }

  function readGuarded(): JsonValue {
    try {
      return read({ ...options, guard } as JsonParserOptions);
    } catch (error) {
      if (isInstance(error, SchemaViolation)) return read({ ...options, onRepair: noop });
      throw error;
    }
  }
}
