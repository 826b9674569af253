import { type CallMarker, type DialectRules, innerEnds, innerMarkers } from "../dialects.js";
import { lazyPattern } from "../../../text/lazy-pattern.js";
import { OpenData } from "./open-data.js";
import { beforeMention, Quotations } from "./quotations.js";
import { maxBefore, textBefore } from "./text-before.js";

/** Where a call without a marker may begin: at the start of a line, a statement, or after a special token. */
const bareStart = /(?:^|[\n:]|[|?]>)[ \t*]*$/;
/** The start of a statement before a call in Python. */
const statement = /(?:print\(|return |await |(?<!\w)\w{1,30} ?= ?)[ \t]*$/;
/** The place after a colon in the middle of a line. */
const afterColon = /:[ \t*]*$/;
const lineStart = /(?:\n|[|?]>)[ \t]*$/;
/** The start of a statement of Python with a block in it. */
const compound = /^\s*(?:async )?(?:if|elif|else|for|while|def|class|try|except|finally|with|match|case)\b/;
const userLabel = /^\s*[*_#]*(?:user|human)[*_]*[:\uff1a]/i;
const assistantLabel = /^\s*[*_#]*(?:assistant|ai)[*_]*[:\uff1a]/i;
const lambda = /\blambda\b[^\n:]*:[ \t]*$/;
/**
 * The end of the text before a call that is an example, or that somebody else makes. In Chinese: 例如, 比如, 示例, 用户; in
 * Japanese: 例えば. Then Italian, Dutch, Swedish, Danish, Polish, Turkish, Vietnamese, Indonesian, Russian (например),
 * Ukrainian (наприклад), Arabic (مثال), Hebrew (לדוגמה), Hindi (उदाहरण) and Korean (예를 들어, 예시).
 */
const exampleLabel = lazyPattern(
  `(?:${[
    String.raw`\b(?:for (?:example|instance)|e\.\s?g\.|z\.\s?b\.|zum beispiel|p[ao]r e[xj]empl[eo]|ad esempio|such as)[:,]?`,
    String.raw`(?:\u4f8b\u5982|\u6bd4\u5982\u8bf4?|\u4f8b\u3048\u3070)[:\uff1a,\uff0c]?|\u4f8b[:\uff1a]`,
    String.raw`(?:bijvoorbeeld|till exempel|for eksempel|na przyk\u0142ad|\u00f6rne\u011fin|v\u00ed d\u1ee5|misalnya)[:,]?`,
    String.raw`(?:\u043d\u0430\u043f\u0440\u0438\u043c\u0435\u0440|\u043d\u0430\u043f\u0440\u0438\u043a\u043b\u0430\u0434|\u05dc\u05d3\u05d5\u05d2\u05de\u05d4|\uc608\ub97c \ub4e4\uc5b4)[:,]?`,
    String.raw`(?:esempio|\u0645\u062b\u0627\u0644|\u0909\u0926\u093e\u0939\u0930\u0923|\uc608\uc2dc)[:\uff1a]`,
    String.raw`(?<!\b(?:let me|let['\u2019]s|i['\u2019]ll|i will) (?:look at|check|find|open|read|run|see|try) )\ban(?:other)? example\b[^\n.!?:]{0,20}:`,
    String.raw`\n[ \t#*_-]*(?:examples?|beispiel|e[xj]empl[eo]|\u793a\u4f8b)(?: [a-z]{1,10}){0,4} ?\d{0,2}[*_]*[:\uff1a]{0,2}(?:\r?\n[=-]{2,30})?`,
    String.raw`\n[ \t]*(?:or|oder|\u6216\u8005?)[,:]?`,
    String.raw`(?:\b(?:would|could|might)|['\u2019]d) (?:then |just )?(?:call|invoke|write|use|look like)\b[^\n.!?:]{0,20}:`,
    String.raw`\n[ \t#*_-]*(?:user|human|q|\u7528\u6237)[*_]*[:\uff1a]`,
    String.raw`\S[ \t]*(?:(?<!-)->|=>|\u2192|\u21d2)`,
  ].join("|")})[*_]*\\s*$`,
  "i",
);
/** The markers of lists before a fence: `- ` and `1. `. */
const listMarkers = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)+$/;
const listItem = /^\s*(?:[-*+]|\d{1,3}[.)])\s/;
/** The space before a line of code in Markdown, after an empty line. */
const codeIndent = /^(?: {4}| {0,3}\t)[ \t]*$/;
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
  /** The same in this paragraph: a span may go over several lines, but a back quote alone opens none. */
  openSpan = 0;
  private readonly quotations = new Quotations();
  /** The indented code that this line continues. */
  private code: Code | undefined;
  private isAfterBlank = false;
  /** The last of the text before a block of code. */
  private label = "";
  private isInList = false;
  /** The space before the statement of Python in whose block the lines are. */
  private block: number | undefined;
  /** After a line `User: …`, and after `Assistant:` after it. */
  private turn: "" | "user" | "other" = "";
  private fence: Fence | undefined;
  private readonly data = new OpenData();

  write(text: string): void {
    const whole = this.before + text;
    let at = this.before.length;
    while (at < whole.length) {
      const end = whole.indexOf("\n", at) + 1 || whole.length;
      this.quotations.read(whole, at, end, this.fence);
      while (at < end) {
        this.read(whole, at++);
        if (this.isInWords) at = indexOfSpecial(whole, at, end);
      }
    }
    this.before = whole.slice(-maxBefore);
  }

  /** The text before this place does not matter: it was a call, or thinking. */
  startLine(): void {
    this.before = "\n";
    this.data.reset();
    this.isBlank = true;
    this.line = "";
    this.span = this.openSpan = 0;
    this.code = undefined;
    this.isAfterBlank = false;
    this.block = undefined;
  }

  /** Whether this is the start of a line, outside of examples. */
  get startsLine(): boolean {
    return !this.isMention && lineStart.test(this.before);
  }

  /** Whether a sentence ends directly before, so a tag here is no part of it. */
  get endsSentence(): boolean {
    return /[.!?。！？]$/.test(this.before);
  }

  /** Whether this is in an answer to a turn that the model has invented. */
  get isInvented(): boolean {
    return this.turn === "other" || (this.turn === "user" && assistantLabel.test(this.line));
  }

  /** Whether a tag here is in quotes, code, or a fence that is not that of the answer. */
  get isMention(): boolean {
    this.endRun();
    const isInBlock = [this.fence, this.codeHere].some((it) => it?.isOwn === false);
    return (
      this.span > 0 ||
      isInBlock ||
      this.quotations.isOpen ||
      this.data.inAnswer ||
      beforeMention.test(this.before)
    );
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
    if (this.span > 0 || this.quotations.isOpen) return false;
    if (first !== "{" && this.isInStatement) return false;
    for (const block of [this.fence, this.codeHere])
      if (block?.isOwn === false && (!inFences || block.isExample)) return false;
    const before = this.before.replace(statement, "");
    if (this.data.has(first) || !bareStart.test(before) || beforeMention.test(before)) return false;
    return !markers.some(({ open }) => this.before.trimEnd().endsWith(open));
  }

  /** Whether a call here is in a block of Python, which may not run. */
  private get isInStatement(): boolean {
    if (this.block !== undefined && spaceOf(this.line) > this.block) return true;
    return this.followsColon && (compound.test(this.line) || lambda.test(this.before));
  }

  /** Whether a call without a marker follows a colon in the middle of a line, so text after it makes it a mention. */
  get followsColon(): boolean {
    return afterColon.test(this.before.replace(statement, ""));
  }

  /** Whether the text before a call here says that it is an example, or what somebody else writes. */
  get isExample(): boolean {
    return exampleLabel().test(this.before.replace(statement, ""));
  }

  /** The indented code in which a line begins here. */
  private get codeHere(): Code | undefined {
    if (!this.isBlank || this.fence !== undefined || !codeIndent.test(this.line))
      return this.isBlank ? undefined : this.code;
    if (this.code !== undefined || !this.isAfterBlank || this.isInList) return this.code;
    return { isOwn: !this.hasText, isExample: exampleLabel().test(this.label) };
  }

  /** Whether only a special character can change what is known here. */
  private get isInWords(): boolean {
    const isInLine = !this.isBlank && this.line.length === longestMarkers && this.run.length === 0;
    return isInLine && this.fence?.mayEnd !== true && this.data.isIdle;
  }

  private read(text: string, at: number): void {
    const char = text.charAt(at);
    this.data.read(
      char,
      this.isBlank,
      !this.hasText || (this.fence?.isOwn === true && !this.fence.isOpening),
    );
    if (char === "`" || char === "~") {
      if (this.run.mark !== char) this.endRun();
      this.run = { mark: char, length: this.run.length + 1 };
      if (this.run.length === 3) this.label = textBefore(text, at - 2);
      return;
    }
    this.endRun();
    if (char === "\n") {
      this.endLine(text, at);
      return;
    }
    if (char.trim() !== "") {
      if (this.isBlank) this.code = this.codeHere;
      this.isBlank = false;
      this.hasText = true;
      if (this.fence !== undefined) this.fence.mayEnd = false;
    }
    if (this.line.length < longestMarkers) this.line += char;
  }

  private endLine(text: string, at: number): void {
    if (this.fence?.mayEnd === true) {
      this.quotations.endFence(this.fence);
      this.fence = undefined;
      this.data.reset();
    } else if (this.fence !== undefined) this.fence.isOpening = false;
    if (!this.isBlank) this.readStatement(textBefore(text, at));
    if (this.isBlank) {
      this.openSpan = 0;
      this.label = textBefore(text, at);
    } else if (this.code === undefined && /^\S/.test(this.line)) this.isInList = listItem.test(this.line);
    this.isAfterBlank = this.isBlank;
    this.isBlank = true;
    this.line = "";
    this.span = 0;
  }

  /** At the end of a line. */
  private readStatement(before: string): void {
    if (this.fence === undefined && !this.quotations.isOpen) {
      if (this.isInvented) this.turn = "other";
      else if (userLabel.test(this.line)) this.turn = "user";
    }
    const space = spaceOf(this.line);
    if (this.block !== undefined && space <= this.block) this.block = undefined;
    if (compound.test(this.line) && /:\s*(?:#.*)?$/.test(before)) this.block ??= space;
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
      const isExample = exampleLabel().test(this.label);
      this.fence = { run, isOwn: !this.hasText, isExample, isOpening: true, mayEnd: false };
    } else if (run.mark === "`") {
      this.span = afterRun(this.span, run.length);
      this.openSpan = afterRun(this.openSpan, run.length);
    }
    this.hasText = true;
  }
}

const special = /[`~\n{}[\]"\\]/g;
function indexOfSpecial(text: string, from: number, end: number): number {
  special.lastIndex = from;
  return Math.min(special.exec(text)?.index ?? end, end);
}

function spaceOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The code span that is open after a run of back quotes. */
function afterRun(span: number, length: number): number {
  if (span === 0) return length;
  return span === length ? 0 : span;
}

interface Code {
  /** Whether the answer begins with it. */
  readonly isOwn: boolean;
  isExample: boolean;
}

interface Fence extends Code {
  /** Its back quotes or tildes. */
  readonly run: { readonly mark: string; readonly length: number };
  /** Whether this is its first line. */
  isOpening: boolean;
  /** Whether it ends if the rest of the line is blank. */
  mayEnd: boolean;
}
