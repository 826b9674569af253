import { QUOTE } from "../scan/characters.js";
import { closesQuote, isLenientQuote } from "./characters.js";
import type { Found } from "./found.js";
import { isSimpleValue } from "./simple-value.js";

/** A longer text is not checked for being one value. */
const maxLength = 64 * 1024;

/**
 * Keeps the text while no document has begun. At its end it checks whether the whole text is one value: a scalar, such
 * as `42` or a string, or text that begins with a bracket but did not look like a document. White space or one fence
 * may be around it. This is known only at the end: `"Yes" is what she said`.
 */
export class WholeText {
  /** `undefined` once it is too long. */
  private text: string | undefined = "";
  private offset = 0;
  private line = 1;
  private lineStart = 0;

  /** The text so far; empty if it is too long. */
  get start(): string {
    return this.text ?? "";
  }

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
  findScalar(lenient: boolean): Found | undefined {
    const { text = "" } = this;
    const [before = "", fence, tick] = opening.exec(text) ?? [];
    const start = before.length;
    const rest = text.slice(start).trimEnd();
    return isScalar(withoutFence(rest, fence ?? tick), lenient) ? this.found(start) : undefined;
  }

  /** Returns the place of the bracket with which the text begins, apart from a fence, comments, and a call: `f({})`. */
  findBracket(): Found | undefined {
    const { text = "" } = this;
    const before = beforeBracket.exec(text)?.[0];
    return before === undefined ? undefined : { ...this.found(before.length), whole: true };
  }

  private found(start: number): Found {
    const { text = "" } = this;
    let { line, lineStart } = this;
    for (let end = text.indexOf("\n"); end >= 0 && end < start; end = text.indexOf("\n", end + 1)) {
      line++;
      lineStart = this.offset + end + 1;
    }
    return { text: text.slice(start), offset: this.offset + start, line, lineStart };
  }
}

/**
 * White space; then maybe the first character of a fence, its info string up to the end of the line, or a word of it in
 * the line, and white space; or the backtick of inline code.
 */
const opening = /^\s*(?:(`|~)\1{2,}(?:[^`\n]*\n|\w+[^\S\n]+)?\s*|(`))?/;

/** What may be before a bracket, at the start of the text. */
const beforeBracket =
  /^(?:[\s\u200b-\u200f\u2060-\u2064]|(?:`{3,}|~{3,})[^`\n]*?(?=[\n[{])|\/\*[^]*?\*\/|(?:\/\/|#)[^\n]*\n)*(?:[\w$.]+\s*\(\s*)?(?=[[{])/;

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
