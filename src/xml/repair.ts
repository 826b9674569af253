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
