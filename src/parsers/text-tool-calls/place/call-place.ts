import { type CallMarker, type DialectRules, innerEnds, innerMarkers } from "../dialects.js";
import { lazyPattern } from "../../../text/lazy-pattern.js";

/** The text before a place that decides whether a call without a marker may begin there. */
const maxBefore = 60;

/** Where a call without a marker may begin: at the start of a line, a statement, or after a special token. */
const bareStart = /(?:^|[\n:]|[|?]>)[ \t*]*$/;
/** The start of a statement before a call in Python. */
const statement = /(?:print\(|return |await |(?<!\w)\w{1,30} ?= ?)[ \t]*$/;
/** The place after a colon in the middle of a line. */
const afterColon = /:[ \t*]*$/;
const lineStart = /(?:\n|[|?]>)[ \t]*$/;
/** Before a mention of a tag: quotes, brackets, emphasis, code in HTML, a cell of a table, a quotation or a comment. */
const quote =
  /(?:["'`“”„‘’‚「『(（*_]|[«|][ \t]*|<(?:code|pre|examples?)(?:\s[^<>]*)?>\s*|<!--\s*|\/\*\s*|\n[ \t]*(?:>|#+|\/\/|--)[ \t]*)$/i;
/** The markers of lists before a fence: `- ` and `1. `. */
const listMarkers = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)+$/;
const longestMarkers = 20;
/** A word before a tag that is part of a sentence. */
const word = lazyPattern(String.raw`[\p{L}\p{N},;]\s+$`);

/** Follows the text outside of calls, to tell calls from those that are only quoted. */
export class CallPlace {
  /** The last of the text. */
  before = "\n";
  private hasText = false;
  private isBlank = true;
  /** The start of the line. */
  private line = "";
  /** The back quotes or tildes just before. */
  private run = { mark: "", length: 0 };
  /** The number of back quotes that opened a code span on this line; 0 outside. */
  private span = 0;
  private fence: Fence | undefined;
  private readonly data = new OpenData();

  write(text: string): void {
    for (let i = 0; i < text.length; i++) this.read(text.charAt(i));
    this.before = (this.before + text).slice(-maxBefore);
  }

  /** The text before this place does not matter: it was a call, or thinking. */
  startLine(): void {
    this.before = "\n";
    this.data.reset();
    this.isBlank = true;
    this.line = "";
    this.span = 0;
  }

  /** Whether this is the start of a line, outside of examples. */
  get startsLine(): boolean {
    return !this.isMention && lineStart.test(this.before);
  }

  /** Whether a sentence ends directly before, so a tag here is no part of it. */
  get endsSentence(): boolean {
    return /[.!?。！？]$/.test(this.before);
  }

  /** Whether a tag here is in quotes, code, or a fence that is not that of the answer. */
  get isMention(): boolean {
    this.endRun();
    return this.span > 0 || this.fence?.isOwn === false || quote.test(this.before);
  }

  /** Whether a call here is a mention, or part of a sentence. */
  get isQuoted(): boolean {
    return this.isMention || (!lineStart.test(this.before) && word().test(this.before));
  }

  /** Whether a marker here is not that of a call: it is quoted, or in a section of calls that is. */
  isRefused(marker: CallMarker, { markers }: DialectRules): boolean {
    if (marker.isCall === true ? !this.startsLine : this.isQuoted) return true;
    if (marker.isCall !== true && !innerMarkers.includes(marker.open)) return false;
    const before = this.before.trimEnd();
    return markers.some(({ open }) => before.endsWith(open)) || innerEnds.some((end) => before.endsWith(end));
  }

  /** A marker in a fence that is not a call: the fence is an example. */
  refuseMarker(): void {
    if (this.fence !== undefined) this.fence.isExample = true;
  }

  /**
   * Whether a call without a marker that begins with this character may begin here. It is no part of data, and does not
   * belong to a marker before it that is quoted.
   */
  allowsBare(first: string, { markers, inFences = false }: DialectRules): boolean {
    this.endRun();
    const { fence } = this;
    if (this.span > 0) return false;
    if (fence !== undefined && !fence.isOwn && (!inFences || fence.isExample)) return false;
    const before = this.before.replace(statement, "");
    if (this.data.has(first) || !bareStart.test(before) || quote.test(before)) return false;
    return !markers.some(({ open }) => this.before.trimEnd().endsWith(open));
  }

  /** Whether a call without a marker follows a colon in the middle of a line, so text after it makes it a mention. */
  get followsColon(): boolean {
    return afterColon.test(this.before.replace(statement, ""));
  }

  private read(char: string): void {
    this.data.read(char, this.isBlank);
    if (char === "`" || char === "~") {
      if (this.run.mark !== char) this.endRun();
      this.run = { mark: char, length: this.run.length + 1 };
      return;
    }
    this.endRun();
    if (char !== "\n") {
      if (this.line.length < longestMarkers) this.line += char;
      if (char.trim() === "") return;
      this.isBlank = false;
      this.hasText = true;
      if (this.fence !== undefined) this.fence.mayEnd = false;
      return;
    }
    if (this.fence?.mayEnd === true) {
      this.fence = undefined;
      this.data.reset();
    } else if (this.fence !== undefined) this.fence.isOpening = false;
    this.isBlank = true;
    this.line = "";
    this.span = 0;
  }

  private endRun(): void {
    const { run, isBlank, fence } = this;
    if (run.length === 0) return;
    this.run = { mark: "", length: 0 };
    this.isBlank = false;
    if (fence !== undefined) {
      // A line with a fence in it is code: "```x```".
      if (fence.isOpening) this.fence = undefined;
      else fence.mayEnd = isBlank && run.mark === fence.run.mark && run.length >= fence.run.length;
    } else if (run.length >= 3 && (isBlank || listMarkers.test(this.line))) {
      this.fence = { run, isOwn: !this.hasText, isExample: false, isOpening: true, mayEnd: false };
    } else if (run.mark === "`") {
      if (this.span === 0) this.span = run.length;
      else if (this.span === run.length) this.span = 0;
    }
    this.hasText = true;
  }
}

interface Fence {
  /** Its back quotes or tildes. */
  readonly run: { readonly mark: string; readonly length: number };
  /** Whether the answer begins with it. */
  readonly isOwn: boolean;
  isExample: boolean;
  /** Whether this is its first line. */
  isOpening: boolean;
  /** Whether it ends if the rest of the line is blank. */
  mayEnd: boolean;
}

/** The first character after a bracket of data: that of a key, of a value, or another bracket. */
const inData = /["'{}[\]\d]/;

/** The open brackets of data. What is in them is a part of the data, up to a blank line. */
class OpenData {
  private depth = 0;
  /** Whether a bracket is the last character. What follows decides whether it is one of data. */
  private isPending = false;
  private inString = false;
  private isEscaped = false;

  get isOpen(): boolean {
    return this.depth > 0;
  }

  /** Whether a value that begins with this character is a part of the data. */
  has(char: string): boolean {
    return this.depth > 0 || (this.isPending && inData.test(char));
  }

  reset(): void {
    this.depth = 0;
    this.isPending = this.inString = this.isEscaped = false;
  }

  /** @param isBlank whether the line has no other text yet */
  read(char: string, isBlank: boolean): void {
    if (char === "\n") {
      if (isBlank) this.reset();
      this.inString = this.isEscaped = false;
    } else if (this.isEscaped) this.isEscaped = false;
    else if (char === "\\") this.isEscaped = this.inString;
    else if (this.inString) this.inString = char !== '"';
    else if (char.trim() !== "") this.readToken(char);
  }

  private readToken(char: string): void {
    if (this.isPending && inData.test(char)) this.depth++;
    this.isPending = char === "{" || char === "[";
    if (char === '"') this.inString = this.isOpen;
    else if ((char === "}" || char === "]") && this.isOpen) this.depth--;
  }
}
