import type { JsonValue } from "../../json/value.js";
import type { Metadata } from "./metadata.js";

/** An annotation of a text block. */
export type Annotation = Citation | NonStandardAnnotation;

/** The source of a text, or of a part of it. */
export interface Citation {
  readonly type: "citation";
  readonly url?: string;
  readonly title?: string;
  /** The quoted text of the source. */
  readonly citedText?: string;
  /** The annotated range of the text, in UTF-16 code units. `endIndex` is exclusive. */
  readonly startIndex?: number;
  readonly endIndex?: number;
  /** Other fields of the provider, such as the page of a document. */
  readonly metadata?: Metadata;
}

/** An annotation specific to one provider, unchanged. */
export interface NonStandardAnnotation {
  readonly type: "non_standard_annotation";
  readonly value: JsonValue;
}
