import type { XmlSettings } from "../options.js";
import { problemOf } from "../problem.js";
import { matchAt, referenceAt } from "./markup.js";
import type { XmlReader } from "./reader.js";
import { ATTRIBUTE_VALUE } from "./states.js";

/** More text is needed. */
export const WAIT = -1;

/** Looks at the text before the tokenizer reads it. */
export interface MarkupRepair {
  /** @returns where to continue: `i`, or the index after what was fed; WAIT if more text is needed */
  beforeRead(i: number): number;
  /** @param end of the piece, without repairs */
  endOfPiece(i: number, end: number): number;
  /** @param count how many characters were read */
  afterRead(count: number): void;
}

/**
 * Feeds the text to the tokenizer in pieces that begin at the characters where its state matters, such as `<`, `&` and
 * `>`. So a repair can look at the state before each of these characters.
 *
 * `<a>R&D</a>` is fed as `<a>`; at `&` the repair feeds `R`, and `&amp;` instead of the `&`; then `D` and `</a>` follow.
 */
export class XmlScanner {
  readonly options: XmlSettings;
  readonly reader: XmlReader;
  text = "";
  /** The offset of `text` in the whole text. */
  offset = 0;
  /** Whether the text has ended. */
  ended = false;
  private readonly repair: MarkupRepair | undefined;
  /** How much of `text` was fed. The rest is text of an element, which does not change its state. */
  private fed = 0;
  /** The next special character of `text`, as far as it was searched. */
  private special = -1;
  /** Where reading stops at the latest: half a character waits for the other half. */
  private limit = 0;

  constructor(reader: XmlReader, repairOf: ((scanner: XmlScanner) => MarkupRepair) | undefined) {
    this.options = reader.options;
    this.reader = reader;
    this.repair = repairOf?.(this);
  }

  /** Whether the root element has ended and the text after it is not to be read. */
  get done(): boolean {
    return this.options.extract === "auto" && this.reader.complete;
  }

  /**
   * @param ended whether no more text follows: half a reference or half a tag at the end is dropped
   * @returns how many characters were read. Pass the rest again, followed by more text.
   */
  read(text: string, offset: number, ended: boolean): number {
    const { repair } = this;
    this.ended = ended;
    this.text = text;
    this.offset = offset;
    this.fed = 0;
    this.special = -1;
    const half = text.search(loneHalf);
    this.limit = half < 0 ? text.length : half;
    let i = 0;
    while (i < this.limit && !this.done) {
      if (this.reader.isInText) i = this.nextSpecial(this.readPlainText(i));
      const next = i < this.limit ? (repair?.beforeRead(i) ?? this.beforeRead(i)) : WAIT;
      if (next === WAIT) break;
      i = next > i ? next : this.readPiece(i);
    }
    this.feedTo(i);
    if (!this.done && i === half && !this.mayBeCompleted(half))
      this.failAt(half, "not_well_formed", "half of a surrogate pair", "the other half of the character");
    repair?.afterRead(i);
    return i;
  }

  /** Without a repair: refuses a `&` that begins no reference. */
  private beforeRead(i: number): number {
    const { reader, text } = this;
    if (text[i] === "<") return i;
    if (text[i] !== "&") return this.feedTo(i); // it may be refused, and the error shows the text before it
    if (!reader.isInText && reader.state !== ATTRIBUTE_VALUE) return i;
    const end = referenceAt(text, i, false);
    if (end === "undecided") return WAIT;
    if (end !== "bare") return end;
    return this.failAt(this.feedTo(i), "invalid_reference", 'a "&" that begins none');
  }

  private endOfPiece(i: number): number {
    const { text, limit } = this;
    if (text[i] === ">") return i + 1;
    const next = this.nextSpecial(i + 1);
    return text[i] === "<" && next < limit && text[next] === ">" ? next + 1 : next;
  }

  /** Adds text in which the tokenizer would find nothing. "XML with a snapshot per 1 KB" takes 0.87 of the time. */
  private readPlainText(i: number): number {
    const end = Math.min(matchAt(plain, this.text, i), this.limit);
    if (end <= i || i > this.fed || this.reader.awaitsText) return i;
    this.reader.addText(this.text.slice(i, end));
    this.fed = end;
    return end;
  }

