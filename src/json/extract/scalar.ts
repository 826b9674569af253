import { QUOTE } from "../scan/characters.js";
import { closesQuote, isLenientQuote } from "./characters.js";
import type { Found } from "./found.js";

/** A longer text is not checked for being one scalar. */
const maxLength = 64 * 1024;

/**
 * Keeps the text while no document has begun. At its end it checks whether the whole text is one scalar: `42`, or a string,
 * with white space or one fence around it. This is known only at the end: `"Yes" is what she said`.
 */
export class WholeScalar {
  /** `undefined` once it is too long. */
  private text: string | undefined = "";
  private offset = 0;
  private line = 1;
  private lineStart = 0;

  /** Drops the text so far, because it is not part of the answer. */
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
    if (this.text.length > maxLength) this.text = undefined;
  }

  /** Returns the place of the scalar; `undefined` if the text is not one scalar. */
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

/** Whether the text is a number or a literal. */
export function isSimpleValue(text: string, lenient: boolean): boolean {
  const { words, number } = lenient ? lenientForms : strictForms;
  return words.includes(text) || number.test(text);
}

/** Whether the text may be the start of a number or a literal. */
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

/** Removes the closing fence, which is missing if the text was truncated. */
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

/** Whether the text is one quoted string. The quote must not occur inside: `"yes" or "no"` is prose. */
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
