import { DocumentType } from "./document-type.js";
import { likelyMarkupAt, markupAt, openingLength, type Markup } from "./markup.js";
import type { Fail } from "../problem.js";
import { referenceAt } from "./reference.js";
import type { XmlRepairKind } from "../options.js";
import type { SaxesReader } from "./saxes-reader.js";

export interface XmlScannerOptions {
  readonly repair: boolean;
  /** Whether to stop after the root element. */
  readonly stopAfterRoot: boolean;
  readonly maxTagLength: number;
  readonly onRepair: ((kind: XmlRepairKind, offset: number) => void) | undefined;
}

/**
 * Decides how much of the text saxes may read now, and repairs it on the way. saxes reads every character; the scanner
 * follows only the markup around them. It holds back at most `lookAhead` characters, such as half a reference.
 */
export class XmlScanner {
  /** Whether the root element has ended and the text after it is not to be read. */
  done = false;
  rootSeen = false;
  /** How many elements are open at the place that was reached. saxes may not have been fed as much. */
  private depth = 0;
  private readonly options: XmlScannerOptions;
  private readonly reader: SaxesReader;
  private readonly fail: Fail;
  private state: State = "content";

  private text = "";
  /** The offset of `text` in the whole text. */
  private offset = 0;
  /** Where reading stops at the latest: half a line break or character waits for the other half. */
  private limit = 0;
  /** How much of `text` saxes was fed. */
  private fed = 0;
  /** Whether more text is needed to continue. */
  private waiting = false;
  /** Whether saxes holds text, or a part of a section, that it has not reported. */
  private unreported = false;

  /** The offset in the whole text at which the tag, comment and so on began. */
  private markupStart = 0;
  private documentType = new DocumentType();
  private quote = "";

  constructor(options: XmlScannerOptions, reader: SaxesReader, fail: Fail) {
    this.options = options;
    this.reader = reader;
    this.fail = fail;
  }

  /** @returns how many characters were read. Pass the rest again, followed by more text. */
  read(text: string, offset: number): number {
    this.text = text;
    this.offset = offset;
    this.fed = 0;
    this.waiting = false;
    const half = text.search(loneHalf);
    this.limit = half >= 0 ? half : text.endsWith("\r") ? text.length - 1 : text.length;
    let i = 0;
    while (i < this.limit && !this.waiting && !this.done) i = this.step(i);
    this.checkLength(i);
    this.feedTo(i);
    if (!this.done && i === half && !mayBeCompleted(text, half)) {
      this.flush();
      this.fail(halfCharacter, offset + half);
    }
    return i;
  }

  /** Whether the document may end here. */
  get atRest(): boolean {
    return this.depth === 0 && this.state === "content";
  }

