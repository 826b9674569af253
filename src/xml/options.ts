import { positive } from "../text/check-number.js";
import type { XmlEvent } from "./events.js";
import type { XmlObject } from "./value.js";

/** The options of `XmlParser`. */
export interface XmlParserOptions {
  /** Whether the value contains attributes, each as an item `{"@name": value}` before the content. Default: true. */
  readonly attributes?: boolean;
  /**
   * Whether patches grow a text by `append` and its suffix, instead of `replace` and the whole text. Default: false.
   */
  readonly append?: boolean;
  /**
   * Where the document is. `"none"`: the text is the document. `"auto"`: the document is somewhere in the text, and
   * what is around it is skipped: prose, `<think>` blocks, Markdown fences, an XML declaration, a document type.
   * docs/reference/xml.md says how its start is found. Default: `"none"`.
   */
  readonly extract?: "none" | "auto";
  /** With `extract: "auto"`: the names that the root may have. Other elements before it are skipped. Default: any. */
  readonly root?: string | readonly string[];
  /** Whether to repair what models write: each `XmlRepairKind` except `extra_document`. Default: false. */
  readonly repair?: boolean;
  /** Called for each repair, during `write()` and `end()`. */
  readonly onRepair?: (repair: XmlRepair) => void;
  /** Called for everything that is read, during `write()` and `end()`. A text is reported in pieces while it grows. */
  readonly onEvent?: (event: XmlEvent) => void;
  /**
   * Called with each finished leaf as a nested path: `{root: [{name: "Alice"}]}`. `addIncrements()` adds them up. With
   * `onTruncated: "keep"`, a text that is open at the end is the last one.
   */
  readonly onLeaf?: (increment: XmlObject) => void;
  /** Whether `end()` inside a document throws, or keeps the value so far with `complete` false. Default: "error". */
  readonly onTruncated?: "error" | "keep";
  /** Whether prefixes must be bound (Namespaces in XML 1.0). Events then have the namespace. Default: false. */
  readonly namespaces?: boolean;
  /** How many elements may be open at the same time. Default: 1,000. */
  readonly maxDepth?: number;
  /** How many UTF-16 code units one tag, comment, instruction or document type may have. Default: 1,048,576. */
  readonly maxTagLength?: number;
  /** How many UTF-16 code units the whole text may have. Default: 67,108,864. */
  readonly maxLength?: number;
}

/** A repair. `offset` is its place in the whole text, in UTF-16 code units from 0. */
export interface XmlRepair {
  readonly kind: XmlRepairKind;
  readonly offset: number;
}

/**
 * - `ampersand`: a `&` that begins no reference of XML was read as text: `R&D`, `?a=1&b=2`, `&nbsp;`
 * - `less_than`: a `<` that begins no tag, comment, section or instruction was read as text: `a < b`, `i<n;`
 * - `section_end`: a `]]>` outside of a CDATA section was read as text
 * - `missing_end_tag`: an element was closed by the end tag of an element around it, or by its next sibling:
 *   `<a><b>1</a>`, `<li>1<li>2</ul>`
 * - `end_tag_name`: an end tag differed from its start tag by case, or was written as `</ a>` or `</a id="1">`
 * - `void_element`: a `<br>`, `<img src="…">` or `<input type="text">` was read as an element without content
 * - `extra_end_tag`: the end tag of such an element was skipped, or of one that was closed before: `<b><i>1</b></i>`
 * - `comment_hyphen`: a second hyphen in a comment was skipped
 * - `control_character`: a character that XML does not allow was read as U+FFFD
 * - `unquoted_attribute`: `<a id=1>` and `<a id=“1”>` were read as `<a id="1">`
 * - `attribute_quote`: a quote in a value was read as text: `title="say "hi" now"`
 * - `attribute_separator`: a missing space or a comma between attributes: `<a b="1"c="2">`, `<a b="1", c="2">`
 * - `missing_attribute_value`: `<a disabled>` was read as `<a disabled="">`
 * - `extra_document`: with `extract`, another element after the document was skipped
 */
export type XmlRepairKind =
  | "ampersand"
  | "less_than"
  | "section_end"
  | "missing_end_tag"
  | "end_tag_name"
  | "void_element"
  | "extra_end_tag"
  | "comment_hyphen"
  | "control_character"
  | "unquoted_attribute"
  | "attribute_quote"
  | "attribute_separator"
  | "missing_attribute_value"
  | "extra_document";

/** The options with all bounds. */
export type XmlSettings = XmlParserOptions &
  Required<Pick<XmlParserOptions, "maxDepth" | "maxTagLength" | "maxLength">>;

/** @throws {RangeError} if a bound is not a positive number */
export function xmlSettings(options: XmlParserOptions): XmlSettings {
  return {
    ...options,
    maxDepth: positive("maxDepth", options.maxDepth ?? 1_000),
    maxTagLength: positive("maxTagLength", options.maxTagLength ?? 1024 * 1024),
    maxLength: positive("maxLength", options.maxLength ?? 64 * 1024 * 1024),
  };
}
