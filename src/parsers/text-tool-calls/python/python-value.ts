import { inJsonString } from "../../../text/json-text.js";
import { escapeAt, wordAsJson } from "./python-text.js";

/**
 * Thrown where the text is not Python. One for all, because hostile text has one in every fourth character, and the
 * stack of a new error takes longer than all else: `"\\n[f(".repeat(200_000)` took 2.8 s, now 1.5 s.
 */
export const pythonSyntaxError: Error = new Error("The text is not Python.");

const maxDepth = 100;
/** The maximum length of a word, such as a number or an expression, and of a key. */
const maxWord = 10_000;

type PythonState = "value" | "item" | "string" | "word" | "after";

/**
 * Writes a value of Python as JSON text while it arrives: strings, numbers, constants, lists, tuples and dictionaries.
 * An expression becomes a string with its source. The value ends before the comma or bracket that follows it.
 */
export class PythonValue {
  isDone = false;
  /** The place that the last `read()` reached, also if it threw. */
  at = 0;
  private readonly emit: (json: string) => void;
  private readonly types: readonly unknown[];
  private readonly stack: PythonContainer[] = [];
  private state: PythonState = "value";
  private string: OpenString | undefined;
  private word = "";
  /** The part of the word outside of brackets and strings. */
  private outside = "";
  /** The open brackets in a word, and the quote of a string in it. */
  private brackets = 0;
  private quote = "";

  /** @param types the types that the schema of the parameter allows; empty if they are not known */
  constructor(emit: (json: string) => void, types: readonly unknown[] = []) {
    this.emit = emit;
    this.types = types;
  }

  /**
   * Reads from `at` and returns the index after the characters that were used.
   *
   * @throws `pythonSyntaxError` where the text is not a value
   */
  read(text: string, from: number, isEnd: boolean): number {
    this.at = from;
    while (!this.isDone) {
      const next = this.step(text, this.at, isEnd);
      if (next === undefined) break;
      this.at = next;
    }
    return this.at;
  }

  /** Reads one part. Returns the index after it, or `undefined` if it is not there yet. */
  private step(text: string, from: number, isEnd: boolean): number | undefined {
    if (this.state === "string") return this.readString(text, from, isEnd);
    if (this.state === "word") return this.readWord(text, from, isEnd);
    const at = skipSpace(text, from, isEnd);
    if (at === undefined) return undefined;
    const char = text[at];
    if (char === undefined) return isEnd ? this.endEarly(at) : undefined;
    if (this.state === "after") return this.readAfter(text, at, isEnd);
    if (this.state === "item") return this.readItem(text, at, isEnd);
    return this.readValue(text, at, isEnd);
  }

  /** The end of the text is the end of a value that needs no bracket. */
  private endEarly(at: number): number {
    if (this.state !== "after" || this.stack.length > 0) throw pythonSyntaxError;
    this.closeString();
    this.isDone = true;
    return at;
  }

