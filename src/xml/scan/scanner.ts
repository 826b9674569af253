import { DocumentType } from "./document-type.js";
import {
  characterAt,
  likelyMarkupAt,
  lookAhead,
  markupAt,
  openingLength,
  referenceAt,
  type Markup,
} from "./markup.js";
import { CUT, NOT_PLAIN, PlainTag } from "./plain-tag.js";
import type { Fail } from "../problem.js";
import type { Reader } from "./reader.js";
import type { XmlRepairKind } from "../repair.js";

/** What the scanner is told. */
export interface ScannerOptions {
  readonly repair: boolean;
  /** Whether nothing is read behind the root element. */
  readonly stopsBehindRoot: boolean;
  readonly maxTagLength: number;
  readonly onRepair: ((kind: XmlRepairKind, offset: number) => void) | undefined;
}

/**
 * Finds the pieces of a document, and says who reads each. Within the root element, text, the references of XML and plain
 * tags are read here: nothing in them could be refused. All else goes to saxes: the root's own tags, what is around them,
 * comments, instructions, sections, and whatever may be wrong. Text is handed on as soon as it is read; at most `lookAhead`
 * characters are held back.
 */
export class Scanner {
  /** The root element has ended, and nothing behind it is to be read. */
  done = false;
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
  /** How far it has been handed on. In content it is text that was read, but is not handed on. */
  private fed = 0;
  /** What is at this place can be decided only with more text. */
  private waiting = false;

