import { DocumentType } from "./document-type.js";
import { likelyMarkupAt, markupAt, openingLength, referenceAt, type Markup } from "./markup.js";
import type { Fail } from "./problem.js";
import type { Reader } from "./reader.js";
import type { XmlRepairKind } from "./repair.js";

/** What the scanner is told. */
export interface ScannerOptions {
  readonly repair: boolean;
  /** Whether nothing is read behind the root element. */
  readonly stopsBehindRoot: boolean;
  readonly maxTagLength: number;
  readonly onRepair: ((kind: XmlRepairKind, offset: number) => void) | undefined;
}

/**
 * Goes before saxes: finds the pieces of a document, to know where text can be shown before its end, and what of it must
 * be repaired. It looks at few characters itself (regular expressions find those), feeds saxes all the same, and
 * refuses next to nothing. At most `lookAhead` characters are held back.
 */
export class Scanner {
  /** The root element has ended, and nothing behind it is to be read. */
  done = false;
  /** How many elements are open. */
  depth = 0;
  rootSeen = false;
  private state = CONTENT;
  private readonly options: ScannerOptions;
  private readonly reader: Reader;
  private readonly fail: Fail;

  private text = "";
  /** Where the text stands in the whole text. */
  private offset = 0;
  /** How far it is scanned at most: half a line break or character must wait for the other half. */
  private limit = 0;
  /** How far saxes has been fed. */
  private fed = 0;
  /** What is at this place can be decided only with more text. */
  private waiting = false;

  /** Where the tag, comment and so on began, in the whole text. */
  private markupStart = 0;
  private documentType = new DocumentType();
  private quote = "";
  /** The last character of an unfinished tag. */
  private last = "";
  /** Text was fed that saxes may still hold back. */
  private unshown = false;

  constructor(options: ScannerOptions, reader: Reader, fail: Fail) {
    this.options = options;
    this.reader = reader;
    this.fail = fail;
  }

  /** @returns how much was read; the rest must be given again, with what follows it */
  read(text: string, offset: number): number {
    this.text = text;
    this.offset = offset;
    this.limit = isHalf(text.charCodeAt(text.length - 1)) ? text.length - 1 : text.length;
    this.fed = 0;
    this.waiting = false;
    // Behind half a character saxes would swallow whatever follows it.
    const half = text.search(halfCharacter);
    const isLone = half >= 0 && half < text.length - 1;
    if (isLone) this.limit = half;
    let i = 0;
    while (i < this.limit && !this.waiting && !this.done) i = this.step(i);
    if (this.inMarkup) this.checkLength(i);
    this.feedTo(i);
    if (isLone && i === half && !this.done) {
      this.show();
      this.fail(loneHalf, offset + i);
    }
    return i;
  }

  /** Whether a document may end here. */
  get atRest(): boolean {
    return this.depth === 0 && this.state === CONTENT;
  }