  private readValue(text: string, at: number, isEnd: boolean): number | undefined {
    const opening = /(?:[rbfu]|rb|br|fr|rf)?("""|'''|["'])/iy;
    opening.lastIndex = at;
    const match = opening.exec(text);
    if (match === null && !isEnd && /^[rbfu]{1,2}$/i.test(text.slice(at))) return undefined;
    if (match !== null) {
      const quote = match[1] as string;
      // `""` may be the start of `"""`.
      if (quote.length === 1 && !isEnd && text.length <= at + match[0].length + 1) {
        const rest = text.slice(at + match[0].length);
        if (rest === "" || rest === quote) return undefined;
      }
      const prefix = match[0].slice(0, -quote.length);
      this.string = { quote, isRaw: /r/i.test(prefix), isFormat: /f/i.test(prefix) };
      this.emit('"');
      this.state = "string";
      return at + match[0].length;
    }
    const char = text[at] as string;
    if (char === "[" || char === "{") {
      if (this.stack.length >= maxDepth) throw pythonSyntaxError;
      this.stack.push({ close: char === "[" ? "]" : "}", count: 0 });
      this.emit(char);
      this.state = "item";
      return at + 1;
    }
    if (",)]}:=".includes(char) || /^\\["']/.test(text.slice(at, at + 2))) throw pythonSyntaxError;
    this.state = "word";
    this.word = this.outside = "";
    return at;
  }

  /** The start of an item of a list or dictionary, or its end. */
  private readItem(text: string, at: number, isEnd: boolean): number | undefined {
    const frame = this.stack.at(-1) as PythonContainer;
    if (text[at] === frame.close) return this.close(at);
    let next = at;
    let key = "";
    if (frame.close === "}") {
      const match = keyAt(text, at);
      if (match === undefined) {
        if (isEnd || text.length - at > maxWord) throw pythonSyntaxError;
        return undefined;
      }
      if (match === null) throw pythonSyntaxError;
      key = `${match.json}:`;
      next = at + match.length;
    }
    this.emit((frame.count++ === 0 ? "" : ",") + key);
    this.state = "value";
    return next;
  }

  private readAfter(text: string, at: number, isEnd: boolean): number | undefined {
    const char = text[at] as string;
    if (this.string !== undefined) {
      // Adjacent strings are one.
      if (char === '"' || char === "'") {
        if (text.length <= at + 1 && !isEnd) return undefined;
        this.string = { ...this.string, quote: char, isRaw: false };
        this.state = "string";
        return at + 1;
      }
      if (char === "+" && /^\s*["']/.test(text.slice(at + 1))) return at + 1;
      if (char === "+" && !isEnd && text.slice(at + 1).trim() === "") return undefined;
      this.closeString();
    }
    const frame = this.stack.at(-1);
    if (frame === undefined) {
      if (!",)]}".includes(char)) throw pythonSyntaxError;
      this.isDone = true;
      return at;
    }
    if (char === frame.close) return this.close(at);
    if (")]}".includes(char)) return this.closeMissing(char, at);
    if (char !== ",") throw pythonSyntaxError;
    this.state = "item";
    return at + 1;
  }

  private closeString(): void {
    if (this.string !== undefined) this.emit('"');
    this.string = undefined;
  }

  private close(at: number): number {
    this.emit((this.stack.pop() as PythonContainer).close);
    this.state = "after";
    return at + 1;
  }

  /** A bracket that closes an outer container also closes those inside it. */
  private closeMissing(char: string, at: number): number {
    if (char !== ")" && !this.stack.some(({ close }) => close === char)) throw pythonSyntaxError;
    while (this.stack.length > 0 && this.stack.at(-1)?.close !== char)
      this.emit((this.stack.pop() as PythonContainer).close);
    return at;
  }

  private readString(text: string, from: number, isEnd: boolean): number | undefined {
    const { quote, isRaw, isFormat } = this.string as OpenString;
    const stop = new RegExp(`[\\\\${quote.charAt(0)}${isFormat ? "{}" : ""}]`, "g");
    stop.lastIndex = from;
    const at = stop.exec(text)?.index ?? text.length;
    if (at > from) {
      // Half a surrogate pair waits for the other half.
      const end = at === text.length && !isEnd && /[\ud800-\udbff]$/.test(text) ? at - 1 : at;
      if (end === from) return undefined;
      this.emit(inJsonString(text.slice(from, end)));
      return end;
    }
    if (at === text.length) {
      if (isEnd) throw pythonSyntaxError;
      return undefined;
    }
    if (text[at] === "{" || text[at] === "}") throw pythonSyntaxError; // nobody knows the value of the expression
    if (text[at] === "\\") {
      const escape = isRaw ? { value: "\\", length: 0 } : escapeAt(text, at + 1, isEnd);
      if (escape === undefined) return undefined;
      this.emit(inJsonString(escape.value));
      return at + 1 + escape.length;
    }
    const isClosing = this.isClosing(text, at, quote, isEnd);
    if (isClosing === undefined) return undefined;
    if (!isClosing) {
      this.emit(inJsonString(quote.charAt(0)));
      return at + (isDoubled(text, at) ? 2 : 1);
    }
    this.state = "after";
    return at + quote.length;
  }

  /** Whether a quote ends the string. After a quote inside it, as in `'Men's'`, a word goes on. */
  private isClosing(text: string, at: number, quote: string, isEnd: boolean): boolean | undefined {
    if (!text.startsWith(quote, at)) {
      return !isEnd && quote.startsWith(text.slice(at)) ? undefined : false;
    }
    if (quote.length === 3) return true;
    if (isDoubled(text, at)) return false;
    const next = skipSpace(text, at + 1, isEnd);
    if (next === undefined || (!isEnd && text.length < at + 3)) return undefined;
    const char = text[next];
    if (char === undefined || ",)]}:+\"'`".includes(char)) return true;
    // `"a" if b else "c"`, or quotes without a backslash
    if (!/\w/.test(text[at + 1] as string)) throw pythonSyntaxError;
    return false;
  }

  private readWord(text: string, from: number, isEnd: boolean): number | undefined {
    let at = from;
    for (; at < text.length; at++) {
      const char = text[at] as string;
      if (this.quote !== "") {
        if (char === this.quote) this.quote = "";
      } else if (char === '"' || char === "'") this.quote = char;
      else if ("([{".includes(char)) {
        if (++this.brackets > maxDepth) throw pythonSyntaxError;
      } else if (this.brackets > 0 && ")]}".includes(char)) this.brackets--;
      else if (this.brackets === 0) {
        if (",)]}\n".includes(char)) break;
        this.outside += char;
      }
    }
    this.word += text.slice(from, at);
    if (this.word.length > maxWord) throw pythonSyntaxError;
    if (at === text.length && !isEnd) return at === from ? undefined : at;
    if (this.brackets > 0 || this.quote !== "" || nextArgument.test(this.outside)) throw pythonSyntaxError;
    this.emit(expressionAsJson(this.word.trim(), this.stack.length === 0 ? this.types : []));
    this.word = "";
    this.state = "after";
    return at;
  }
}

interface PythonContainer {
  readonly close: string;
  count: number;
}

interface OpenString {
  readonly quote: string;
  readonly isRaw: boolean;
  /** `f"…"` */
  readonly isFormat: boolean;
}

/** `1 b=`: another argument, without the comma before it. */
const nextArgument = /\s[A-Za-z_]\w*\s*=(?!=)/;

/** `''` inside a string is a quote, as in `'Let''s go'`. */
function isDoubled(text: string, at: number): boolean {
  return text[at + 1] === text[at] && /[A-Za-z]/.test(text[at + 2] ?? "");
}

/** An expression as JSON text: a tuple as an array, a value in parentheses as the value, others by `wordAsJson()`. */
function expressionAsJson(source: string, types: readonly unknown[]): string {
  if (source === "...") throw pythonSyntaxError; // nobody knows what is left out
  const word = (): string => wordAsJson(source, types);
  if (!source.startsWith("(") || !source.endsWith(")")) return word();
  let json = "";
  try {
    const list = `[${source.slice(1, -1)}]`;
    const value = new PythonValue((text) => (json += text));
    if (value.read(list, 0, true) < list.length) return word();
  } catch (error) {
    if (error === pythonSyntaxError) return word();
    throw error;
  }
  const { length } = JSON.parse(json) as unknown[];
  const isTuple = length !== 1 || /,\s*\)$/.test(source);
  return isTuple ? json : json.slice(1, -1);
}

/** The place after white space, comments and line continuations; `undefined` if more may follow. */
export function skipSpace(text: string, from: number, isEnd: boolean): number | undefined {
  const space = /(?:\s|\\\n|#[^\n]*\n)*/y;
  space.lastIndex = from;
  space.exec(text);
  const at = space.lastIndex;
  const isOpen = at === text.length || text[at] === "#" || text.slice(at) === "\\";
  return isOpen && !isEnd ? undefined : at;
}

/** A key of a dictionary with its colon; `null` without a key, `undefined` if it is incomplete. */
function keyAt(
  text: string,
  at: number,
): { readonly json: string; readonly length: number } | null | undefined {
  const key = /(?:(["'])((?:\\.|(?!\1)[^\\])*)\1|([^\s"'{}[\](),:]+))\s*:/sy;
  key.lastIndex = at;
  const match = key.exec(text);
  if (match === null) {
    const partial = /^(?:(["'])(?:\\.|(?!\1)[^\\])*(?:\\|\1\s*)?|[^\s"'{}[\](),:]+\s*)$/s;
    return partial.test(text.slice(at)) ? undefined : null;
  }
  const [whole, , quoted, word] = match;
  let json = "";
  for (let i = 0; quoted !== undefined && i < quoted.length;) {
    const isEscape = quoted[i] === "\\";
    const escape = isEscape ? escapeAt(quoted, i + 1, true) : undefined;
    json += inJsonString(escape?.value ?? (quoted[i] as string));
    i += 1 + (escape?.length ?? 0);
  }
  const written =
    quoted === undefined ? JSON.stringify((word as string).replaceAll("\\_", "_")) : `"${json}"`;
  return { json: written, length: whole.length };
}
