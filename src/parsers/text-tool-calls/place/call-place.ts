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
/** The elements of HTML and of prompts whose text is quoted. */
const quoting =
  "(?:pre|code|examples?|samples?|samp|textarea|xmp|blockquote|details|tool_(?:response|results?)|function_(?:response|results?))";
/** Others, which may also be a word to replace, as in "cat <file>". */
const quotingLine = "(?:documents?|files?|quote|q|user|template)";
/**
 * Before a mention of a tag: quotes (also “”„‘’‚「『«), brackets, emphasis, code in HTML, a cell of a table, a quotation or
 * a comment.
 */
const quote = new RegExp(
  String.raw`(?:["'\`\u201c\u201d\u201e\u2018\u2019\u201a\u300c\u300e(\uff08*_]|[\xab|][ \t]*|(?:<${quoting}|\n[ \t]*<${quotingLine})(?:\s[^<>]*)?>\s*|<!--\s*|<!\[CDATA\[\s*|` +
    String.raw`\s\/\*\s*|\n[ \t]*(?:>|--)[ \t]*|\s(?:#+|\/\/|%+)[ \t]*)$`,
  "i",
);
/**
 * The starts of quotations of several lines: quotes, and at an edge of a line a comment, an element of HTML or an
 * environment of LaTeX. A start has at most 59 characters.
 */
