import type { FinishReason } from "../../messages/finish-reason.js";
import { OutputParserError, type OutputParserErrorCode } from "../errors.js";
import { truncatedError, stoppedEarly } from "../truncation.js";
import { isInstance } from "../../text/thrown.js";

/** The options of `taggedParser()`. */
export interface TaggedParserOptions<Optional extends string = never> {
  /** Tags that may be absent. Default: none, so a missing tag is an error. */
  readonly optional?: readonly Optional[];
  /** The reaction to a repeated tag: end with an error, or skip it with its content. Default: "error". */
  readonly repeated?: "error" | "skip";
  /**
   * Whether the last tag must be closed. Use `"optional"` for a model that stops before the closing tag, for example
   * because `</answer>` is a stop sequence. An output that ends because of the token limit or a content filter is an
   * error in any case. Default: "required".
   */
  readonly closing?: "required" | "optional";
  /** Text for the prompt. Default: the tags, and the instructions of each parser. */
  readonly instructions?: string;
}

/** The context that an error carries. */
export interface TaggedContext {
  /** The results so far. Streams keep none. */
  readonly results?: ReadonlyMap<string, unknown>;
  readonly finishReason: FinishReason | undefined;
}

/** Checks which tags an output has, and how often. */
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

  checkRepeated(tag: string, context: TaggedContext): void {
    if (this.repeated === "skip") return;
    throw tagError("invalid", `Expected <${tag}> once, but the output repeats it.`, context);
  }

  /** @param open the tag that is not closed */
  checkEnd(seen: { has(tag: string): boolean }, open: string | undefined, context: TaggedContext): void {
    const { finishReason } = context;
    const missing = this.required.filter((tag) => !seen.has(tag));
    const names = missing.map((tag) => `<${tag}>`).join(", ");
    if (stoppedEarly(finishReason) && (open !== undefined || missing.length > 0)) {
      const what = open === undefined ? `${names} is missing` : `</${open}> is missing`;
      throw truncatedError(what, valueOf(context), finishReason);
    }
    if (open !== undefined && this.closing === "required") {
      throw tagError("truncated", `Expected </${open}>, but the output ended before it.`, context);
    }
    if (missing.length > 0)
      throw tagError("invalid", `Expected ${names}, but the output does not contain it.`, context);
  }
}

/** Adds the tag to an error of its parser. Returns other errors unchanged. */
export function tagParserError(tag: string, error: unknown, context: TaggedContext): unknown {
  if (!isInstance(error, OutputParserError)) return error;
  return new OutputParserError(error.code, `In <${tag}>: ${error.message}`, {
    issues: error.issues,
    errors: error.errors,
    finishReason: error.finishReason ?? context.finishReason,
    value: { ...valueOf(context), [tag]: error.value },
    cause: error,
  });
}

function tagError(code: OutputParserErrorCode, message: string, context: TaggedContext): OutputParserError {
  return new OutputParserError(code, message, {
    value: valueOf(context),
    finishReason: context.finishReason,
  });
}

function valueOf({ results }: TaggedContext): object | undefined {
  return results === undefined ? undefined : Object.fromEntries(results);
}
