import type { JsonGuard } from "./guard.js";
import type { JsonRepair } from "./repair/repair.js";
import type { JsonValue } from "./value.js";

/** The options of `JsonParser`. */
export interface JsonParserOptions {
  /**
   * What may be shown before it is complete: the bit flags of `partial-json`, which are re-exported as `Allow`. Default:
   * `Allow.STR | Allow.ARR | Allow.OBJ`. With `Allow.NUM` a number is shown while it grows (`12` on the way to `1250`;
   * what follows its first 100 characters shows at its end), with `Allow.BOOL` and `Allow.NULL` a literal from its first
   * character on. A kind that is not allowed appears when it is complete.
   */
  readonly allow?: number;
  /** Patch a growing string with `append` and its suffix instead of `replace` and the whole string. Default: false. */
  readonly append?: boolean;
  /**
   * Called during `write()` and `end()` with each value as it completes, the inner ones before those around them, with its
   * JSON Pointer (RFC 6901), also inside a container that `allow` does not show yet. What it throws comes out of that call.
   */
  readonly onComplete?: (pointer: string, value: JsonValue) => void;
  /** What `end()` does inside a document: throw, or keep the value so far with `complete` false. Default: "error". */
  readonly onTruncated?: "error" | "keep";
  /**
   * Where the document stands: `"none"`, the text is the document; `"auto"`, it is somewhere in what a model wrote, and
   * prose, `<think>` blocks and Markdown fences around it are skipped. What begins a document is in docs/json.md. A scalar
   * at the root is then known only at the end. Default: `"none"`.
   */
  readonly extract?: "none" | "auto";
  /**
   * Accept what models really write besides JSON: comments, missing and trailing commas, other quotes or none, Python's
   * literals, and more (docs/repair.md). What is JSON is read as JSON. Default: false.
   */
  readonly repair?: boolean;
  /** Called with each repair, during `write()` and `end()`. */
  readonly onRepair?: (repair: JsonRepair) => void;
  /**
   * Watches the document while it is read: what it must not be ends the reading with an error of the guard's, and some of
   * it may be shown only later (`guardOf()`, docs/schema.md). Default: none.
   */
  readonly guard?: JsonGuard;
  /** How many containers may be open at a time. Default: 1,000. */
  readonly maxDepth?: number;
  /** How many keys one object may have, each counted once: nothing may follow the last of them. Default: 100,000. */
  readonly maxKeys?: number;
  /** How many UTF-16 code units the whole text may have. Default: 67,108,864. */
  readonly maxLength?: number;
}

export const defaultMaxDepth: number = 1_000;
export const defaultMaxKeys: number = 100_000;
export const defaultMaxLength: number = 64 * 1024 * 1024;
