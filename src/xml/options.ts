import type { XmlEvent } from "./events.js";
import type { XmlObject } from "./value.js";

/** The options of `XmlParser`. */
export interface XmlParserOptions {
  /** Whether the attributes are in the value, each as an item `{"@name": value}` before the content. Default: true. */
  readonly attributes?: boolean;
  /** Patch a growing text with `append` and its suffix instead of `replace` and the whole text. Default: false. */
  readonly append?: boolean;
  /**
   * Where the document stands: `"none"`, the text is the document; `"auto"`, it is somewhere in what a model wrote, and
   * what is around it is skipped: prose, `<think>` blocks, Markdown fences, an XML declaration, a document type. What
   * begins a document is in docs/xml.md. Default: `"none"`.
   */
  readonly extract?: "none" | "auto";
  /** With `extract: "auto"`: the names that the root may have; other elements before it are prose. Default: any. */
  readonly root?: string | readonly string[];
  /** Read a bare `&`, `<` or `]]>` in text and a bare `&` or `<` in an attribute as what it is. Default: false. */
  readonly repair?: boolean;
  /** Called with each repair, during `write()` and `end()`. */
  readonly onRepair?: (repair: XmlRepair) => void;
  /** Called during `write()` and `end()` with all that is read; at the end of each, also with a text that goes on. */
  readonly onEvent?: (event: XmlEvent) => void;
  /** Called with each leaf as it is complete, as a path: `{root: [{name: "Alice"}]}`. `addIncrements()` adds them up. */
  readonly onLeaf?: (increment: XmlObject) => void;
  /** What `end()` does inside a document: throw, or keep the value so far with `complete` false. Default: "error". */
  readonly onTruncated?: "error" | "keep";
  /** Whether prefixes must be bound to namespaces (Namespaces in XML 1.0), which the events then name. Default: false. */
  readonly namespaces?: boolean;
  /** How many elements may be open at a time. Default: 1,000. */
  readonly maxDepth?: number;
  /** How many UTF-16 code units one tag, comment, instruction or document type may have. Default: 1,048,576. */
  readonly maxTagLength?: number;
  /** How many UTF-16 code units the whole text may have. Default: 67,108,864. */
  readonly maxLength?: number;
}

/** What was repaired, and where: `offset` counts UTF-16 code units of the whole text from 0. */
export interface XmlRepair {
  readonly kind: XmlRepairKind;
  readonly offset: number;
}

/**
 * - `ampersand`: a `&` that begins none of XML's own references stands for itself: `R&D`, `?a=1&b=2`, `&nbsp;`
 * - `less_than`: a `<` that begins no tag, comment, section or instruction stands for itself: `a < b`, `i<n;`
 * - `section_end`: a `]]>` outside of a CDATA section stands for itself
 * - `extra_document`: with `extract`, another element stands behind the document; it is left out
 */
export type XmlRepairKind = "ampersand" | "less_than" | "section_end" | "extra_document";

export const defaultMaxDepth: number = 1_000;
export const defaultMaxTagLength: number = 1024 * 1024;
export const defaultMaxLength: number = 64 * 1024 * 1024;
