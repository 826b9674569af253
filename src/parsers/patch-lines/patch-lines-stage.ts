import type { JsonValue } from "../../json/value.js";
import { ListError } from "../../list/errors.js";
import type { FinishReason } from "../../messages/finish-reason.js";
import { type Schema, thenOrNow } from "../../schema/schema.js";
import { stage } from "../../stream/core/stage.js";
import { noop } from "../../stream/core/result.js";
import type { Operator } from "../../stream/operator.js";
import { isInstance } from "../../text/thrown.js";
import { keepAlive } from "../../tree/keep-alive.js";
import { check, synchronous } from "../check.js";
import { OutputParserError } from "../errors.js";
import { type Chunk, ChunkReader, type Output, textOfOutput } from "../output-parser.js";
import { parseFailure, stoppedEarly, truncatedError, valueAtEnd } from "../truncation.js";
import { PatchLineError } from "./line-error.js";
import { PatchLinesReader, type PatchLinesRules } from "./patch-lines-reader.js";

/** The settings that all views of a parser share. */
export interface PatchLinesSettings {
  readonly rules: PatchLinesRules;
  readonly checks: Checks;
  /** The content that a text must have: "an operation of RFC 6902". */
  readonly expected: string;
  /** `undefined`: the errors end the stream, after the last operation. */
  readonly onLineError: ((error: PatchLineError) => void) | undefined;
  readonly keepTruncated: boolean;
}

interface Checks {
  readonly schema: Schema<unknown> | undefined;
  readonly components: Schema<unknown> | undefined;
}

/** The stage around a reader. Before an error, the view emits what the reader had applied. */
export function patchLinesStage<Out>(
  settings: PatchLinesSettings,
  show: (reader: PatchLinesReader, emit: (value: Out) => void, isLast: boolean) => void,
  finish: (value: unknown, emit: (value: Out) => void) => void = noop,
): Operator<Chunk, Out> {
  return stage((emit, _stop, wait) => {
    keepAlive("patch lines", () => createReaders(settings.rules));
    const errors = new LineErrors(settings.onLineError);
    const reader = new PatchLinesReader(settings.rules, errors.add);
    const chunks = new ChunkReader();
    const readAndShow = (read: () => void, isLast: boolean): void => {
      try {
        read();
      } catch (error) {
        show(reader, emit, true);
        throw outputError(error, reader, chunks.finishReason);
      }
      show(reader, emit, isLast);
    };
    return {
      next: (chunk) => {
        const text = chunks.read(chunk);
        if (text === "") return;
        readAndShow(() => {
          reader.read(text);
        }, false);
      },
      end: () => {
        const { finishReason } = chunks;
        readAndShow(() => {
          reader.finish(stoppedEarly(finishReason));
        }, true);
        const value = documentAtEnd(reader, errors, settings, finishReason);
        const checked = checkAll(settings.checks, value, finishReason);
        if (checked instanceof Promise) {
          wait(
            checked.then((result) => {
              finish(result, emit);
            }),
          );
        } else finish(checked, emit);
      },
    };
  });
}

/** 800 lines after a collection took 29 instead of 77 ms while these stay alive. */
function createReaders(rules: PatchLinesRules): unknown {
  const bounds = { maxLength: Infinity, maxOperations: Infinity };
  const reader = new PatchLinesReader({ ...rules, ...bounds, initial: {}, onRepair: noop }, noop);
  reader.read('{"op":"add","path":"/a","value":{"b":1}}\n{"op":"add","path":"/b","value":{"b":1');
  return [reader, new ChunkReader(), reader.takeEvents()];
}

export function parseAll(settings: PatchLinesSettings, output: Output): unknown {
  const { text, finishReason } = textOfOutput(output);
  const errors = new LineErrors(settings.onLineError);
  const reader = new PatchLinesReader(settings.rules, errors.add);
  try {
    reader.read(text);
    reader.finish(stoppedEarly(finishReason));
  } catch (error) {
    throw outputError(error, reader, finishReason);
  }
  const value = documentAtEnd(reader, errors, settings, finishReason);
  return synchronous(checkAll(settings.checks, value, finishReason), () => ({ value, finishReason }));
}

/** @throws {OutputParserError} if the output was cut, has no operation, or has operations that were not applied */
function documentAtEnd(
  reader: PatchLinesReader,
  errors: LineErrors,
  { keepTruncated, expected, onLineError }: PatchLinesSettings,
  finishReason: FinishReason | undefined,
): JsonValue {
  const value = reader.result();
  const { truncation } = reader;
  if (!keepTruncated && truncation !== undefined) {
    const error = parseFailure(truncation, finishReason);
    throw new OutputParserError(error.code, error.message, { value, finishReason, cause: truncation });
  }
  if (!keepTruncated && stoppedEarly(finishReason)) {
    throw truncatedError("operations may be missing", value, finishReason);
  }
  if (reader.lost !== undefined) onLineError?.(reader.lost);
  errors.check(value, finishReason);
  return valueAtEnd(value, expected, finishReason);
}

function checkAll(
  { schema, components }: Checks,
  value: JsonValue,
  finishReason: FinishReason | undefined,
): unknown {
  return thenOrNow(check(components, value, finishReason), () => check(schema, value, finishReason));
}

function outputError(
  error: unknown,
  reader: PatchLinesReader,
  finishReason: FinishReason | undefined,
): unknown {
  const isThinking = isInstance(error, ListError);
  if (!isThinking && !isInstance(error, PatchLineError)) return error;
  const details = { value: reader.result(), finishReason, cause: error };
  return new OutputParserError(isThinking ? "truncated" : "invalid", error.message, details);
}

/** The errors of operations that nobody listens to. They are thrown at the end. */
class LineErrors {
  private readonly errors: PatchLineError[] = [];
  private count = 0;
  private readonly listener: ((error: PatchLineError) => void) | undefined;

  constructor(listener: ((error: PatchLineError) => void) | undefined) {
    this.listener = listener;
  }

  readonly add = (error: PatchLineError): void => {
    if (this.listener !== undefined) {
      this.listener(error);
      return;
    }
    this.count++;
    if (this.errors.length < maxErrors) this.errors.push(error);
  };

  /** @throws {OutputParserError} */
  check(value: JsonValue | undefined, finishReason: FinishReason | undefined): void {
    const [first] = this.errors;
    if (first === undefined) return;
    const errors = this.errors.map((cause) => {
      const isSchema = cause.code === "schema";
      const issues = isSchema ? [{ pointer: cause.path ?? "", message: cause.message }] : [];
      const details = { value, finishReason, issues, cause };
      return new OutputParserError(isSchema ? "schema" : "invalid", cause.message, details);
    });
    const [only] = errors;
    if (this.count === 1 && only !== undefined) throw only;
    const message = `${this.count} operations were not applied. The first one: ${first.message}`;
    throw new OutputParserError("several", message, { value, finishReason, errors });
  }
}

const maxErrors = 100;
