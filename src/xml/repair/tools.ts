import type { XmlRepairKind } from "../options.js";
import { correctTag, lookAhead, matchAt, referenceAt } from "../scan/markup.js";
import { WAIT, type XmlScanner } from "../scan/scanner.js";

export function reportRepair({ options, offset }: XmlScanner, kind: XmlRepairKind, i: number): void {
  options.onRepair?.({ kind, offset: offset + i });
}

/** Reports a repair, and feeds a text that replaces what is written from `i` to `end`. */
export function replace(
  scanner: XmlScanner,
  kind: XmlRepairKind,
  i: number,
  end: number,
  by: string,
): number {
  reportRepair(scanner, kind, i);
  return scanner.replaceBy(by, i, end);
}

export function repairReference(scanner: XmlScanner, i: number): number {
  const end = referenceAt(scanner.text, i, true);
  if (end === "undecided") return WAIT;
  return end === "bare" ? replace(scanner, "ampersand", i, i + 1, "&amp;") : end;
}

/** The first end tags after this place whose start tags are not there. `isAll`: more text would change nothing. */
export function endTagsFrom(
  { text, ended }: XmlScanner,
  i: number,
  limit: number,
): { readonly names: readonly string[]; readonly isAll: boolean } {
  const known = text.slice(i, i + lookAhead);
  const names = endTagsAfter(known, limit);
  return { names, isAll: names.length === limit || known.length === lookAhead || ended };
}

/** The first of these end tags; "" if the text has no such tag, undefined if only more text can tell. */
export function nextEndTag(scanner: XmlScanner, i: number): string | undefined {
  const {
    names: [first],
    isAll,
  } = endTagsFrom(scanner, i, 1);
  return first ?? (isAll ? "" : undefined);
}

/** Whether the start tag at this place ends its element. */
export function isSelfClosed(text: string, i: number): boolean {
  const end = matchAt(correctTag, text, i);
  return end > 0 ? text[end - 2] === "/" : matchAt(/<[^<>]*\/>/y, text, i) > 0;
}

/** A comment or section that is cut ends with the text: it has no tags. */
const tagOrSection = /<!--[^]*?(?:-->|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)|<(\/?)([^\s<>/!?]+)[^<>]*?(\/?)>/g;

/** The names of the first end tags whose start tags are not in the text. */
function endTagsAfter(text: string, limit: number): string[] {
  const found: string[] = [];
  let opened: string[] = [];
  for (const [, slash, tag, closed] of text.matchAll(tagOrSection)) {
    if (tag === undefined || closed === "/") continue;
    if (slash === "") opened.push(tag);
    else if (opened.includes(tag)) opened.length = opened.lastIndexOf(tag);
    else {
      opened = [];
      if (found.push(tag) === limit) break;
    }
  }
  return found;
}
