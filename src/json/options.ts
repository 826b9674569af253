import type { JsonCoercion } from "./coercion.js";
import type { JsonGuard } from "./guard.js";
import type { JsonRepair } from "./repair.js";
import type { JsonValue } from "./value.js";

/** The options of `JsonParser`. */
export interface JsonParserOptions {
  /**
   * The kinds of values that are shown before they are complete: the bit flags of `partial-json`, re-exported as
   * `Allow`. With `Allow.NUM` an incomplete number is shown (`12` of `1250`; after 100 characters it is shown again
   * when it is complete). With `Allow.BOOL` and `Allow.NULL` a literal is shown from its first character on. Default:
   * `Allow.STR | Allow.ARR | Allow.OBJ`.
   */
  readonly allow?: number;
  /** Patch a growing string with `append` and its suffix instead of `replace` and the whole string. Default: false. */
  readonly append?: boolean;
  /**
   * Called during `write()` and `end()` with each complete value and its JSON Pointer (RFC 6901). Inner values come
   * before the containers around them. Includes values in containers that `allow` does not show yet. Errors that it
   * throws are thrown by `write()` or `end()`.
   */
  readonly onComplete?: (pointer: string, value: JsonValue) => void;
  /** Whether `end()` throws inside a document, or keeps the value so far with `complete` false. Default: "error". */
  readonly onTruncated?: "error" | "keep";
  /**
   * How to find the document. `"none"`: the text is the document. `"auto"`: prose, `<think>` blocks and Markdown fences
   * around the document are skipped (docs/json.md has the rules); a scalar at the root is then known only at the end.
   * Default: `"none"`.
   */
  readonly extract?: "none" | "auto";
  /**
   * Whether the prompt has opened a `<think>`, so the text begins in the model's reasoning. With `extract: "auto"` all
   * text before `</think>` is skipped, and a text without it contains no document. Default: false.
   */
  readonly openThinking?: boolean;
  /**
   * Repair common mistakes of models: comments, missing and trailing commas, single quotes or none, Python literals,
   * and more (docs/repair.md). Valid JSON is never changed. `"strings"`: only raw line breaks and tabs in strings.
   * Default: false.
   */
  readonly repair?: boolean | "strings";
  /**
   * How many characters `repair` reads ahead to decide where a string or value ends. They are withheld until then.
   * Default: 256.
   */
  readonly lookAhead?: number;
  /** Called with each repair, during `write()` and `end()`. */
  readonly onRepair?: (repair: JsonRepair) => void;
  /**
   * Checks the document while it is read. An invalid value throws the guard's error, and a guard may delay when a value
   * is shown (`guardOf()`, docs/schema.md). Default: none.
   */
  readonly guard?: JsonGuard;
  /**
   * Read values as the guard's schema expects them, where it does not allow them as written: `"$1,234.50"` as 1234.5,
   * `"RED"` as `"red"`, one value as a list of one (docs/coercion.md). A value whose reading is uncertain is withheld.
   * A value that the schema allows is never changed. Needs a `guard` that coerces, such as one of `guardOf()`.
   * Default: true with `repair: true`, else false.
   */
  readonly coerce?: boolean;
  /**
   * The locale of numbers in strings, a BCP 47 tag such as `"de"`. It decides texts that can be read in two ways, such
   * as `"1.234"`. Default: none, and such a text is refused.
   */
  readonly locale?: string;
  /** Called with each coercion, during `write()` and `end()`. */
  readonly onCoerce?: (coercion: JsonCoercion) => void;
  /** The maximum number of open containers. Default: 1,000. */
  readonly maxDepth?: number;
  /**
   * The maximum number of keys of an object. Duplicates count once. No key may follow the last one. Default: 100,000.
   */
  readonly maxKeys?: number;
  /** The maximum length of the whole text, in UTF-16 code units. Default: 67,108,864. */
  readonly maxLength?: number;
}

/** Options of parsers that share what `fast/` learns from their documents. */
export interface SharingOptions extends JsonParserOptions {
  readonly [shared]?: { keys?: unknown };
}

export const shared: unique symbol = Symbol("shared");

/** Whether a guard coerces values. By default it does where the text is repaired. */
export function coerces({ repair, coerce = repair === true }: JsonParserOptions): boolean {
  return coerce;
}

export const defaultLookAhead: number = 256;
export const defaultMaxDepth: number = 1_000;
export const defaultMaxKeys: number = 100_000;
export const defaultMaxLength: number = 64 * 1024 * 1024;
