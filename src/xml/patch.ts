import type { XmlContent, XmlObject } from "./value.js";

/**
 * An operation that a stream applies to a document: RFC 6902 and `append`, as in `JsonPatchOperation`.
 *
 * - `add`: a child, an attribute or a run of text appears.
 * - `replace`: the document appears (`path: ""`); a text grows; an element that showed its text becomes a list, as a
 *   child follows the text.
 * - `append` (only with the option `append`): a text grows by `value`.
 */
export type XmlPatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: XmlObject | XmlContent }
  | { readonly op: "append"; readonly path: string; readonly value: string };
