import type { ListReader } from "../../list/list-reader.js";
import { appendText } from "../../text/growing-text.js";
import { type LineSyntax, matches } from "./line-syntax.js";

/** Reads one operation after the other. */
export interface OperationTarget {
  /** Whether the text of the open operation so far ends inside a string. */
  readonly inString: boolean;
  /**
   * @param offset where it begins in the whole text
   * @param hasBrace whether its first character is a brace. Otherwise it is the quote of its first member
   */
  begin(offset: number, hasBrace: boolean): void;
  /** Returns whether the operation has ended: it is complete, or was refused. */
  add(text: string): "open" | "complete" | "refused";
  /** A line inside an operation may be one itself. It is reported too if the operation around it is refused. */
  contains(offset: number): void;
  /** The operation ends here, although more was expected. Returns false if it is refused. */
  cut(): boolean;
  /** The text ends inside the operation. */
  stop(): void;
}

/** The state of the finder, with a text that leads there. */
type FinderPhase =
  | "prose" // `Prose, then `, or between two operations
  | "operation" // `{"op": "add", "pa`
  | "refused"; // `{"op": 5, "pa`: the rest of it, on any lines, or of its line if its brackets do not match

/**
 * Finds the operations in a text. An operation begins at a `{` that starts a line, or that a member of an operation
 * follows; or at such a member, if its brace is missing. It ends with its `}`, on a later line if the model wrote it
 * over several lines. It also ends before the next operation, a fence, or a line that cannot continue it. All other
 * text is skipped.
 */
export class LineFinder implements ListReader {
  private readonly target: OperationTarget;
  private readonly syntax: LineSyntax;
  private phase: FinderPhase = "prose";
  /** The text before on this line, or since the last operation. Undefined if it is more than markers. */
  private before: string | undefined = "";
  /** The text that the next chunk decides about. */
  private held = "";
  private open = "";
  /** The brackets in the open operation, as far as they were followed. */
  private brackets = new Brackets();
  private followed = 0;
  /** The last character of the open operation that is no white space. */
  private last = "";
  /** The offset of the next character, without the text in `held`. */
  private offset: number;

  constructor(target: OperationTarget, syntax: LineSyntax, offset: number) {
    this.target = target;
    this.syntax = syntax;
    this.offset = offset;
  }

  get inValue(): boolean {
    return this.phase !== "prose";
  }

  write(chunk: string): void {
    const text = this.held + chunk;
    this.held = "";
    let i = 0;
    while (i < text.length) {
      const start = i;
      if (this.phase === "prose") i = this.readProse(text, i);
      else if (this.phase === "refused") i = this.readRefused(text, i);
      else i = this.readOperation(text, i);
      if (i === start) {
        this.held = text.slice(i);
        return;
      }
    }
  }

  end(): void {
    const { held } = this;
    this.held = "";
    if (held.includes("{")) {
      // The first characters of an operation, after prose or the line of another operation.
      const at = held.indexOf("{");
      if (this.phase === "operation") this.target.cut();
      this.offset += at;
      this.begin(true);
      this.target.add(held.slice(at));
    } else if (this.phase === "operation" && held.trim() !== "" && !held.trim().startsWith("`")) {
      if (this.target.add(held) !== "open") return;
    }
    if (this.phase === "operation") this.target.stop();
  }

  /** @returns the index after what was read; the same index to wait for more text */
  private readProse(text: string, start: number): number {
    opening.lastIndex = start;
    const end = opening.exec(text)?.index ?? text.length;
    if (end > start) {
      this.offset += end - start;
      const prose = text.slice(start, end);
      const lineFeed = prose.lastIndexOf("\n");
      if (lineFeed >= 0) this.before = prose.slice(lineFeed + 1);
      else if (this.before !== undefined) this.before += prose;
      if (this.before !== undefined && this.before.length > longestGap) this.before = undefined;
      return end;
    }
    const hasBrace = text.charAt(start) === "{";
    const { wrapper, start: operation, member } = this.syntax;
    const wraps = hasBrace && wrapper !== undefined ? matches(wrapper, text, start) : false;
    if (wraps === undefined) return start;
    if (wraps) {
      // `{"messages": [`: the lines inside are read, as those of an array.
      const end = text.indexOf(":", start) + 1;
      this.offset += end - start;
      this.before = "";
      return end;
    }
    const begins = hasBrace
      ? isMarker(this.before) || matches(operation, text, start)
      : matches(member, text, start);
    if (begins === undefined) return start;
    if (!begins) {
      this.offset++;
      this.before = undefined;
      return start + 1;
    }
    this.begin(hasBrace);
    return this.readOperation(text, start);
  }

  private readRefused(text: string, start: number): number {
    const { brackets } = this;
    const lineFeed = text.indexOf("\n", start);
    let limit = lineFeed < 0 ? text.length : lineFeed;
    if (limit === start) {
      const next = brackets.state === "lost" ? false : this.nextLine(text, start, brackets.inString);
      if (next === undefined) return start;
      if (next === false) {
        this.phase = "prose";
        return this.readProse(text, start);
      }
      limit = next;
    }
    const end = brackets.read(text, start, limit);
    this.last = text.slice(start, end).trimEnd().at(-1) ?? this.last;
    this.offset += end - start;
    if (brackets.state === "closed") this.phase = "prose";
    return end;
  }

  private readOperation(text: string, start: number): number {
    stop.lastIndex = start;
    const { 0: found = "", index = text.length } = stop.exec(text) ?? {};
    if (found === "}") return this.feed(text, start, index + 1);
    if (index > start || found === "") return this.feed(text, start, index);
    const next = this.nextLine(text, start, this.target.inString);
    if (next === undefined) return start;
    if (next !== false) return this.feed(text, start, next);
    this.close(!this.target.cut());
    return this.phase === "refused" ? this.readRefused(text, start) : this.readProse(text, start);
  }

