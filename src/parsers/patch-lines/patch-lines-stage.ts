import type { JsonValue } from "../../json/value.js";
import { ListError } from "../../list/errors.js";
import type { FinishReason } from "../../messages/finish-reason.js";
import { type Schema, thenOrNow } from "../../schema/schema.js";
import { noop } from "../../stream/core/result.js";
import { stage } from "../../stream/core/stage.js";
import type { Operator } from "../../stream/operator.js";
import { isInstance } from "../../text/thrown.js";
import { keepAlive } from "../../tree/keep-alive.js";
import { check, synchronous } from "../check.js";
import { OutputParserError } from "../errors.js";
import type { Chunk, Output } from "../output-parser.js";
import { type ParserEnd, ParserTransform, parseText, type ParserView } from "../parser-transform.js";
import { parseFailure, stoppedEarly, truncatedError, valueAtEnd } from "../truncation.js";
import { PatchLineError } from "./line-error.js";
import { PatchLinesReader, type PatchLinesRules } from "./patch-lines-reader.js";

/** The settings that all views of a parser share. */
export interface PatchLinesSettings {
  readonly rules: PatchLinesRules;
  /** The schemas that check the document at the end, in this order. */
  readonly checks: readonly Schema<unknown>[];
  /** The content that a text must have: "an operation of RFC 6902". */
  readonly expected: string;
}

/** The stage around a reader. Before an error, the view emits what the reader had applied. */
export function patchLinesStage<Out>(
  settings: PatchLinesSettings,
  view: ParserView<PatchLinesReader, Out>,
  finish: (value: unknown, emit: (value: Out) => void) => void = noop,
): Operator<Chunk, Out> {
  const end = {
    ...patchLinesEnd(settings),
    finish(value: JsonValue, finishReason: FinishReason | undefined, emit: (value: Out) => void) {
      const checked = checkAll(settings.checks, value, finishReason);
      return thenOrNow(checked, (result) => {
        finish(result, emit);
      });
    },
  };
  return stage((emit) => {
    keepAlive("patch lines", () => {
      const reader = createReader(settings.rules);
      return [new ParserTransform(reader, view, end, noop), reader.takeEvents()];
    });
    return new ParserTransform(new PatchLinesReader(settings.rules), view, end, emit);
  });
}

/** 800 lines after a collection took 29 instead of 77 ms while it stays alive. */
function createReader(rules: PatchLinesRules): PatchLinesReader {
  const bounds = { maxLength: Infinity, maxOperations: Infinity };
  const reader = new PatchLinesReader({
    ...rules,
    ...bounds,
    initial: {},
    onRepair: noop,
    onLineError: noop,
  });
  reader.write('{"op":"add","path":"/a","value":{"b":1}}\n{"op":"add","path":"/b","value":{"b":1');
  return reader;
}

export function parseAll(settings: PatchLinesSettings, output: Output): unknown {
  const reader = new PatchLinesReader(settings.rules);
  const { value, finishReason } = parseText(reader, patchLinesEnd(settings), output);
  return synchronous(checkAll(settings.checks, value, finishReason), () => ({ value, finishReason }));
}

function patchLinesEnd({
  rules,
  expected,
}: PatchLinesSettings): Pick<ParserEnd<PatchLinesReader, JsonValue, unknown>, "value" | "failure"> {
  return {
    /** @throws {OutputParserError} if the output was cut, has no operation, or has operations that were not applied */
    value(reader, finishReason) {
      const value = reader.result();
      const { truncation } = reader;
      const refused = refusedBy(reader, value, finishReason);
      const isHeard = rules.onLineError !== undefined;
      if (!rules.keepTruncated && (truncation !== undefined || stoppedEarly(finishReason))) {
        const { code, message } =
          truncation === undefined
            ? truncatedError("operations may be missing", value, finishReason)
            : parseFailure(truncation, finishReason);
        const also = isHeard || refused === undefined ? "" : ` ${refused.message}`;
        const details = { value, finishReason, cause: truncation, errors: errorsIn(refused) };
        throw new OutputParserError(code, message + also, details);
      }
      if (reader.lost !== undefined) rules.onLineError?.(reader.lost);
      if (refused !== undefined && (!isHeard || value === undefined)) throw refused;
      return valueAtEnd(value, expected, finishReason);
    },
    failure(error, finishReason, reader) {
      const isThinking = isInstance(error, ListError);
      if (!isThinking && !isInstance(error, PatchLineError)) return error;
      const value = reader.result();
      const errors = errorsIn(refusedBy(reader, value, finishReason));
      const details = { value, finishReason, cause: error, errors };
      return new OutputParserError(isThinking ? "truncated" : "invalid", error.message, details);
    },
  };
}

function checkAll(
  schemas: readonly Schema<unknown>[],
  value: JsonValue,
  finishReason: FinishReason | undefined,
): unknown {
  return schemas.reduce<unknown>(
    (checked, schema) => thenOrNow(checked, () => check(schema, value, finishReason)),
    value,
  );
}

function errorsIn(refused: OutputParserError | undefined): readonly OutputParserError[] {
  if (refused === undefined) return [];
  return refused.code === "several" ? refused.errors : [refused];
}

/** The operations that were refused, as one error. */
function refusedBy(
  reader: PatchLinesReader,
  value: JsonValue | undefined,
  finishReason: FinishReason | undefined,
): OutputParserError | undefined {
  const [first] = reader.errors;
  if (first === undefined) return undefined;
  const errors = reader.errors.map((cause) => {
    const isSchema = cause.code === "schema";
    const issues = isSchema ? [{ pointer: cause.path ?? "", message: cause.message }] : [];
    const details = { value, finishReason, issues, cause };
    return new OutputParserError(isSchema ? "schema" : "invalid", cause.message, details);
  });
  const [only] = errors;
  if (reader.errorCount === 1) return only;
  const message = `${reader.errorCount} operations were not applied. The first one: ${first.message}`;
  return new OutputParserError("several", message, { value, finishReason, errors });
}