  /** The text has ended: what was held back will not be continued. */
  end(rest: string, offset: number): void {
    if (this.done || rest === "") return;
    // Brackets and line breaks are text; half a tag or reference is nothing yet.
    if (this.depth > 0 && !/^[\]\r]/.test(rest)) return;
    this.text = rest;
    this.offset = offset;
    this.fed = 0;
    this.feedTo(rest.length);
    if (rest.startsWith("<")) this.state = TAG;
  }

  /** Has saxes hand out the text that it has, though the text goes on. */
  show(): void {
    if (!this.unshown || this.depth === 0) return;
    if (this.state === CONTENT) this.reader.showText();
    else if (this.state === SECTION) this.reader.showSection();
    else return;
    this.unshown = false;
  }

  private step(i: number): number {
    switch (this.state) {
      case CONTENT:
        return this.depth === 0 ? this.readOutside(i) : this.readContent(i);
      case TAG:
        return this.readTag(i);
      case QUOTED:
        return this.readQuoted(i);
      case END_TAG:
        return this.readEndTag(i);
      case COMMENT:
        return this.readTo("-->", "-", i);
      case SECTION:
        this.unshown = true;
        return this.readTo("]]>", "]", i);
      case INSTRUCTION:
        return this.readTo("?>", "?", i);
      default:
        return this.readDocumentType(i);
    }
  }

  /** Outside of the root element nothing is repaired. saxes would refuse a text too, but not at its first character. */
  private readOutside(i: number): number {
    outside.lastIndex = i;
    if (!outside.test(this.text) || outside.lastIndex > this.limit) return this.limit;
    const at = outside.lastIndex - 1;
    if (this.text[at] === "<") return this.open(markupAt(this.text, at), at);
    this.feedTo(at);
    return this.fail(textOutside, this.offset + at);
  }

  private readContent(i: number): number {
    const { text } = this;
    this.unshown = true;
    special.lastIndex = i;
    if (!special.test(text) || special.lastIndex > this.limit) return this.limit;
    const at = special.lastIndex - 1;
    switch (text[at]) {
      case "<": {
        const markup = this.options.repair ? likelyMarkupAt(text, at) : markupAt(text, at);
        return markup === "bare" ? this.replace("less_than", at, 1, "&lt;") : this.open(markup, at);
      }
      case "&":
        return this.readReference(at);
      case "]":
        return this.readBracket(at);
      default:
        // No character of XML. What came before it is shown before saxes says so.
        this.feedTo(at);
        this.show();
        return at + 1;
    }
  }

  private readReference(i: number): number {
    const { repair } = this.options;
    switch (referenceAt(this.text, i, repair)) {
      case "reference":
        if (!repair && referenceAt(this.text, i, true) === "bare") {
          // A character that saxes will hardly allow: what came before it is shown before it says so.
          this.feedTo(i);
          this.show();
        }
        return this.text.indexOf(";", i) + 1;
      case "undecided":
        return this.wait(i);
      case "bare":
        if (repair) return this.replace("ampersand", i, 1, "&amp;");
        this.feedTo(i);
        this.show();
        return this.fail(bareAmpersand, this.offset + i);
    }
  }

  /** "]]>" may not stand in text. */
  private readBracket(i: number): number {
    const { text } = this;
    if (text.startsWith("]]>", i)) {
      if (this.options.repair) return this.replace("section_end", i, 3, "]]&gt;");
      this.feedTo(i);
      this.show();
      return i + 3;
    }
    return text.length - i < 3 && "]]".startsWith(text.slice(i)) ? this.wait(i) : i + 1;
  }

  private open(markup: Exclude<Markup, "bare">, i: number): number {
    if (markup === "undecided") return this.wait(i);
    this.markupStart = this.offset + i;
    this.last = "";
    switch (markup) {
      case "tag":
        this.state = TAG;
        this.rootSeen = true;
        break;
      case "comment":
        this.state = COMMENT;
        break;
      case "section":
        this.state = SECTION;
        break;
      case "instruction":
        this.state = INSTRUCTION;
        break;
      case "document_type":
        this.state = DOCUMENT_TYPE;
        this.documentType = new DocumentType();
        break;
      case "unknown":
      case "end_tag":
        this.state = END_TAG;
    }
    return i + openingLength[markup];
  }

  private readTag(i: number): number {
    const { text } = this;
    inTag.lastIndex = i;
    if (!inTag.test(text) || inTag.lastIndex > this.limit) {
      this.last = text.charAt(this.limit - 1);
      return this.limit;
    }
    const at = inTag.lastIndex - 1;
    const found = text.charAt(at);
    if (found !== ">") {
      this.quote = found;
      this.state = QUOTED;
      return at + 1;
    }
    const before = at === 0 ? this.last : text.charAt(at - 1);
    if (before === "/") this.last = "";
    else this.depth++;
    return this.leave(at + 1);
  }

  private readQuoted(i: number): number {
    const { text, quote } = this;
    const pattern = quote === '"' ? inDoubleQuotes : inSingleQuotes;
    pattern.lastIndex = i;
    if (!pattern.test(text) || pattern.lastIndex > this.limit) return this.limit;
    const at = pattern.lastIndex - 1;
    const found = text[at];
    if (found === quote) {
      this.state = TAG;
      this.last = quote;
      return at + 1;
    }
    if (found === "&") return this.readReference(at);
    return this.options.repair ? this.replace("less_than", at, 1, "&lt;") : at + 1;
  }

  private readEndTag(i: number): number {
    const end = this.text.indexOf(">", i);
    if (end < 0 || end >= this.limit) return this.limit;
    this.depth--;
    return this.leave(end + 1);
  }

  /** Of its end not even a part is read before the whole is there. */
  private readTo(end: string, repeated: string, i: number): number {
    const { text } = this;
    const found = text.indexOf(end, i);
    if (found >= 0 && found < this.limit) return this.leave(found + end.length);
    if (found >= 0 || this.limit < text.length) return this.limit;
    let rest = text.length;
    while (rest > i && text.length - rest < end.length - 1 && text[rest - 1] === repeated) rest--;
    return rest < text.length ? this.wait(rest) : this.limit;
  }

  private readDocumentType(i: number): number {
    const end = this.documentType.read(this.text.slice(0, this.limit), i);
    return end < 0 ? this.limit : this.leave(end);
  }

  /** A tag, comment and so on has ended. */
  private leave(i: number): number {
    if (this.state !== SECTION) this.checkLength(i);
    const wasTag = this.state === TAG || this.state === END_TAG;
    this.state = CONTENT;
    this.unshown = false;
    this.done = wasTag && this.depth <= 0 && this.options.stopsBehindRoot;
    return i;
  }

  private get inMarkup(): boolean {
    return this.state !== CONTENT && this.state !== SECTION;
  }

  private checkLength(i: number): void {
    const { maxTagLength } = this.options;
    const end = this.markupStart + maxTagLength;
    if (this.offset + i <= end) return;
    this.feedTo(end - this.offset);
    this.fail(
      {
        code: "max_tag_length",
        problem: `A tag, comment, instruction or document type is longer than maxTagLength, ${maxTagLength}`,
        expected: "its end",
      },
      end,
    );
  }

  private replace(kind: XmlRepairKind, i: number, length: number, by: string): number {
    this.feedTo(i);
    this.reader.feed(by, this.offset + i);
    this.fed = i + length;
    this.options.onRepair?.(kind, this.offset + i);
    return this.fed;
  }

  private wait(i: number): number {
    this.waiting = true;
    return i;
  }

  private feedTo(i: number): void {
    if (i <= this.fed) return;
    const { text, fed } = this;
    this.reader.feed(fed === 0 && i === text.length ? text : text.slice(fed, i), this.offset + fed);
    this.fed = i;
  }
}