  /**
   * Looks at the text after a line feed inside an operation.
   *
   * @returns where the operation continues; false if it does not, and `undefined` if the text does not decide yet
   */
  private nextLine(text: string, start: number, inString: boolean): number | false | undefined {
    space.lastIndex = start;
    const at = start + (space.exec(text)?.[0].length ?? 0);
    if (at === text.length) return at - start > longestGap ? false : undefined;
    const character = text.charAt(at);
    if (character === "`") {
      const rest = text.slice(at, at + 3);
      return rest.length < 3 && "```".startsWith(rest) ? undefined : rest !== "```" && at;
    }
    const begins = inString ? this.beginsInString(text, at) : this.begins(text, at);
    if (begins !== false) return begins === undefined ? undefined : false;
    if (/^\n\{\S/.test(text.slice(at - 1, at + 2))) this.target.contains(this.offset + at - start);
    if (inString || /["'“”‘’}\]),:[{\d+.-]/.test(character)) return at;
    const word = /^[A-Za-z]*/.exec(text.slice(at, at + longestWord + 1))?.[0] ?? "";
    if (at + word.length === text.length && word.length <= longestWord) return undefined;
    return /^(?:true|false|null|True|False|None)$/.test(word) && at;
  }

  /** Whether a line inside an operation is another one, as the open one lacks its last brackets. */
  private begins(text: string, at: number): boolean | undefined {
    if (text.charAt(at) !== "{") return false;
    const isFirst = text.charAt(at - 1) === "\n";
    if (isFirst && text.charAt(at + 1) === '"') return true;
    // After one of these characters the brace may be the beginning of a value. On an indented line it is.
    if (!isFirst && (":[".includes(this.last) || (this.last === "," && this.isInList))) return false;
    const found = matches(this.syntax.start, text, at);
    return found === false ? isFirst && !":[,{".includes(this.last) : found;
  }

  /**
   * Whether a line inside a string is an operation, as the string lacks its end quote. A line that begins with `{"` is
   * one, even if its first member is misspelt, and so is a line with another character instead of the brace.
   */
  private beginsInString(text: string, at: number): boolean | undefined {
    const hasBrace = text.charAt(at) === "{";
    const line = /^[^\n"]{0,3}["\n]?/.exec(text.slice(at, at + 4))?.[0] ?? "";
    if (line.endsWith('"')) return hasBrace || matches(this.syntax.member, text, at + line.length - 1);
    if (!line.endsWith("\n") && text.length - at < 4) return undefined;
    return hasBrace && text.charAt(at - 1) === "\n" && matches(this.syntax.start, text, at);
  }

  private begin(hasBrace: boolean): void {
    this.phase = "operation";
    this.open = hasBrace ? "" : "{";
    this.brackets = new Brackets();
    this.followed = 0;
    this.target.begin(this.offset, hasBrace);
  }

  private feed(text: string, start: number, end: number): number {
    const piece = text.slice(start, end);
    this.last = piece.trimEnd().at(-1) ?? this.last;
    this.open = appendText(this.open, piece);
    const state = this.target.add(piece);
    this.offset += end - start;
    if (state !== "open") this.close(state === "refused");
    return end;
  }

  private close(isRefused: boolean): void {
    this.phase = isRefused && this.follow().state !== "closed" ? "refused" : "prose";
    this.open = "";
    this.followed = 0;
    this.before = "";
  }

  /** Follows the brackets in the text that was added since. */
  private follow(): Brackets {
    const { brackets, open } = this;
    const end = brackets.read(open, this.followed, open.length);
    if (end < open.length) brackets.state = "lost"; // how far the text after them was read depends on the chunks
    this.followed = open.length;
    return brackets;
  }

  private get isInList(): boolean {
    return this.follow().inList;
  }
}

/** Follows the brackets of an object outside of strings. */
class Brackets {
  inString = false;
  /** `lost`: they do not match, so only the end of its line ends the object. */
  state: "open" | "closed" | "lost" = "open";
  /** The closing brackets that are expected, the next one last. */
  private readonly closers: string[] = [];
  private escaped = false;

  get inList(): boolean {
    return this.closers.at(-1) === "]";
  }

  /** Reads the next part of a text. Returns where it or the object ends. */
  read(text: string, start: number, end: number): number {
    for (let i = start; i < end; i++) {
      const character = text.charAt(i);
      if (this.escaped) this.escaped = false;
      else if (character === '"') this.inString = !this.inString;
      else if (this.inString) this.escaped = character === "\\";
      else if (character === "{") this.closers.push("}");
      else if (character === "[") this.closers.push("]");
      else if (character === "}" || character === "]") {
        if (this.closers.pop() !== character) this.state = "lost";
        if (this.state === "open" && this.closers.length === 0) this.state = "closed";
        if (this.state === "closed") return i + 1;
      }
    }
    return end;
  }
}

/** Where an operation may begin. */
const opening = /[{"']/g;
/** Where it may end. */
const stop = /[}\r\n]/g;
const space = /\s*/y;
/** More white space than this inside an operation ends it. */
const longestGap = 1_000;
const longestWord = "false".length;

/** Marks that may precede an operation on its line: a bracket of an array, those of a list, quotation or code span. */
function isMarker(text: string | undefined): boolean {
  return text !== undefined && /^[\s,;[\]>*•`-]*(?:\d{1,6}[.)]\s*)?`?$/.test(text);
}
