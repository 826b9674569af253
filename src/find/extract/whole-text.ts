import { closingQuotesOf } from "../../lenient/characters.js";
import type { Found } from "../../json/extraction.js";
import { isSimpleValue, jsonOf } from "./simple-value.js";
import { lazyPattern } from "../../text/lazy-pattern.js";
import { parsedJson } from "../../text/json-text.js";

/** A longer text is not checked for being one value. */
const maxLength = 64 * 1024;

type Beginning = Pick<Found, "offset" | "line" | "lineStart">;

/**
 * Keeps the text while no document has begun. At its end it checks whether the whole text is one value: a scalar, such
 * as `42` or a string, or text that begins with a bracket but did not look like a document. White space or one fence
 * may be around it. This is known only at the end: `"Yes" is what she said`.
 */
export class WholeText {
  /** `undefined` once it is too long. */
  private text: string | undefined = "";
  private place: Beginning = { offset: 0, line: 1, lineStart: 0 };

  /** The text so far; empty if it is too long. */
  get start(): string {
    return this.text ?? "";
  }

  /** Drops the text so far, because it is not part of the answer. */
  restart(place: Beginning): void {
    this.text = "";
    this.place = place;
  }

  /** Keeps the new part of the text that begins at `offset`. */
  add(text: string, offset: number): void {
    if (this.text === undefined) return;
    this.text += text.slice(this.place.offset + this.text.length - offset);
    if (this.text.length > maxLength) this.text = undefined;
  }

  /** Returns the place of the scalar; `undefined` if the text is not one scalar. */
  findScalar(lenient: boolean): Found | undefined {
    const { text = "" } = this;
    const [before = "", fence, tick] = opening.exec(text) ?? [];
    const start = before.length;
    const rest = withoutFence(text.slice(start).trimEnd(), fence ?? tick);
    if (isScalar(rest, lenient)) return this.scalarAt(start, rest);
    if (!lenient) return undefined;
    const [, call = "", inner = "", value = ""] = wrapped.exec(rest) ?? [];
    const scalar = (inner === "" ? value : inner).trimStart();
    if (!isScalar(scalar, true)) return undefined;
    const kind = call === "" ? "trailing_comma" : call.startsWith("(") ? "parentheses" : "call";
    return {
      ...this.found(start + call.length + inner.length - inner.trimStart().length),
      repair: { kind, text: jsonOf(scalar) },
    };
  }

  /** The literals of Python and JavaScript, and numbers such as `.5`, are passed on as JSON. */
  private scalarAt(start: number, scalar: string): Found {
    const found = this.found(start);
    const text = jsonOf(scalar);
    if (text === scalar) return found;
    return { ...found, repair: { kind: /\d/.test(scalar) ? "number" : "literal", text } };
  }

  /** Returns the start of a list without brackets: `1, 2, 3`, or a value in each line. */
  findList(): Found | undefined {
    const { text = "" } = this;
    if (!listOfScalars.test(text) || thousands.test(text)) return undefined;
    const found = this.found(text.length - text.trimStart().length);
    return { ...found, repair: { kind: "missing_brackets", text: `[${found.text.trimEnd()}]`, added: 1 } };
  }

  /**
   * Returns the place of the bracket with which the text begins, apart from a fence, comments, a call, `f({})`, and an
   * assignment, `a = [1, 2]`. If
   * the text begins with words, its first fence counts as the text, or the empty document at its end.
   */
  findBracket(): Found | undefined {
    const { text = "" } = this;
    const fence = firstFence.exec(text);
    const found = this.bracketAfter(0) ?? (fence === null ? undefined : this.bracketAfter(fence.index));
    if (found !== undefined) return found;
    // "Matches: []"
    const empty = emptyAtEnd().exec(text);
    return empty === null ? undefined : { ...this.found(empty.index), whole: true };
  }

