import { JsonParseError } from "../../json/errors.js";
import type { JsonParserOptions } from "../../json/options.js";
import { JsonParser } from "../../json/parser.js";
import type { JsonValue } from "../../json/value.js";
import type { FinishReason } from "../../messages/finish-reason.js";
import { SchemaViolation } from "../../schema/guard/violation.js";
import type { Operator } from "../../stream/operator.js";
import { noop } from "../../stream/core/result.js";
import { stage } from "../../stream/core/stage.js";
import type { Transform } from "../../stream/core/transform.js";
import { type Chunk, ChunkReader } from "../output-parser.js";
import { stoppedEarly, parseFailure, valueAtEnd } from "../truncation.js";
import { OutputParserError } from "../errors.js";
import { isInstance } from "../../text/thrown.js";
import { keepAlive } from "../../tree/keep-alive.js";
import { reportingGuard } from "./reporting-guard.js";

/** Turns the state of the parser into the values that a stage emits. */
export interface JsonView<Out> {
  /** Called with each value when it begins. */
  readonly onBegin?: (pointer: string, isObject: boolean) => void;
  /** Called with each value when it completes. */
  readonly onComplete?: (pointer: string, value: JsonValue) => void;
  /** Called after each chunk with text, with its length, and at the end, with 0. Emits what is new. */
  show(parser: JsonParser, emit: (value: Out) => void, characters: number): void;
  /** Called once, after the last `show()`, when the text has ended or is invalid. */
  close?(parser: JsonParser, emit: (value: Out) => void): void;
}

/** Called after the end of a whole document. The stream ends when the promise settles. */
export type EndOfJson<Out> = (
  value: JsonValue,
  finishReason: FinishReason | undefined,
  emit: (value: Out) => void,
) => void | Promise<void>;

/**
 * The stage around `JsonParser`: it reads chunks and emits what the view shows. If a chunk becomes invalid, the values
 * before that place are emitted before the error.
 */
export function jsonStage<Out>(
  options: JsonParserOptions,
  createView: () => JsonView<Out>,
  endOfJson: EndOfJson<Out>,
): Operator<Chunk, Out> {
  return stage((emit) => {
    const view = createView();
    keepAlive("json stage", () => new JsonTransform(new JsonParser(), { show: noop }, noop, noop));
    return new JsonTransform(new JsonParser(watchedBy(view, options)), view, endOfJson, emit);
  });
}

/** An object, not functions that share variables: an open stream takes 250 bytes less. */
class JsonTransform<Out> extends ChunkReader implements Transform<Chunk> {
  private readonly parser: JsonParser;
  private readonly view: JsonView<Out>;
  private readonly endOfJson: EndOfJson<Out>;
  private readonly emit: (value: Out) => void;

  constructor(
    parser: JsonParser,
    view: JsonView<Out>,
    endOfJson: EndOfJson<Out>,
    emit: (value: Out) => void,
  ) {
    super();
    this.parser = parser;
    this.view = view;
    this.endOfJson = endOfJson;
    this.emit = emit;
  }

  next(chunk: Chunk): void {
    const text = this.read(chunk);
    if (text === "") return;
    const { parser } = this;
    try {
      parser.write(text);
    } catch (error) {
      throw this.failure(error);
    }
    this.view.show(parser, this.emit, text.length);
  }

  end(): void | Promise<void> {
    const { parser, finishReason, emit } = this;
    try {
      parser.end({ truncated: stoppedEarly(finishReason) });
    } catch (error) {
      throw this.failure(error);
    }
    this.showLast();
    return this.endOfJson(jsonAtEnd(parser, finishReason), finishReason, emit);
  }

  private failure(error: unknown): unknown {
    this.showLast();
    return outputError(error, this.finishReason);
  }

  private showLast(): void {
    const { parser, view, emit } = this;
    view.show(parser, emit, 0);
    view.close?.(parser, emit);
  }
}

/** The options of a parser that calls the view with each value, if the view asks for it. */
function watchedBy<Out>(
  { onBegin, onComplete }: JsonView<Out>,
  options: JsonParserOptions,
): JsonParserOptions {
  if (onBegin === undefined && onComplete === undefined) return options;
  return {
    ...options,
    ...(onComplete !== undefined && { onComplete }),
    ...(onBegin !== undefined && { guard: reportingGuard(options.guard, onBegin) }),
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
