import { maxBefore, textBefore } from "./text-before.js";

/** The elements of HTML and of prompts whose text is quoted. */
const quoting =
  "(?:pre|code|examples?|samples?|samp|textarea|xmp|blockquote|details|script|nowiki|search_results?|tool_(?:response|results?)|function_(?:response|results?))";
/** Others, which may also be a word to replace, as in "cat <file>". */
const quotingLine = "(?:documents?|files?|emails?|articles?|quote|q|user|template)";
/**
 * Before a mention of a tag: quotes (also “”„‘’‚「『«), brackets, emphasis, code in HTML, a cell of a table, a quotation or
 * a comment.
 */
export const beforeMention: RegExp = new RegExp(
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
/** The texts that end such quotations, by their beginning. The first that fits counts. */
const ends: readonly (readonly [start: string, end: string])[] = [
  ["<!--", "-->"],
  ["<!", "]]>"],
  ["/*", "*/"],
  ["\\[", "\\]"],
  ["(", ")"],
  ["[", "]"],
  ["#+b", "#+end_"],
  ["#", "#+END_"],
];

function endOf(start: string): string {
  const end = ends.find(([open]) => start.startsWith(open))?.[1];
  if (end !== undefined) return end;
  const [, tag, name] = /^(?:<(\w+)|\\begin\{([^}]*\}))/.exec(start) ?? [];
  if (tag !== undefined) return `</${tag}>`;
  return name === undefined ? start.trim() : `\\end{${name}`;
}

/** Quotes, an element of HTML, a comment or an environment of LaTeX that goes over lines. */
interface Quotation {
  readonly close: string;
  /** The characters since its start. */
  length: number;
  /** The fence that contains it. */
  readonly fence: object | undefined;
}

/** Follows quotations of several lines. */
export class Quotations {
  private open: Quotation | undefined;

  get isOpen(): boolean {
    return this.open !== undefined;
  }

  /** What is quoted in a fence ends with it. */
  endFence(fence: object): void {
    if (this.open?.fence === fence) this.open = undefined;
  }

  /** Reads a part of a line. */
  read(text: string, from: number, end: number, fence: object | undefined): void {
    let at = from;
    for (;;) {
      if (this.open?.length === 0 && mention.test(textBefore(text, at + 1))) this.open = undefined;
      if (this.open !== undefined) {
        const { close, length } = this.open;
        const start = at - Math.min(length, close.length - 1);
        const found = text.slice(start, end).indexOf(close);
        this.open.length += end - at;
        if (found < 0) return;
        at = start + found + close.length;
        this.open = undefined;
      }
      if (!mayQuote.test(text.slice(Math.max(0, at - maxBefore), end))) return;
      quotationStart.lastIndex = Math.max(0, at - maxBefore);
      let match = quotationStart.exec(text);
      while (match !== null && quotationStart.lastIndex <= at) match = quotationStart.exec(text);
      if (match === null || quotationStart.lastIndex > end) return;
      at = quotationStart.lastIndex;
      const [start] = match;
      this.open = { close: endOf(start), length: 0, fence };
    }
  }
}
