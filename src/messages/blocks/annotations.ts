import type { JsonValue } from "../../json/value.js";
import type { Metadata } from "./metadata.js";

/** A remark on a text. */
export type Annotation = Citation | NonStandardAnnotation;

/** Where a text, or a part of it, comes from. */
export interface Citation {
  readonly type: "citation";
  readonly url?: string;
  readonly title?: string;
  /** What it says there. */
  readonly citedText?: string;
  /** The part of the text that it is about, in UTF-16 code units: from the first to behind the last. */
  readonly startIndex?: number;
  readonly endIndex?: number;
  /** What the provider says besides, such as the page of a document. */
  readonly metadata?: Metadata;
}

/** A remark that only one provider knows, exactly as that provider writes it. */
export interface NonStandardAnnotation {
  readonly type: "non_standard_annotation";
  readonly value: JsonValue;
}