const quotationStart = new RegExp(
  String.raw`(?<=[\s=(:,[][bfru]{0,2})(?:"""|''')|` +
    ["(?<=\\n[ \\t]{0,9})START", "START[ \\t]{0,9}\\n"]
      .join("|")
      .replaceAll(
        "START",
        String.raw`(?:<!--|<!\[CDATA\[|(?<=\s)\/\*|<${quoting}(?:\s[^<>]{0,20})?>|\\begin\{\w{1,15}\*?\}.{0,20}|#\+begin_(?:example|src|quote)|(?<=\n[ \t]{0,9})(?:<${quotingLine}(?:\s[^<>]{0,20})?>|\$\$|(?:\\\[|[([][a-z][^()[\]{}"'=:\n]{0,30}:)[ \t]{0,9}\n))`,
      ),
  "gi",
);
/** Quotes that prose only mentions, between two spaces. */
const mention = /\w[ \t]+(?:"""|''') $/;
const mayQuote = new RegExp(
  String.raw`"""|'''|<!|\/\*|<${quoting}|<${quotingLine}|\\begin|\$\$|\\\[|#\+begin|[([][a-z][^\n]{0,30}:`,
  "i",
);
/** The text that ends such a quotation. */
function endOf(start: string): string {
  if (start.startsWith("<!--")) return "-->";
  if (start.startsWith("/*")) return "*/";
  if (start.startsWith("<!")) return "]]>";
  if (start.startsWith("\\[")) return "\\]";
  if (/^[([]/.test(start)) return start.startsWith("(") ? ")" : "]";
  if (start.startsWith("#")) return start.startsWith("#+b") ? "#+end_" : "#+END_";
  const [, tag, name] = /^(?:<(\w+)|\\begin\{([^}]*\}))/.exec(start) ?? [];
  if (tag !== undefined) return `</${tag}>`;
  return name === undefined ? start.trim() : `\\end{${name}`;
}
/** The start of a statement of Python with a block in it. */
const compound = /^\s*(?:async )?(?:if|elif|else|for|while|def|class|try|except|finally|with|match|case)\b/;
const userLabel = /^\s*[*_#]*(?:user|human)[*_]*[:\uff1a]/i;
const assistantLabel = /^\s*[*_#]*(?:assistant|ai)[*_]*[:\uff1a]/i;
const lambda = /\blambda\b[^\n:]*:[ \t]*$/;
/**
 * The end of the text before a call that is an example, or that somebody else makes. In Chinese: 例如, 比如, 示例, 用户; in
 * Japanese: 例えば.
 */
const exampleLabel = lazyPattern(
  `(?:${[
    String.raw`\b(?:for (?:example|instance)|e\.\s?g\.|z\.\s?b\.|zum beispiel|p[ao]r e[xj]empl[eo]|ad esempio|such as)[:,]?`,
    String.raw`(?:\u4f8b\u5982|\u6bd4\u5982\u8bf4?|\u4f8b\u3048\u3070)[:\uff1a,\uff0c]?|\u4f8b[:\uff1a]`,
    String.raw`(?<!\b(?:let me|let['\u2019]s|i['\u2019]ll|i will) (?:look at|check|find|open|read|run|see|try) )\ban(?:other)? example\b[^\n.!?:]{0,20}:`,
    String.raw`\n[ \t#*_-]*(?:examples?|beispiel|e[xj]empl[eo]|\u793a\u4f8b)(?: [a-z]{1,10}){0,4} ?\d{0,2}[*_]*[:\uff1a]?(?:\r?\n[=-]{2,30})?`,
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
  private quotation: Quotation | undefined;
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
      this.readQuotations(whole, at, end);
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
      this.quotation !== undefined ||
      this.data.inAnswer ||
      quote.test(this.before)
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
    if (this.span > 0 || this.quotation !== undefined) return false;
    if (first !== "{" && this.isInStatement) return false;
    for (const block of [this.fence, this.codeHere])
      if (block?.isOwn === false && (!inFences || block.isExample)) return false;
    const before = this.before.replace(statement, "");
    if (this.data.has(first) || !bareStart.test(before) || quote.test(before)) return false;
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
      if (this.quotation?.fence === this.fence) this.quotation = undefined;
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
    if (this.fence === undefined && this.quotation === undefined) {
      if (this.isInvented) this.turn = "other";
      else if (userLabel.test(this.line)) this.turn = "user";
    }
    const space = spaceOf(this.line);
    if (this.block !== undefined && space <= this.block) this.block = undefined;
    if (compound.test(this.line) && /:\s*(?:#.*)?$/.test(before)) this.block ??= space;
  }

  /** Reads a part of a line. */
  private readQuotations(text: string, from: number, end: number): void {
    let at = from;
    for (;;) {
      if (this.quotation?.length === 0 && mention.test(textBefore(text, at + 1))) this.quotation = undefined;
      if (this.quotation !== undefined) {
        const { close, length } = this.quotation;
        const start = at - Math.min(length, close.length - 1);
        const found = text.slice(start, end).indexOf(close);
        this.quotation.length += end - at;
        if (found < 0) return;
        at = start + found + close.length;
        this.quotation = undefined;
      }
      if (!mayQuote.test(text.slice(Math.max(0, at - maxBefore), end))) return;
      quotationStart.lastIndex = Math.max(0, at - maxBefore);
      let match = quotationStart.exec(text);
      while (match !== null && quotationStart.lastIndex <= at) match = quotationStart.exec(text);
      if (match === null || quotationStart.lastIndex > end) return;
      at = quotationStart.lastIndex;
      const [start] = match;
      this.quotation = { close: endOf(start), length: 0, fence: this.fence };
    }
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

function textBefore(text: string, end: number): string {
  return text.slice(Math.max(0, end - maxBefore), end);
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

/** The first character after a bracket of data: that of a key, of a value, or another bracket. */
const inData = /["'{}[\]\d]/;

/** Quotes, an element of HTML, a comment or an environment of LaTeX that goes over lines. */
interface Quotation {
  readonly close: string;
  /** The characters since its start. */
  length: number;
  /** The fence that contains it. */
  readonly fence: Fence | undefined;
}

/** The open brackets of data. What is in them is a part of the data, up to a blank line. */
class OpenData {
  private depth = 0;
  /** Whether a bracket is the last character. What follows decides whether it is one of data. */
  private isPending = false;
  private inString = false;
  private isEscaped = false;
  /** Whether the answer begins with it. */
  private isOwn = false;

  get isOpen(): boolean {
    return this.depth > 0;
  }

  /** Whether a string is open in an object that is the answer. Lines may break in it. */
  get inAnswer(): boolean {
    return this.isOpen && this.isOwn && this.inString;
  }

  /** Whether only a bracket, a quote or a back slash changes this. */
  get isIdle(): boolean {
    return !this.isPending && !this.inString && !this.isEscaped;
  }

  /** Whether a value that begins with this character is a part of the data. */
  has(char: string): boolean {
    return this.depth > 0 || (this.isPending && inData.test(char));
  }

  reset(): void {
    this.depth = 0;
    this.isPending = this.inString = this.isEscaped = false;
  }

  /**
   * @param isBlank whether the line has no other text yet
   * @param isFirst whether the answer has no other text yet
   */
  read(char: string, isBlank: boolean, isFirst: boolean): void {
    if (!this.isOpen && !this.isPending) this.isOwn = isFirst && char === "{";
    if (char === "\n" && this.inAnswer) this.isEscaped = false;
    else if (char === "\n") {
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
