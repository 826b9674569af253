import type { FinishReason } from "../messages/finish-reason.js";
import { stage } from "../stream/core/stage.js";
import { ChunkReader, type OutputParser, textOfOutput } from "./output-parser.js";
import { truncatedError, stoppedEarly } from "./truncation.js";

/** The options of `textParser()`. */
export interface TextParserOptions {
  /** What to put into the prompt. Default: "Answer in plain text." */
  readonly instructions?: string;
  /**
   * Leave out white space before and after the text. That which may be at its end is held back until more follows.
   * Default: false.
   */
  readonly trim?: boolean;
  /**
   * What to do at the end of a text that the model could not finish, as its finish reason is `length` or
   * `content_filter`: an error, or nothing. Default: "error".
   */
  readonly onTruncated?: "error" | "keep";
}

/** The parser of text: deltas while it arrives, and the whole at the end. */
export type TextOutputParser = OutputParser<string, string>;

/**
 * Reads the text of an output: `.stream` gives what each chunk adds, `parse` all of it. Nothing is kept of what was
 * given.
 *
 * Any text is right, so the one error is `OutputParserError` with `code: "truncated"`, behind the last delta, where the
 * model said that it had to stop. In `parse` its `value` is the text; in `.stream`, where that has been given, it is `""`.
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
export function textParser({
  instructions = "Answer in plain text.",
  trim = false,
  onTruncated = "error",
}: TextParserOptions = {}): TextOutputParser {
  const check = (finishReason: FinishReason | undefined, value: string): void => {
    if (stoppedEarly(finishReason) && onTruncated === "error")
      throw truncatedError("the text is cut", value, finishReason);
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

/** Gives of each piece what is certainly inside of the text, and with it the white space that was held back. */
function trimmer(): (text: string) => string {
  let begun = false;
  let space: string[] = [];
  return (text) => {
    const inner = begun ? text : text.trimStart();
    if (inner === "") return "";
    const end = inner.trimEnd().length;
    if (end === 0) {
      space.push(inner);
      return "";
    }
    const delta = space.join("") + inner.slice(0, end);
    begun = true;
    space = end < inner.length ? [inner.slice(end)] : [];
    return delta;
  };
}