  /**
   * Ends the text.
   *
   * @param rest what `read()` did not read
   */
  end(rest: string, offset: number): void {
    if (this.done || rest === "") return;
    // In an element, brackets and line breaks are text. Half a tag or half a reference is dropped.
    if (this.depth === 0 || /^[\]\r]/.test(rest)) this.feed(rest, offset);
    if (rest.startsWith("<")) this.state = "tag";
  }

  /** Makes saxes report all text that it was fed. */
  flush(): void {
    if (!this.unreported) return;
    this.unreported = false;
    if (this.state === "section") this.reader.flushSection();
    else this.reader.flushText();
  }

  private step(i: number): number {
    switch (this.state) {
      case "content":
        return this.depth === 0 ? this.readOutside(i) : this.readContent(i);
      case "tag":
        return this.readTag(i);
      case "quoted":
        return this.readQuoted(i);
      case "end_tag":
        return this.readTo(">", i);
      case "comment":
        return this.readTo("-->", i);
      case "section":
        return this.readTo("]]>", i);
      case "instruction":
        return this.readTo("?>", i);
      case "document_type":
        return this.readDocumentType(i);
      case "unknown":
        // saxes refuses it after seven characters.
        return this.limit;
    }
  }

  /** Nothing is repaired outside of the root. saxes would report text there at its end, not at its first character. */
  private readOutside(i: number): number {
    const at = this.find(outside, i);
    if (at === this.limit) return at;
    if (this.text[at] === "<") return this.open(markupAt(this.text, at), at);
    this.feedTo(at);
    return this.fail(textOutside, this.offset + at);
  }

  private readContent(i: number): number {
    const at = this.find(specialInText, i);
    if (at === this.limit) return at;
    switch (this.text[at]) {
      case "<":
        return this.readMarkup(at);
      case "&":
        return this.readReference(at);
      case "]":
        return this.readBracket(at);
      default:
        return this.reportTo(at) + 1;
    }
  }

  private readMarkup(i: number): number {
    const { text } = this;
    simpleTag.lastIndex = i;
    if (simpleTag.test(text) && simpleTag.lastIndex <= this.limit) {
      const end = simpleTag.lastIndex;
      this.markupStart = this.offset + i;
      this.state = text[i + 1] === "/" ? "end_tag" : "tag";
      if (this.state === "tag" && text[end - 2] !== "/") this.depth++;
      return this.leave(end);
    }
    const markup = this.options.repair ? likelyMarkupAt(text, i) : markupAt(text, i);
    return markup === "bare" ? this.replace("less_than", i, i + 1, "&lt;") : this.open(markup, i);
  }

  /** In text or in an attribute. */
  private readReference(i: number): number {
    const { repair } = this.options;
    const end = referenceAt(this.text, i, repair);
    if (end === "undecided") return this.wait(i);
    if (end === "bare") {
      if (repair) return this.replace("ampersand", i, i + 1, "&amp;");
      return this.fail(bareAmpersand, this.offset + this.reportTo(i));
    }
    if (this.text[i + 1] === "#") this.reportTo(i);
    return end;
  }

  /** "]]>" is not allowed in text. */
  private readBracket(i: number): number {
    const { text } = this;
    if (text.startsWith("]]>", i)) {
      return this.options.repair ? this.replace("section_end", i, i + 3, "]]&gt;") : this.reportTo(i) + 3;
    }
    return "]]>".startsWith(text.slice(i, i + 3)) ? this.wait(i) : i + 1;
  }

  private open(markup: Exclude<Markup, "bare">, i: number): number {
    if (markup === "undecided") return this.wait(i);
    this.markupStart = this.offset + i;
    this.state = markup;
    if (markup === "tag") this.rootSeen = true;
    else if (markup === "document_type") this.documentType = new DocumentType();
    return i + openingLength[markup];
  }

  private readTag(i: number): number {
    const at = this.find(specialInTag, i);
    if (at === this.limit) return at;
    const found = this.text.charAt(at);
    switch (found) {
      case ">":
        this.depth++;
        return this.leave(at + 1);
      case "/":
        if (at + 1 === this.text.length) return this.wait(at);
        return this.text[at + 1] === ">" ? this.leave(at + 2) : at + 1;
      default:
        this.quote = found;
        this.state = "quoted";
        return at + 1;
    }
  }

  private readQuoted(i: number): number {
    const { quote } = this;
    const at = this.find(quote === '"' ? inDoubleQuotes : inSingleQuotes, i);
    if (at === this.limit) return at;
    switch (this.text[at]) {
      case quote:
        this.state = "tag";
        return at + 1;
      case "&":
        return this.readReference(at);
      default:
        return this.options.repair ? this.replace("less_than", at, at + 1, "&lt;") : at + 1;
    }
  }

  /** Reads to the end of a tag, comment and so on. The end is read as a whole, never in parts. */
  private readTo(end: string, i: number): number {
    const { text, limit } = this;
    const found = text.indexOf(end, i);
    if (found >= 0 && found < limit) return this.leave(found + end.length);
    if (found >= 0 || limit < text.length) return limit;
    let rest = Math.max(i, limit - end.length + 1);
    while (!end.startsWith(text.slice(rest))) rest++;
    return rest < limit ? this.wait(rest) : limit;
  }

  private readDocumentType(i: number): number {
    const end = this.documentType.read(this.text.slice(0, this.limit), i);
    return end < 0 ? this.limit : this.leave(end);
  }

  /** After the last character of a tag, comment and so on. */
  private leave(i: number): number {
    this.checkLength(i);
    const { state } = this;
    this.state = "content";
    if (state === "end_tag") this.depth--;
    if (this.depth > 0 || (state !== "tag" && state !== "end_tag")) return i;
    this.feedTo(i);
    this.done = this.options.stopAfterRoot;
    return i;
  }

  private checkLength(i: number): void {
    if (this.state === "content" || this.state === "section") return;
    const { maxTagLength } = this.options;
    const end = this.markupStart + maxTagLength;
    if (this.offset + i <= end) return;
    const last = end - this.offset - 1;
    this.feedTo(isHalf(this.text.charCodeAt(last)) ? last : last + 1);
    this.fail(
      {
        code: "max_tag_length",
        problem: `Expected the end of a tag, comment, instruction or document type, which may have maxTagLength (${maxTagLength}) characters`,
        expected: "its end",
      },
      end,
    );
  }

  /** Feeds a replacement for what is written here. */
  private replace(kind: XmlRepairKind, i: number, end: number, by: string): number {
    this.feedTo(i);
    this.feed(by, this.offset + i);
    this.fed = end;
    this.options.onRepair?.(kind, this.offset + i);
    return end;
  }

  /** Before a character that saxes may refuse: the text before it must be in the value of the error. */
  private reportTo(i: number): number {
    this.feedTo(i);
    this.flush();
    return i;
  }

  private wait(i: number): number {
    this.waiting = true;
    return i;
  }

  /** The next place, up to the limit, where the pattern matches. */
  private find(pattern: RegExp, i: number): number {
    pattern.lastIndex = i;
    return pattern.test(this.text) ? Math.min(pattern.lastIndex - 1, this.limit) : this.limit;
  }

  private feedTo(i: number): void {
    const { text, fed } = this;
    if (i <= fed) return;
    this.fed = i;
    this.feed(text.slice(fed, i), this.offset + fed);
  }

  private feed(text: string, offset: number): void {
    this.reader.feed(text, offset);
    this.unreported = this.state === "section" || (this.state === "content" && this.depth > 0);
  }
}