  /** A comment has many pieces before the next special character, which is searched once. */
  private nextSpecial(i: number): number {
    if (i <= this.special) return this.special;
    special.lastIndex = i;
    this.special = special.test(this.text) ? Math.min(special.lastIndex - 1, this.limit) : this.limit;
    return this.special;
  }

  /** Feeds a text that replaces what is written here, up to `end`. */
  replaceBy(text: string, i: number, end: number): number {
    this.feedTo(i);
    const { reader, offset } = this;
    const { maxTagLength } = this.options;
    const last = reader.markupStart - offset + maxTagLength;
    if (end > last && !reader.isBetweenMarkup) this.refuseLength(last);
    this.pass(text, i, text.startsWith("<") ? 0 : -1);
    this.fed = end;
    return end;
  }

  /** Feeds what comes before this place. */
  feedTo(i: number): number {
    if (i > this.fed) this.pass(this.text.slice(this.fed, i), this.fed, -1);
    return i;
  }

  private readPiece(i: number): number {
    const plainEnd = this.endOfPiece(i);
    const end = this.repair?.endOfPiece(i, plainEnd) ?? plainEnd;
    if (!this.reader.isBetweenMarkup) return this.feedMarkup(i, end);
    if (!this.reader.isInText) this.checkOutside(i, end);
    return this.text[i] === "<" ? this.feedMarkup(i, end) : end;
  }

  /** Feeds a tag, or a part of one, together with the text before it. */
  feedMarkup(i: number, end: number): number {
    const { text, offset, reader } = this;
    const { maxTagLength } = this.options;
    const begins = reader.isBetweenMarkup;
    const last = (begins ? i : reader.markupStart - offset) + maxTagLength;
    end = Math.min(end, this.limit);
    const stop = end > last && !reader.isInSection ? Math.max(last, i) : end;
    this.pass(text.slice(this.fed, stop), this.fed, begins ? i - this.fed : -1);
    if (stop < end && !reader.isInSection) this.refuseLength(last);
    return stop;
  }

  private failAt(i: number, ...problem: Parameters<typeof problemOf>): never {
    return this.reader.fail(problemOf(...problem), this.offset + i);
  }

  /** @param i where the markup has reached its greatest length */
  private refuseLength(i: number): never {
    const found = `more than maxTagLength (${this.options.maxTagLength}) characters`;
    return this.failAt(i, "max_tag_length", found);
  }

  /** @param markup where a tag, comment and so on begins in the text */
  private pass(text: string, i: number, markup: number): void {
    this.reader.feed(text, this.offset + i, markup);
    this.fed = i + text.length;
  }

  /** Whether the half is the first one of a character, at the end of the text or of a document that is cut. */
  private mayBeCompleted(half: number): boolean {
    const isCut = !(this.ended && this.reader.complete);
    return isCut && half === this.text.length - 1 && this.text.charCodeAt(half) < 0xdc00;
  }

  /** The tokenizer is not fed white space outside of the root, only what is refused there. */
  private checkOutside(i: number, end: number): void {
    for (let at = matchAt(blank, this.text, i); at < end; at = matchAt(blank, this.text, at + 1)) {
      if (this.text[at] === "<") return;
      if (!decidedByVersion.test(this.text.charAt(at))) this.failAt(at, "text_outside_root", "text");
      this.feedTo(at + 1);
    }
  }
}

/** Characters whose meaning depends on the state, and those that are refused by some version of XML. */
const special = /[<>&\0-\x08\v\f\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/g;
/** Text that the tokenizer reports as it is. It replaces some line breaks, and refuses `]]>` and other characters. */
const plain = /[^<>&\]\r\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u2028\ufffe\uffff]+/y;
const blank = /[ \t\r\n]*/y;
/** The line breaks of XML 1.1, and a byte order mark. The tokenizer decides where these are allowed. */
const decidedByVersion = /[\u0085\u2028\ufeff]/;
/** With the flag `u`, the two halves of a character match as one. */
const loneHalf = /[\ud800-\udfff]/u;
