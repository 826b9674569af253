import { JsonParseError } from "../../json/errors.js";
import type { JsonParserOptions, WatchedOptions } from "../../json/options.js";
import { JsonParser } from "../../json/parser.js";
import type { JsonValue } from "../../json/value.js";
import type { FinishReason } from "../../messages/finish-reason.js";
import { SchemaViolation } from "../../schema/guard/violation.js";
import { type Schema, thenOrNow } from "../../schema/schema.js";
import type { Operator } from "../../stream/operator.js";
import { noop } from "../../stream/core/result.js";
import { stage } from "../../stream/core/stage.js";
import { check } from "../check.js";
import type { Chunk } from "../output-parser.js";
import { ParserTransform, type ParserView, type ParserEnd } from "../parser-transform.js";
import { parseFailure, valueAtEnd } from "../truncation.js";
import { OutputParserError } from "../errors.js";
import { isInstance } from "../../text/thrown.js";
import { keepAlive } from "../../tree/keep-alive.js";
import { BeginReporter } from "./begin-reporter.js";

/** Turns the state of the parser into the values that a stage emits. */
export interface JsonView<Out> extends ParserView<JsonParser, Out> {
  /** Called with each value when it begins. */
  readonly onBegin?: (pointer: string, isObject: boolean) => void;
  /** Called with each value when it completes. */
  readonly onComplete?: (pointer: string, value: JsonValue) => void;
}

/** How a stream is read, and what checks the whole value; `undefined`: any JSON is accepted. */
export interface JsonSource {
  readonly options: JsonParserOptions;
  readonly schema: Schema<unknown> | undefined;
}

/**
 * The stage around `JsonParser`.
 *
 * @param onResult called with the checked value at the end of a whole document
 */
export function jsonStage<Out>(
  { options, schema }: JsonSource,
  createView: () => JsonView<Out>,
  onResult: (value: unknown, emit: (value: Out) => void) => void = noop,
): Operator<Chunk, Out> {
  const end: ParserEnd<JsonParser, JsonValue, Out> = {
    value: jsonAtEnd,
    failure: outputError,
    finish: (value, finishReason, emit) =>
      thenOrNow(check(schema, value, finishReason), (result) => onResult(result, emit)),
  };
  return stage((emit) => {
    const view = createView();
    keepAlive("json stage", () => new ParserTransform(new JsonParser(), { show: noop }, end, noop));
    return new ParserTransform(new JsonParser(watchedBy(view, options)), view, end, emit);
  });
}

/** The options of a parser that calls the view with each value, if the view asks for it. */
function watchedBy<Out>({ onBegin, onComplete }: JsonView<Out>, options: JsonParserOptions): WatchedOptions {
  if (onBegin === undefined && onComplete === undefined) return options;
  return {
    ...options,
    ...(onComplete && { onComplete }),
    ...(onBegin && { watch: (next) => new BeginReporter(next, onBegin) }),
  };
}

export function jsonAtEnd(parser: JsonParser, finishReason: FinishReason | undefined): JsonValue {
  return valueAtEnd(parser.snapshot(), "a JSON value", finishReason);
}

/** Converts an error of the JSON parser or its guard to an `OutputParserError` with the finish reason. */
export function outputError(error: unknown, finishReason: FinishReason | undefined): unknown {
  if (isInstance(error, SchemaViolation)) {
    const { message, issue, value } = error;
    return new OutputParserError("schema", `The output cannot satisfy the schema. ${message}`, {
      value,
      finishReason,
      issues: [issue],
      cause: error,
    });
  }
  return isInstance(error, JsonParseError) ? parseFailure(error, finishReason) : error;
}
