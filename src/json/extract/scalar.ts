import { QUOTE } from "../scan/characters.js";
import { closesQuote, isLenientQuote } from "./characters.js";
import type { Found } from "./found.js";

/** How much text may be a scalar. In a longer one a document must have begun, or there is none. */
const longest = 64 * 1024;

/**
 * Keeps the text in which no document has begun, to say at its end whether it is nothing but one scalar: `42`, or a
 * string, with white space or one fence around it. Only the end can tell: `"Yes" is what she said`.
 */
export class WholeScalar {
  /** `undefined` once it is too long. */
  private text: string | undefined = "";
  private offset = 0;
  private line = 1;
  private lineStart = 0;

  /** Forgets what came before: it was not part of the answer. */
  restart(offset: number, line: number, lineStart: number): void {
    this.text = "";
    this.offset = offset;
    this.line = line;
    this.lineStart = lineStart;
  }

  /** Keeps the new part of the text that begins at `offset`. */
  add(text: string, offset: number): void {
    if (this.text === undefined) return;
    this.text += text.slice(this.offset + this.text.length - offset);
    if (this.text.length > longest) this.text = undefined;
  }

  /** Where the scalar is, and the text from it on; `undefined` if the text is something else. */
  find(lenient: boolean): Found | undefined {
    const { text = "" } = this;
    const [before = "", fence, tick] = opening.exec(text) ?? [];
    const start = before.length;
    const rest = text.slice(start).trimEnd();
    if (!isScalar(withoutFence(rest, fence ?? tick), lenient)) return undefined;
    let { line, lineStart } = this;
    for (let end = text.indexOf("\n"); end >= 0 && end < start; end = text.indexOf("\n", end + 1)) {
      line++;
      lineStart = this.offset + end + 1;
    }
    return { text: text.slice(start), offset: this.offset + start, line, lineStart };
  }
}

/** Whether it is a number or a literal, as it can stand in an array too. */
export function isSimpleValue(text: string, lenient: boolean): boolean {
  const { words, number } = lenient ? lenientForms : strictForms;
  return words.includes(text) || number.test(text);
}

/** Whether it could become one. */
export function startsSimpleValue(text: string, lenient: boolean): boolean {
  const { words, start } = lenient ? lenientForms : strictForms;
  return start.test(text) || words.some((word) => word.startsWith(text));
}

/**
 * White space; then maybe the first character of a fence, its info string up to the end of the line, or a word of it in
 * the line, and white space; or the backtick of inline code.
 */
const opening = /^\s*(?:(`|~)\1{2,}(?:[^`\n]*\n|\w+[^\S\n]+)?\s*|(`))?/;

const strictForms = {
  words: ["true", "false", "null"],
  number: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/,
  start: /^-?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d*)?)?$/,
};

const lenientForms = {
  words: ["true", "false", "null", "True", "False", "None", "undefined"].concat(
    ["", "+", "-"].flatMap((sign) => [`${sign}NaN`, `${sign}Infinity`]),
  ),
  number: /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/,
  start: /^[+-]?(?:(?:\d+(?:\.\d*)?|\.\d*)(?:[eE][+-]?\d*)?)?$/,
};

/** Without the fence that closes, which is missing where the text was cut. */
function withoutFence(text: string, fence: string | undefined): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === fence) end--;
  return text.slice(0, end).trimEnd();
}

function isScalar(text: string, lenient: boolean): boolean {
  if (isSimpleValue(text, lenient)) return true;
  return text.startsWith('"') && !lenient ? isJson(text) : isOneString(text, lenient);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether the quote that begins it ends it, and does not come in between: `"yes" or "no"` is prose. */
function isOneString(text: string, lenient: boolean): boolean {
  if (!lenient) return false;
  const quote = text.charCodeAt(0);
  if (quote !== QUOTE && !isLenientQuote(quote)) return false;
  for (let i = 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (closesQuote(quote, text.charCodeAt(i))) return i === text.length - 1;
  }
  return false;
}