const CONTENT = 0; // text, or between elements
const TAG = 1; // <a
const QUOTED = 2; // <a b="
const END_TAG = 3; // </a
const COMMENT = 4; // <!--
const SECTION = 5; // <![CDATA[
const INSTRUCTION = 6; // <?
const DOCUMENT_TYPE = 7; // <!DOCTYPE

/** What text cannot go on with as it is; the last two lines are no characters of XML 1.0. */
const special = /[<&\]\0-\x08\v\f\x0e-\x1f\ufffe\uffff]|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** Neither a line break of XML 1.0 or 1.1 nor a byte order mark, which saxes allows or not. */
const outside = /[^ \t\r\n\u0085\u2028\ufeff]/g;
const inTag = /["'>]/g;
const inDoubleQuotes = /["&<]/g;
const inSingleQuotes = /['&<]/g;

const halfCharacter = /[\ud800-\udbff](?![\udc00-\udfff])/;

const loneHalf = {
  code: "not_well_formed",
  problem: "Expected a character, but found half of one",
  expected: "the other half of the character",
} as const;

const textOutside = {
  code: "text_outside_root",
  problem: "Expected nothing but elements, comments and instructions outside of the root, but found text",
  expected: "no text outside of the root element",
} as const;

const bareAmpersand = {
  code: "invalid_reference",
  problem: 'Expected a reference of XML behind "&", such as &amp; or &#38;',
  expected: "one of the references of XML, such as &amp; or &#38;",
} as const;

/** A carriage return, of which a line feed may follow, or the first half of a character. */
function isHalf(code: number): boolean {
  return code === 0xd || (code >= 0xd800 && code <= 0xdbff);
}
