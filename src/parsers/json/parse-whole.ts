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
  const { value, report, violation } = readWhole(options, text, finishReason);
  report();
  const checked = synchronous(check(schema, value, finishReason), () => ({ value, finishReason }));
  // The guard also refuses a text with two readings, such as one with two keys for one member.
  if (violation !== undefined) throw outputError(violation, finishReason);
  return checked;
}

/** What a whole text means. */
interface WholeReading {
  readonly value: JsonValue;
  /** Reports the repairs and coercions of this reading. */
  readonly report: () => void;
  /** Why the guard refuses the value. */
  readonly violation?: SchemaViolation;
}

/**
 * Reads the text as a stream would. Where that fails, the whole text shows more: the first document may have been part
 * of the thinking, and then the text after `</think>` decides.
 */
function readWhole(
  options: JsonParserOptions,
  text: string,
  finishReason: FinishReason | undefined,
): WholeReading {
  try {
    return readFitting(options, ({ onRepair, onCoerce, ...attempt }) => {
      const reports: (() => void)[] = [];
      const parser = new JsonParser({
        ...attempt,
        ...(onRepair && { onRepair: (repair) => reports.push(() => onRepair(repair)) }),
        ...(onCoerce && { onCoerce: (coercion) => reports.push(() => onCoerce(coercion)) }),
      });
      parser.write(text);
      parser.end({ truncated: stoppedEarly(finishReason) });
      return {
        value: jsonAtEnd(parser, finishReason),
        report: () => {
          for (const each of reports) each();
        },
      };
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
  read: (options: JsonParserOptions) => WholeReading,
): WholeReading {
  if (guard === undefined) return read(unguarded);
  const guarded = { ...unguarded, guard };
  try {
    return read(guarded);
  } catch (violation) {
    if (!isInstance(violation, SchemaViolation)) throw violation;
    let first: WholeReading;
    try {
      first = { ...read(unguarded), violation };
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