  /** Where the tag, comment and so on began, in the whole text. */
  private markupStart = 0;
  private readonly tag = new PlainTag();
  private documentType = new DocumentType();
  private quote = "";
  /** Text that was read and is not handed on yet. */
  private run = "";
  /** saxes may hold back a part of the section. */
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
    let i = 0;
    while (i < this.limit && !this.waiting && !this.done) i = this.step(i);
    if (this.inMarkup) this.checkLength(i);
    this.handOnText();
    this.feedTo(i);
    return i;
  }

  /** Whether a document may end here. */
  get atRest(): boolean {
    return this.reader.depth === 0 && this.state === CONTENT;
  }

  /** The text has ended: what was held back will not be continued. */
  end(rest: string, offset: number): void {
    if (this.done || rest === "") return;
    const { reader } = this;
    // Brackets and line breaks are text; half a tag or reference is nothing yet.
    if (reader.depth > 0 && !/^[\]\r]/.test(rest)) return;
    if (reader.depth > 0 && this.state === CONTENT) reader.text("text", rest.replace("\r", "\n"));
    else reader.feed(rest, offset);
    if (rest.startsWith("<")) this.state = TAG;
  }

  /** Has saxes hand out what it has of a section, though that goes on. */
  show(): void {
    if (!this.unshown) return;
    this.unshown = false;
    this.reader.showSection();
  }

  private step(i: number): number {
    switch (this.state) {
      case CONTENT:
        return this.reader.depth === 0 ? this.readOutside(i) : this.readContent(i);
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
      case DOCUMENT_TYPE:
        return this.readDocumentType(i);
      default:
        // saxes refuses it when it has seen some more of it.
        return this.limit;
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
    const { text, limit } = this;
    plain.lastIndex = i;
    plain.test(text);
    const at = Math.min(plain.lastIndex, limit);
    if (at > i) this.take(text.slice(i, at), at);
    if (at === limit) return at;
    switch (text[at]) {
      case "<":
        return this.readMarkup(at);
      case "&":
        return this.readReference(at);
      case "]":
        return this.readBracket(at);
      case "\r":
        if (text[at + 1] === "\u0085") return this.feedText(at + 2);
        return this.take("\n", text[at + 1] === "\n" ? at + 2 : at + 1);
      default:
        pairs.lastIndex = at;
        if (pairs.test(text)) return this.take(text.slice(at, pairs.lastIndex), pairs.lastIndex);
        return this.feedText(at + 1);
    }
  }

  private readMarkup(i: number): number {
    const { text } = this;
    const end = text[i + 1] === "/" ? this.readPlainEndTag(i) : this.readPlainTag(i);
    if (end >= 0) return end;
    if (end === CUT && text.length - i < lookAhead) return this.wait(i);
    const markup = this.options.repair ? likelyMarkupAt(text, i) : markupAt(text, i);
    return markup === "bare" ? this.repairText("less_than", i, i + 1) : this.open(markup, i);
  }

  private readPlainTag(i: number): number {
    const { reader, tag } = this;
    if (!reader.mayOpen) return NOT_PLAIN;
    const end = tag.read(this.text, i, this.limit);
    if (end < 0 || end - i > this.options.maxTagLength) return Math.min(end, NOT_PLAIN);
    this.handOnText();
    reader.open(tag.name, tag.attributes);
    if (tag.empty) reader.close(tag.name);
    this.fed = end;
    return end;
  }

  /** The end tag that is expected, of an element of which saxes need not know. */
  private readPlainEndTag(i: number): number {
    const { text, limit, reader } = this;
    const name = reader.unknownName;
    if (name === undefined || name.length + 3 > this.options.maxTagLength) return NOT_PLAIN;
    const end = i + name.length + 3;
    if (end > limit) return `</${name}>`.startsWith(text.slice(i, limit)) ? CUT : NOT_PLAIN;
    if (text[end - 1] !== ">" || !text.startsWith(name, i + 2)) return NOT_PLAIN;
    this.handOnText();
    reader.close(name);
    this.fed = end;
    return end;
  }

  private readReference(i: number): number {
    const { text } = this;
    const { repair } = this.options;
    const end = referenceAt(text, i, repair);
    if (end === "undecided") return this.wait(i);
    if (end !== "bare") {
      const character = characterAt(text, i, end);
      return character === undefined ? this.feedText(end) : this.take(character, end);
    }
    if (repair) return this.repairText("ampersand", i, i + 1);
    this.handOnText();
    return this.fail(bareAmpersand, this.offset + i);
  }

  /** "]]>" may not stand in text. */
  private readBracket(i: number): number {
    const { text } = this;
    if (text.startsWith("]]>", i)) {
      return this.options.repair ? this.repairText("section_end", i, i + 3) : this.feedText(i + 3);
    }
    return text.length - i < 3 && "]]".startsWith(text.slice(i)) ? this.wait(i) : this.take("]", i + 1);
  }

  private open(markup: Exclude<Markup, "bare">, i: number): number {
    if (markup === "undecided") return this.wait(i);
    this.handOnText();
    this.markupStart = this.offset + i;
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
        this.state = UNKNOWN;
        break;
      case "end_tag":
        this.state = END_TAG;
    }
    return i + openingLength[markup];
  }

  private readTag(i: number): number {
    const { text } = this;
    inTag.lastIndex = i;
    if (!inTag.test(text) || inTag.lastIndex > this.limit) return this.limit;
    const at = inTag.lastIndex - 1;
    const found = text.charAt(at);
    if (found === ">") return this.leave(at + 1);
    this.quote = found;
    this.state = QUOTED;
    return at + 1;
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
      return at + 1;
    }
    if (found === "&") return this.readQuotedReference(at);
    return this.options.repair ? this.replace("less_than", at, "&lt;") : at + 1;
  }

  private readQuotedReference(i: number): number {
    const { repair } = this.options;
    const end = referenceAt(this.text, i, repair);
    if (end === "undecided") return this.wait(i);
    if (end !== "bare") return end;
    if (repair) return this.replace("ampersand", i, "&amp;");
    this.feedTo(i);
    return this.fail(bareAmpersand, this.offset + i);
  }

  private readEndTag(i: number): number {
    const end = this.text.indexOf(">", i);
    if (end < 0 || end >= this.limit) return this.limit;
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
    // While it is fed the state is still the old one: where it is wrong, it shows what came before.
    this.feedTo(i);
    this.state = CONTENT;
    this.unshown = false;
    this.done = wasTag && this.reader.depth === 0 && this.options.stopsBehindRoot;
    return i;
  }

  private get inMarkup(): boolean {
    return this.state !== CONTENT && this.state !== SECTION;
  }

  private checkLength(i: number): void {
    const { maxTagLength } = this.options;
    const end = this.markupStart + maxTagLength;
    if (this.offset + i <= end) return;
    const last = end - this.offset - 1;
    this.feedTo(isHalf(this.text.charCodeAt(last)) ? last : last + 1);
    this.fail(
      {
        code: "max_tag_length",
        problem: `A tag, comment, instruction or document type is longer than maxTagLength, ${maxTagLength}`,
        expected: "its end",
      },
      end,
    );
  }

  /** Of a tag. Text that means something else than it says. */
  private replace(kind: XmlRepairKind, i: number, by: string): number {
    this.feedTo(i);
    this.reader.feed(by, this.offset + i);
    this.fed = i + 1;
    this.options.onRepair?.(kind, this.offset + i);
    return this.fed;
  }

  /** What stands here stands for itself. */
  private repairText(kind: XmlRepairKind, i: number, end: number): number {
    this.options.onRepair?.(kind, this.offset + i);
    return this.take(this.text.slice(i, end), end);
  }

  private take(text: string, end: number): number {
    this.run += text;
    this.fed = end;
    return end;
  }

  private handOnText(): void {
    if (this.run === "") return;
    this.reader.text("text", this.run);
    this.run = "";
  }

  /** Text that saxes must look at. */
  private feedText(end: number): number {
    this.handOnText();
    this.feedTo(end);
    this.reader.showText();
    return end;
  }

  private wait(i: number): number {
    this.waiting = true;
    return i;
  }

  private feedTo(i: number): void {
    const { text, fed } = this;
    if (i <= fed) return;
    this.fed = i;
    const piece = text.slice(fed, i);
    const half = piece.search(halfCharacter);
    if (half < 0) {
      this.reader.feed(piece, this.offset + fed);
      return;
    }
    // Behind it saxes would swallow whatever follows.
    this.reader.feed(piece.slice(0, half), this.offset + fed);
    this.show();
    this.fail(loneHalf, this.offset + fed + half);
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
const UNKNOWN = 8; // <!x

/**
 * Text that is what it is in every version of XML. Not so the characters of the second line: some are line breaks in XML 1.1,
 * or forbidden there, some in both.
 */
const plain = /[^<&\]\r\ud800-\udfff\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u2028\ufffe\uffff]*/y;
/** Neither a line break of XML 1.0 or 1.1 nor a byte order mark, which saxes allows or not. */
const outside = /[^ \t\r\n\u0085\u2028\ufeff]/g;
const inTag = /["'>]/g;
const inDoubleQuotes = /["&<]/g;
const inSingleQuotes = /['&<]/g;

const pairs = /(?:[\ud800-\udbff][\udc00-\udfff])+/y;
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
