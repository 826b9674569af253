import { lookAhead } from "./markup.js";

/**
 * The meaning of a quote in an attribute value that has such quotes.
 *
 * - `end`: it ends the value
 * - `separator`: it ends the value, but there is no space before the next attribute, or a comma: `a="1"b="2"`
 * - `inner`: it is part of the value, and another quote ends it: `title="say "hi" now"`
 */
export type AttributeQuote = "end" | "separator" | "inner" | "undecided";

const name = "[A-Za-z_:\\u0080-\\uffff][-.0-9A-Za-z_:\\u0080-\\uffff]*";
const end = new RegExp(`\\s*(?:/\\s*)?>|(?:\\s+${name}){1,3}\\s*(?:=|/?>)`, "y");
const separator = new RegExp(`(?:\\s*,\\s*)?(?=${name}\\s*=\\s*["'])`, "y");
const partOfEnd = new RegExp(`^(?:\\s*/?\\s*|[\\s,]*(?:${name}\\s*){0,3}=?\\s*/?)$`);

export function quoteAt(text: string, i: number): AttributeQuote {
  end.lastIndex = i + 1;
  if (end.test(text)) return "end";
  if (separatorEnd(text, i) > 0) return "separator";
  const known = text.slice(i + 1, i + lookAhead);
  const isCut = known.length < lookAhead - 1;
  if (isCut && partOfEnd.test(known)) return "undecided";
  const rest = known.split(">", 1)[0] as string;
  if (rest.includes(text.charAt(i))) return "inner";
  return isCut && rest === known ? "undecided" : "end";
}

/** Where the next attribute begins after a quote with the meaning `separator`. */
export function separatorEnd(text: string, i: number): number {
  separator.lastIndex = i + 1;
  return separator.test(text) ? separator.lastIndex : 0;
}
