import type { XmlBuilder } from "../build/builder.js";
import type { XmlRepair, XmlRepairKind } from "../options.js";
import { quoteAt, separatorEnd } from "./attribute.js";
import { endTagsAfter, lookAhead, nameOfTag } from "./markup.js";
import { referenceAt } from "./reference.js";
import {
  ATTRIBUTE_EQUALS,
  ATTRIBUTE_NAME,
  ATTRIBUTE_SPACE,
  ATTRIBUTE_VALUE,
  TAG_SLASH,
} from "./saxes-state.js";
import { WAIT, XmlScanner } from "./scanner.js";

/** Repairs start tags and their attributes. */
export class AttributeScanner extends XmlScanner {
  protected readonly builder: XmlBuilder;
  protected ended = false;
  /** Whether to stop at each character, in a start tag that is cut or needs a repair. */
  protected stepping = false;
  private readonly onRepair: (repair: XmlRepair) => void;
  /** The name of the open start tag. */
  private tagName = "";
  /** Whether the open start tag is one of HTML's that have no content. */
  private isEmpty = false;
  /** The character that ends the open attribute value, or "" if it has no quotes and a space ends it. */
  private quote = "";
  /** Whether saxes was fed an opening quote instead of the written text. */
  private quoted = false;
  /** Whether the open value without quotes has a slash, as in an address. */
  private hasSlash = false;

  constructor(
    builder: XmlBuilder,
    onRepair: (repair: XmlRepair) => void,
    ...scanner: ConstructorParameters<typeof XmlScanner>
  ) {
    super(...scanner);
    this.builder = builder;
    this.onRepair = onRepair;
  }

  override end(rest: string, offset: number): void {
    this.ended = true;
    this.read(rest, offset);
  }

  protected override endOfPiece(i: number): number {
    return this.stepping ? i + 1 : super.endOfPiece(i);
  }

  /** A tag that is cut is withheld, because most tags need no repair and can then be read at once. */
  protected beginTag(i: number, isCorrect: boolean, isEmpty: boolean): number {
    const { text } = this;
    this.isEmpty = isEmpty;
    this.stepping = isEmpty || !isCorrect;
    const isCut = !isCorrect && text.length - i < lookAhead && !text.includes(">", i);
    if (isCut && !this.ended) return WAIT;
    if (this.stepping) this.tagName = nameOfTag(text, i);
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
      if (next > i) return next;
    } else if (reader.state === ATTRIBUTE_VALUE) {
      const next = this.quoted ? this.repairUnquoted(character, i) : this.repairQuoted(character, i);
      if (next !== i || reader.state === ATTRIBUTE_VALUE) return next;
    }
    const isNameEnd = reader.state === ATTRIBUTE_NAME && /[/>]/.test(character);
    if (isNameEnd || (reader.state === ATTRIBUTE_SPACE && !isSpace && character !== "=")) {
      this.report("missing_attribute_value", i);
      this.replaceBy('="" ', i, i);
    }
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
    this.onRepair({ kind, offset: this.offset + i });
  }

  private beginValue(character: string, i: number): number {
    this.quoted = character !== '"' && character !== "'";
    this.quote = character;
    if (!this.quoted) return i;
    this.quote = closingQuotes[character] ?? "";
    this.hasSlash = false;
    this.report("unquoted_attribute", i);
    this.replaceBy('"', i, this.quote === "" ? i : i + 1);
    return this.quote === "" ? this.repairUnquoted(character, i) : i + 1;
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
        return this.replace("attribute_separator", i, separatorEnd(this.text, i), `${character} `);
    }
  }

  /** @returns `i` if this character is to be read by saxes, in the value or after it */
  private repairUnquoted(character: string, i: number): number {
    if (this.quote !== "") {
      if (!this.quote.includes(character)) return this.repairValue(i);
      this.quoted = false;
      return this.replaceBy('"', i, i + 1);
    }
    const isSlash = character === "/";
    if (isSlash && i + 1 === this.text.length && !this.ended) return WAIT;
    let isEnd = character === ">" || /\s/.test(character);
    if (isSlash && this.text[i + 1] === ">") {
      const endsTag = this.endsWithSlash(i);
      if (endsTag === undefined) return WAIT;
      isEnd = endsTag;
    }
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
