import type { FinishReason } from "../../messages/finish-reason.js";
import { OutputParserError, type OutputParserErrorCode } from "../errors.js";
import { truncatedError, stoppedEarly } from "../truncation.js";

/** The options of `taggedParser()`. */
export interface TaggedParserOptions<Optional extends string = never> {
  /** Tags that the output may lack. Default: none, so that a missing one is an error. */
  readonly optional?: readonly Optional[];
  /**
   * What to do with a tag that comes again: an error, or skip it with its content. Default: "error".
   */
  readonly repeated?: "error" | "skip";
  /**
   * Whether the last tag must have its end. `"optional"` is for a model that stops there, as when `</answer>` is a stop
   * sequence; an output that was cut by the token limit or a content filter is an error all the same. Default: "required".
   */
  readonly closing?: "required" | "optional";
  /** What to put into the prompt. Default: the tags, and what each parser asks for. */
  readonly instructions?: string;
}

/** What an error says besides what is wrong. */
export interface Known {
  /** The results so far, where they are kept. */
  readonly results?: ReadonlyMap<string, unknown>;
  readonly finishReason: FinishReason | undefined;
}

/** Which tags an output must have, and how often. */
export class TagRules {
  private readonly required: readonly string[];
  private readonly repeated: "error" | "skip";
  private readonly closing: "required" | "optional";

  constructor(names: readonly string[], options: TaggedParserOptions<string>) {
    const optional = new Set(options.optional);
    this.required = names.filter((name) => !optional.has(name));
    this.repeated = options.repeated ?? "error";
    this.closing = options.closing ?? "required";
  }

  checkRepeated(tag: string, known: Known): void {
    if (this.repeated === "skip") return;
    throw tagError("invalid", `Expected <${tag}> once, but it came again.`, known);
  }

  /** @param open the tag that has no end */
  checkEnd(seen: { has(tag: string): boolean }, open: string | undefined, known: Known): void {
    const { finishReason } = known;
    const missing = this.required.filter((tag) => !seen.has(tag));
    const names = missing.map((tag) => `<${tag}>`).join(", ");
    if (stoppedEarly(finishReason) && (open !== undefined || missing.length > 0)) {
      const what = open === undefined ? `it lacks ${names}` : `</${open}> is missing`;
      throw truncatedError(what, valueOf(known), finishReason);
    }
    if (open !== undefined && this.closing === "required") {
      throw tagError("truncated", `Expected </${open}>, but the output ended before it.`, known);
    }
    if (missing.length > 0)
      throw tagError("invalid", `Expected ${names}, but the output has no such tag.`, known);
  }
}

/** An error of the parser of a tag, as that of the output. Any other error stays what it is. */
export function errorOfTag(tag: string, error: unknown, known: Known): unknown {
  if (!(error instanceof OutputParserError)) return error;
  return new OutputParserError(error.code, `In <${tag}>: ${error.message}`, {
    issues: error.issues,
    errors: error.errors,
    finishReason: error.finishReason ?? known.finishReason,
    value: { ...valueOf(known), [tag]: error.value },
    cause: error,
  });
}

function tagError(code: OutputParserErrorCode, message: string, known: Known): OutputParserError {
  return new OutputParserError(code, message, {
    value: valueOf(known),
    finishReason: known.finishReason,
  });
}

function valueOf({ results }: Known): object | undefined {
  return results === undefined ? undefined : Object.fromEntries(results);
}