/** The state of the scanner. "content" is text or the space between elements; "quoted" is the value of an attribute. */
type State = "content" | "quoted" | Exclude<Markup, "bare" | "undecided">;

/** Characters that begin markup, need a repair, or are refused by some version of XML. */
const specialInText = /[<&\]\0-\x08\v\f\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/g;
/** Neither a line break of XML 1.0 or 1.1 nor a byte order mark. saxes decides where these are allowed. */
const outside = /[^ \t\r\n\u0085\u2028\ufeff]/g;
/** A tag without quotes, as most are: one step instead of four, which saves 10 to 15 % of the time. */
const simpleTag = /<(?:[A-Za-z_:][-.0-9A-Za-z_:]*[ \t\r\n]*\/?|\/[A-Za-z_:][-.0-9A-Za-z_:]*[ \t\r\n]*)>/y;
const specialInTag = /["'/>]/g;
const inDoubleQuotes = /["&<]/g;
const inSingleQuotes = /['&<]/g;

/** With the flag `u`, the two halves of a character match as one. */
const loneHalf = /[\ud800-\udfff]/u;

const halfCharacter = {
  code: "not_well_formed",
  problem: "Expected a character, but found half of a surrogate pair",
  expected: "the other half of the character",
} as const;

const textOutside = {
  code: "text_outside_root",
  problem: "Expected only elements, comments and instructions outside of the root element, but found text",
  expected: "no text outside of the root element",
} as const;

const bareAmpersand = {
  code: "invalid_reference",
  problem: 'Expected a reference such as &amp; or &#38;, but found a "&" that begins none',
  expected: "one of the references of XML, such as &amp; or &#38;",
} as const;

/** Whether the half is the first one of a character, at the end of the text. */
function mayBeCompleted(text: string, half: number): boolean {
  return half === text.length - 1 && text.charCodeAt(half) < 0xdc00;
}

/** A carriage return, which a line feed may follow, or the first half of a surrogate pair. */
function isHalf(code: number): boolean {
  return code === 0xd || (code >= 0xd800 && code <= 0xdbff);
}
