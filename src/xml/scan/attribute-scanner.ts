import type { XmlRepairKind } from "../options.js";
import { endTagsAfter, lookAhead, matchAt, name, nameOfTag, referenceAt, space } from "./markup.js";
import {
  ATTRIBUTE_EQUALS,
  ATTRIBUTE_NAME,
  ATTRIBUTE_SPACE,
  ATTRIBUTE_VALUE,
  TAG_SLASH,
} from "./tokenizer.js";
import { WAIT, XmlScanner } from "./scanner.js";

/** Repairs start tags and their attributes. */
export class AttributeScanner extends XmlScanner {
  /** Whether to stop at each character, in a start tag that is cut or needs a repair. */
  protected stepping = false;
  /** The name of the open start tag. */
  private tagName = "";
  /** Whether the open start tag is one of HTML's that have no content. */
  private isEmpty = false;
  /** The characters that end the open attribute value, or "" if it has no quotes and a space ends it. */
  private quote = "";
  /** Whether an opening quote was fed instead of the written text. */
  private quoted = false;
  /** Whether the open value without quotes has a slash, as in an address. */
  private hasSlash = false;

  protected override endOfPiece(i: number): number {
    return this.stepping ? i + 1 : super.endOfPiece(i);
  }

  /** A tag that is cut is withheld, because most tags need no repair and can then be read at once. */
  protected beginTag(i: number, isCorrect: boolean, isEmpty: boolean): number {
    const { text } = this;
    const isCut = !isCorrect && text.length - i < lookAhead && !text.includes(">", i);
    if (isCut && !this.ended) return WAIT;
    this.isEmpty = isEmpty;
    this.stepping = isEmpty || !isCorrect;
    this.tagName = nameOfTag(text, i);
    return i;
  }

  /** Between the `<` of a start tag and its end. */
  protected repairTag(i: number): number {
    if (!this.stepping) return i;
    const { reader, text } = this;
    const character = text.charAt(i);
    const isSpace = /\s/.test(character);
    if (reader.state === ATTRIBUTE_EQUALS && !isSpace) {
      const next = this.beginValue(character, i);
      if (next !== i) return next;
    } else if (reader.state === ATTRIBUTE_VALUE) {
      const next = this.quoted ? this.repairUnquoted(character, i) : this.repairQuoted(character, i);
      if (next !== i || reader.state === ATTRIBUTE_VALUE) return next;
    }
    const isNameEnd = reader.state === ATTRIBUTE_NAME && /[/>]/.test(character);
    if (isNameEnd || (reader.state === ATTRIBUTE_SPACE && !isSpace && character !== "="))
      this.replace("missing_attribute_value", i, i, '="" ');
    if (reader.state === TAG_SLASH && isSpace) return this.replaceBy("", i, i + 1);
    if (this.isEmpty && character === ">") {
      this.isEmpty = false;
      if (reader.state !== TAG_SLASH) {
        this.report("void_element", reader.markupStart - this.offset);
        this.replaceBy("/", i, i);
      }
    }
    return i;
  }

  protected repairReference(i: number): number {
    const end = referenceAt(this.text, i, true);
    if (end === "undecided") return WAIT;
    return end === "bare" ? this.replace("ampersand", i, i + 1, "&amp;") : end;
  }

  /** The first end tags after this place whose start tags are not there. `isAll`: more text would change nothing. */
  protected endTagsFrom(
    i: number,
    limit: number,
  ): { readonly names: readonly string[]; readonly isAll: boolean } {
    const known = this.text.slice(i, i + lookAhead);
    const names = endTagsAfter(known, limit);
    return { names, isAll: names.length === limit || known.length === lookAhead || this.ended };
  }

  /** Feeds a replacement for what is written from `i` to `end`. */
  protected replace(kind: XmlRepairKind, i: number, end: number, by: string): number {
    this.report(kind, i);
    return this.replaceBy(by, i, end);
  }

  protected report(kind: XmlRepairKind, i: number): void {
    this.options.onRepair?.({ kind, offset: this.offset + i });
  }

