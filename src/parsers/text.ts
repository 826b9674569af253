import { checkOptions, type OptionNames } from "../text/check-options.js";
import type { FinishReason } from "../messages/finish-reason.js";
import { stage } from "../stream/core/stage.js";
import type { Operator } from "../stream/operator.js";
import { ChunkReader, textOfOutput, type Chunk, type OutputParser } from "./output-parser.js";
import { truncatedError, stoppedEarly } from "./truncation.js";

/** The options of `textParser()`. */
export interface TextParserOptions {
  /** Text for the prompt. Default: "Answer in plain text." */
  readonly instructions?: string;
  /**
   * Remove white space at the beginning and end of the text. Trailing white space is withheld until more text follows.
   * Default: false.
   */
  readonly trim?: boolean;
  /**
   * Whether to throw at the end of a text that the model could not finish (finish reason `length` or `content_filter`).
   * Default: "error".
   */
  readonly onTruncated?: "error" | "keep";
}

const optionNames = {
  instructions: true,
  trim: true,
  onTruncated: true,
} satisfies OptionNames<TextParserOptions>;

/** A parser of plain text. */
export interface TextOutputParser extends OutputParser<string, string> {
  /** Yields the text that each chunk adds: deltas, not the text so far. */
  readonly stream: Operator<Chunk, string>;
}

/**
 * Parses plain text. `.stream` yields the text that each chunk adds and keeps no copy of it. `parse()` returns the
 * whole text.
 *
 * The only error of a text is an `OutputParserError` with the code `truncated`, after the last delta, if the model had
 * to stop early. Its `value` is the text in `parse()`, and `""` in `.stream`.
 *
 * @throws {TypeError} for an unknown option
 *
 * @example
 * ```ts
 * import { collect, from, pipe, textParser } from "millrace";
 *
 * console.log(await collect(pipe(from(["\n", "Boil ", "water.", "\n"]), textParser({ trim: true }).stream)));
 * ```
 *
 * ```text prints
 * [ 'Boil', ' water.' ]
 * ```
 */
export function textParser(options: TextParserOptions = {}): TextOutputParser {
  checkOptions("textParser()", options, optionNames);
  const { instructions = "Answer in plain text.", trim = false, onTruncated = "error" } = options;
  const check = (finishReason: FinishReason | undefined, value: string): void => {
    if (stoppedEarly(finishReason) && onTruncated === "error")
      throw truncatedError("the text is incomplete", value, finishReason);
  };
  return {
    instructions,
    parse: (output) => {
      const { text, finishReason } = textOfOutput(output);
      const value = trim ? text.trim() : text;
      check(finishReason, value);
      return value;
    },
    stream: stage((emit) => {
      const trimmed = trim ? trimmer() : undefined;
      const chunks = new ChunkReader();
      return {
        next: (chunk) => {
          const text = chunks.read(chunk);
          const delta = trimmed === undefined ? text : trimmed(text);
          if (delta !== "") emit(delta);
        },
        end: () => {
          check(chunks.finishReason, "");
        },
      };
    }),
  };
}

/** Returns a function that trims a text piece by piece. It holds back white space until more text follows. */
function trimmer(): (text: string) => string {
  let hasText = false;
  let space: string[] = [];
  return (text) => {
    const inner = hasText ? text : text.trimStart();
    if (inner === "") return "";
    const end = inner.trimEnd().length;
    if (end === 0) {
      space.push(inner);
      return "";
    }
    const delta = space.join("") + inner.slice(0, end);
    hasText = true;
    space = end < inner.length ? [inner.slice(end)] : [];
    return delta;
  };
}