  private bracketAfter(start: number): Found | undefined {
    const { text = "" } = this;
    const rest = text.slice(start);
    const [before] = beforeBracket.exec(rest) ?? beforeTuple.exec(rest) ?? [];
    if (before === undefined) return undefined;
    const found = { ...this.found(start + before.length), whole: true };
    const [set] = setOfScalars.exec(found.text) ?? [];
    if (set === undefined) return found;
    return {
      ...found,
      repair: { kind: "set", text: `[${set.slice(1, -1)}]${found.text.slice(set.length)}` },
    };
  }

  /** The text from this place on. */
  found(start: number): Found {
    const { text = "", place } = this;
    let { line, lineStart } = place;
    for (let end = text.indexOf("\n"); end >= 0 && end < start; end = text.indexOf("\n", end + 1)) {
      line++;
      lineStart = place.offset + end + 1;
    }
    return { text: text.slice(start), offset: place.offset + start, line, lineStart };
  }
}

/**
 * White space; then maybe the first character of a fence, its info string up to the end of the line, or a word of it in
 * the line, and white space; or the backtick of inline code.
 */
const opening = /^\s*(?:(`|~)\1{2,}(?:[^`\n]*\n|\w+[^\S\n]+)?\s*|(`))?/;

/** The text that may precede a document, from the start of the text on. */
const blank = String.raw`(?:[\s\u200b-\u200f\u2060-\u2064]|(?:\`{3,}|~{3,}(?!~))[^\`\n]*?(?=[\n[{(])|/\*(?:[^*]|\*(?!/))*\*/|(?://|#)[^\n]*\n)*`;
const beforeBracket = new RegExp(
  String.raw`^${blank}(?:(?:[\w$.]+\s*)?\(\s*|[\w$.]+\s*=\s*(?!\[\s*\]|\{\s*\}))?(?=[[{\uff3b\uff5b])`,
);
/** A fence may end before each parenthesis of its line: those after the first one of a run are not tried. */
const beforeTuple = new RegExp(String.raw`^${blank}(?<!\()(?=\(+\s*["'\d-])`);
const firstFence = /(?<![^\n])[^\S\n]*(?:`{3,}|~{3,})/;

/** A scalar in a call or in parentheses, or before a comma. */
const wrapped = /^([\w$.]*\()([^()]*[^()\s])\s*\);?$|^([^,]*[^,\s])\s*,$/;

/** An empty document after words. After `)` or `=` it is code. */
const emptyAtEnd = lazyPattern(
  String.raw`(?=[[{])(?<=(?:\p{L}\s+|:\s*)\x60{0,3})(?:\{\s*\}|\[\s*\])(?=[.\s\x60]*$)`,
);

const scalar = String.raw`(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|[tT]rue|[fF]alse|null|None|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')`;
const listOfScalars = new RegExp(String.raw`^\s*${scalar}(?:[^\S\n]*[,\n]\s*${scalar})+(?:\s*,)?\s*$`);
const setOfScalars = new RegExp(String.raw`^\{\s*${scalar}(?:\s*,\s*${scalar})*(?:\s*,)?\s*\}`);
const thousands = /^\s*-?\d{1,3}(?:,\d{3})+(?:\.\d+)?\s*$/;

/** Removes the closing fence, which is missing if the text was truncated. */
function withoutFence(text: string, fence: string | undefined): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === fence) end--;
  return text.slice(0, end).trimEnd();
}

function isScalar(text: string, lenient: boolean): boolean {
  if (isSimpleValue(text, lenient)) return true;
  return lenient ? isOneString(text) : text.startsWith('"') && parsedJson(text) !== undefined;
}

/** Whether the text is one quoted string. The quote must not occur inside: `"yes" or "no"` is prose. */
function isOneString(text: string): boolean {
  const closingQuotes = closingQuotesOf(text.charCodeAt(0));
  for (let i = 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (closingQuotes.includes(text.charAt(i))) return i === text.length - 1;
  }
  return false;
}