  private beginValue(character: string, i: number): number {
    this.quoted = character !== '"' && character !== "'";
    this.quote = character;
    if (!this.quoted) return i;
    this.quote = closingQuotes[character] ?? "";
    this.hasSlash = false;
    const isTypographic = this.quote !== "";
    this.replace("unquoted_attribute", i, isTypographic ? i + 1 : i, '"');
    return isTypographic ? i + 1 : this.repairUnquoted(character, i);
  }

  private repairQuoted(character: string, i: number): number {
    if (character !== this.quote) return this.repairValue(i);
    switch (quoteAt(this.text, i)) {
      case "end":
        return i;
      case "undecided":
        return this.ended ? i : WAIT;
      case "inner":
        return this.replace("attribute_quote", i, i + 1, character === '"' ? "&quot;" : "&apos;");
      case "separator":
        return this.replace("attribute_separator", i, matchAt(separator, this.text, i + 1), `${character} `);
    }
  }

  /** @returns `i` if this character is to be read by the tokenizer, in the value or after it */
  private repairUnquoted(character: string, i: number): number {
    if (this.quote !== "") {
      if (!this.quote.includes(character)) return this.repairValue(i);
      this.quoted = false;
      return this.replaceBy('"', i, i + 1);
    }
    const isSlash = character === "/";
    if (isSlash && i + 1 === this.text.length && !this.ended) return WAIT;
    const isEnd =
      isSlash && this.text[i + 1] === ">" ? this.endsWithSlash(i) : character === ">" || /\s/.test(character);
    if (isEnd === undefined) return WAIT;
    if (!isEnd) {
      this.hasSlash ||= isSlash;
      return this.repairValue(i);
    }
    this.replaceBy('"', i, i);
    this.quoted = false;
    return i;
  }

  /** Whether a `/>` after a value without quotes is the end of an element: of `<a href=http://a.b/>c</a>` it is not. */
  private endsWithSlash(i: number): boolean | undefined {
    if (!this.hasSlash) return true;
    const { names, isAll } = this.endTagsFrom(i + 2, 1);
    if (names[0] === undefined && !isAll) return undefined;
    return names[0] !== this.tagName || this.builder.path.includes(this.tagName);
  }

  private repairValue(i: number): number {
    switch (this.text[i]) {
      case "&":
        return this.repairReference(i);
      case "<":
        return this.replace("less_than", i, i + 1, "&lt;");
      case '"':
        return this.quoted ? this.replaceBy("&quot;", i, i + 1) : i;
      default:
        return i;
    }
  }
}

/** Typographic quotes, and what closes them. */
const closingQuotes: Readonly<Record<string, string>> = {
  "“": "”“",
  "”": "”",
  "„": "“”",
  "‘": "’‘",
  "’": "’",
  "«": "»",
};

// `space` and `name` have no character in common: one that both match would be tried in all ways.
const endOfValue = new RegExp(`${space}*(?:/${space}*)?>|(?:${space}+${name}){1,3}${space}*(?:=|/?>)`, "y");
const separator = new RegExp(`(?:${space}*,${space}*)?(?=${name}${space}*=${space}*["'])`, "y");
const partOfEnd = new RegExp(
  `^(?:${space}*(?:/${space}*)?|[ \\t\\r\\n,]*(?:${name}${space}+){0,2}(?:${name}${space}*)?(?:=${space}*)?/?)$`,
);

/**
 * The meaning of a quote in an attribute value that has such quotes.
 *
 * - `end`: it ends the value
 * - `separator`: it ends the value, but there is no space before the next attribute, or a comma: `a="1"b="2"`
 * - `inner`: it is part of the value, and another quote ends it: `title="say "hi" now"`
 */
function quoteAt(text: string, i: number): "end" | "separator" | "inner" | "undecided" {
  const known = text.slice(i, i + lookAhead);
  if (matchAt(endOfValue, known, 1) > 0) return "end";
  if (matchAt(separator, known, 1) > 0) return "separator";
  const after = known.slice(1);
  const isCut = known.length < lookAhead;
  if (isCut && partOfEnd.test(after)) return "undecided";
  const rest = after.split(">", 1)[0] as string;
  if (rest.includes(text.charAt(i))) return "inner";
  return isCut && rest === after ? "undecided" : "end";
}
