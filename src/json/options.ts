import type { JsonCoercion } from "./coercion.js";
import type { JsonGuard } from "./guard.js";
import type { DocumentSearch } from "./extraction.js";
import type { Built, JsonListener } from "./handler.js";
import type { JsonRepair } from "./repair.js";
import type { JsonScanner } from "./scan/json-scanner.js";
import type { Nesting } from "./scan/nesting.js";
import type { Position } from "./scan/position.js";
import type { ShortCuts } from "./scan/short-cuts.js";
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
   * Called during `write()` and `end()` with each complete value, its JSON Pointer (RFC 6901), and whether it is an
   * element of an array. Inner values come before the containers around them. Includes values in containers that
   * `allow` does not show yet. Errors that it throws are thrown by `write()` or `end()`.
   */
  readonly onComplete?: (pointer: string, value: JsonValue, isElement: boolean) => void;
  /** Whether `end()` throws inside a document, or keeps the value so far with `complete` false. Default: "error". */
  readonly onTruncated?: "error" | "keep";
  /**
   * Finds the document, if the value `extract` is passed: prose, `<think>` blocks and Markdown fences around it are
   * skipped (docs/reference/json.md has the rules). A scalar at the root is then known only at the end. Default: the
   * text is the document.
   */
  readonly extract?: Extract;
  /**
   * Whether the prompt has opened a `<think>`, so the text begins in the model's reasoning. With `extract` all text
   * before `</think>` is skipped, and a text without it contains no document. Default: false.
   */
  readonly openThinking?: boolean;
  /**
   * Repairs common mistakes of models, if the value `repair` is passed: comments, missing and trailing commas, single
   * quotes or none, Python literals, and more (docs/reference/repair.md). Valid JSON is never changed. The value
   * `rawStrings` repairs only raw line breaks and tabs in strings. Default: only JSON is accepted.
   */
  readonly repair?: RepairMode;
  /**
   * Reads similar documents faster, if the value `fast` is passed. What is read stays the same. Default: each character
   * is read on its own.
   */
  readonly fast?: CreateShortCuts;
  /**
   * How many characters `repair` reads ahead to decide where a string or value ends. They are withheld until then.
   * Default: 256.
   */
  readonly lookAhead?: number;
  /** Called with each repair, during `write()` and `end()`. */
  readonly onRepair?: (repair: JsonRepair) => void;
  /**
   * Checks the document while it is read. An invalid value throws the guard's error, and a guard may delay when a value
   * is shown (`guardOf()`, docs/reference/schema.md). Default: none.
   */
  readonly guard?: JsonGuard;
  /**
   * Read values as the guard's schema expects them, where it does not allow them as written: `"$1,234.50"` as 1234.5,
   * `"RED"` as `"red"`, one value as a list of one (docs/reference/coercion.md). A value whose reading is uncertain is
   * withheld. A value that the schema allows is never changed. Needs a `guard` that coerces, such as one of
   * `guardOf()`. Default: true with `repair`, else false.
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

/** The options of a parser, and of a handler that follows the document of the result. */
export interface WatchedOptions extends JsonParserOptions {
  /** Creates the handler in front of the guard. It does not see documents that the parser only tries. */
  readonly watch?: ((next: JsonListener) => JsonListener) | undefined;
}

/** Receives each complete value of a document. */
export type OnComplete = NonNullable<JsonParserOptions["onComplete"]>;

/** Finds the document. The value is `extract`. */
export type Extract = (options: JsonParserOptions, document: DocumentParts) => DocumentSearch;

/** The document of a parser: its scanner, and what was read of it. */
export interface DocumentParts {
  readonly scanner: JsonScanner;
  readonly builder: Built;
}

/** Reads text that is nearly JSON. The values are `repair` and `rawStrings`. */
export interface RepairMode {
  /** Does it read text whose structure is not that of JSON? */
  readonly lenient: boolean;
  createScanner(context: ScannerContext): JsonScanner;
}

/** What a scanner works with. */
export interface ScannerContext {
  readonly options: JsonParserOptions;
  /** The guard, or else the builder. Is told what is read, and asked for errors and bounds. */
  readonly handler: JsonListener;
  /** Builds the value. Without a guard, short cuts put values into it. */
  readonly builder: Built;
  /** Called with the offset of a control character in a string. Without it such a character is an error. */
  readonly onRawControl?: ((offset: number) => void) | undefined;
}

/** Creates short cuts for a scanner. The value is `fast`. */
export type CreateShortCuts = (context: ShortCutContext) => ShortCuts;

/** What short cuts work with. */
export interface ShortCutContext {
  readonly options: JsonParserOptions;
  readonly builder: Built;
  readonly nesting: Nesting;
  readonly position: Position;
  /** What must follow a quote that certainly ends a string, as a part of a regular expression. Default: nothing. */
  readonly afterString?: string;
}

/** Does a guard coerce values? By default it does where the text is repaired. */
export function coerces(options: JsonParserOptions): boolean {
  return options.coerce ?? isLenient(options);
}

export function isLenient({ repair }: { readonly repair?: RepairMode | undefined }): boolean {
  return repair?.lenient === true;
}

export const defaultLookAhead: number = 256;
export const defaultMaxLength: number = 64 * 1024 * 1024;
