import type { JsonParserOptions } from "../../json/options.js";
import { JsonParser } from "../../json/parser.js";
import type { JsonRepair } from "../../json/repair/repair.js";
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
  const read = (guarded: JsonParserOptions, start = 0): JsonValue => {
    const parser = new JsonParser(guarded);
    parser.write(text.slice(start));
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
      if (!isInstance(error, SchemaViolation)) throw error;
      const starts: number[] = [];
      const onRepair = ({ kind, offset }: JsonRepair): void => {
        if (kind === "extra_document") starts.push(offset);
      };
      const first = read({ ...options, onRepair });
      return readLater(starts.slice(0, maxDocuments)) ?? first;
    }
  }

  /** Several documents: the first one that satisfies the schema is the result. */
  function readLater(starts: readonly number[]): JsonValue | undefined {
    for (const start of starts) {
      const onRepair = (repair: JsonRepair): void =>
        options.onRepair?.({ ...repair, offset: repair.offset + start });
      try {
        return read({ ...options, guard, onRepair } as JsonParserOptions, start);
      } catch (error) {
        if (!isInstance(error, SchemaViolation)) throw error;
      }
    }
    return undefined;
  }
}

/** The number of further documents that are tried. */
const maxDocuments = 10;
