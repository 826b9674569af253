import { isBlank, isMark } from "../text/around/characters.js";
import { itemTooLong } from "./errors.js";
import { type CreateListReader, type ListBound, type ListReader, maxItemLengthOf } from "./list-reader.js";
import { type Markers, openEmphasisOf } from "./markers.js";

/** The options of `lineReader()`. */
export interface LineReaderOptions extends ListBound {
  /**
   * Whether the indented lines below an item belong to it, joined by line feeds. An item is then emitted only after the
   * next line has begun. Default: false, these lines are skipped.
   */
  readonly continuation?: boolean;
}

/** Makes an item of the text after its marker, its depth (from 0), and the marker. */
export type ToItem<Item> = (text: string, depth: number, marker: string) => Item;

/**
 * Reads a list in which each item begins a line with a marker, mostly with white space after it, perhaps in a quotation (`> `). All other
 * lines are skipped: prose, fences, blank lines, and rules (`---`, `* * *`). A fence that begins an item or is indented
 * inside one has no items. An item is emitted at the end of its line.
 *
 * The first item may follow a colon on its line, `Sure: 1. foo`, if the markers allow it.
 */
export function lineReader<Item>(
  markers: Markers,
  toItem: ToItem<Item>,
  options: LineReaderOptions,
): CreateListReader<Item> {
  const { continuation = false } = options;
  const rules = { markers, toItem, continuation, maxItemLength: maxItemLengthOf(options) };
  return (emit, offset) => new LineReader(rules, emit, offset);
}

interface LineRules<Item> extends Required<LineReaderOptions> {
  readonly markers: Markers;
  readonly toItem: ToItem<Item>;
}

/** The part of a line that was read, with a text that leads there. */
type LinePhase =
  | "indent" // `  ` at the start of a line
  | "marker" // `  1`, the start of a marker; `  1.`, a marker if white space follows
  | "gap" // `  1. `
  | "fence" // ````   `` ````, the start of a fence inside an item
  | "colon" // `Prose:**`
  | "after_colon" // `Prose: `
  | "text" // `  1. item`
  | "more" // `     more of it`
  | "other"; // `Prose`

class LineReader<Item> implements ListReader {
  private readonly rules: LineRules<Item>;
  private readonly emit: (item: Item) => void;

  private phase: LinePhase = "indent";
  /** How far the line is indented, in columns. */
  private column = 0;
  /** How many `>` begin the line. */
  private quotes = 0;
  private marker = "";
  private markerOffset = 0;
  /** Whether the marker follows a colon. */
  private introduced = false;
  /** The text of the open item's current line from earlier chunks. */
  private held = "";

  private item: OpenItem | undefined;
  /** The open fence inside an item. It ends with such a line, or before a line that is indented less. */
  private fence: { readonly column: number; readonly ticks: string } | undefined;
  /** The columns of the open items, outermost first. */
  private readonly columns: number[] = [];
  private count = 0;
  /** The offset of the chunk in the whole text. */
  private offset: number;

  constructor(rules: LineRules<Item>, emit: (item: Item) => void, offset: number) {
    this.rules = rules;
    this.emit = emit;
    this.offset = offset;
  }

  write(text: string): void {
    for (let i = 0; i < text.length;) {
      const { phase } = this;
      if (phase === "text" || phase === "more" || phase === "other") i = this.readRest(text, i);
      else if (this.readStart(text.charAt(i), i)) i++;
    }
    this.offset += text.length;
  }

  end(): void {
    if (this.phase === "fence" || (this.phase === "marker" && !this.hasMarker())) this.openOther();
    this.endLine();
    this.finish();
  }

  /** Reads the rest of a line whose kind is known, of prose up to a colon. @returns the offset after it */
  private readRest(text: string, start: number): number {
    if (this.columns.length === 0) {
      introductionEnd.lastIndex = start;
      const found = introductionEnd.exec(text);
      if (found !== null && found[0] !== "\n") {
        this.phase = found[0] === ":" ? "colon" : "after_colon";
        return found.index + 1;
      }
    }
    const lineEnd = text.indexOf("\n", start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    if (this.phase !== "other") this.hold(text.slice(start, end));
    if (lineEnd < 0) return end;
    this.endLine();
    return end + 1;
  }

  /** Reads one character at the start of a line. @returns false if the next phase must read it again */
  private readStart(character: string, i: number): boolean {
    const blank = isSpace(character);
    switch (this.phase) {
      case "indent":
        return this.readIndent(character, blank, i);
      case "marker":
        return this.readMarker(character, blank);
      case "fence":
        return this.readFence(character);
      case "colon":
        if (blank) this.phase = "after_colon";
        else if (character !== "*" && character !== "_") {
          this.phase = "other";
          return false;
        }
        return true;
      case "after_colon":
        if (blank) return true;
        this.introduced = true;
        return this.beginMarker(i);
      default:
        if (!blank) this.phase = "text";
        return blank;
    }
  }

  private readIndent(character: string, blank: boolean, i: number): boolean {
    if (character === "\n") this.endLine();
    else if (isIgnored(character)) return true;
    else if (blank) this.column += character === "\t" ? TAB - (this.column % TAB) : 1;
    else if (character === ">" && !this.isInside() && !this.isInFence()) {
      this.quotes++;
      this.column = 0;
    } else {
      if (!this.isInside()) this.finish();
      if (!this.isInFence()) this.fence = undefined;
      return this.beginMarker(i, isTick(character) && this.column > (this.columns[0] ?? Infinity));
    }
    return true;
  }

  /** Whether the line is indented as far as the open fence. */
  private isInFence(): boolean {
    return this.fence !== undefined && this.column >= this.fence.column;
  }

  private readFence(character: string): boolean {
    const { marker, column, fence } = this;
    if ((marker === "" || marker.startsWith(character)) && marker.length < longestFence) {
      this.marker += character;
      return true;
    }
    if (marker.length >= 3) {
      if (fence === undefined) this.fence = { column, ticks: marker };
      else if (marker.startsWith(fence.ticks)) this.fence = undefined;
    }
    this.openOther();
    return false;
  }

  private readMarker(character: string, blank: boolean): boolean {
    if (this.fence !== undefined) {
      this.openOther();
      return false;
    }
    // `1.` and a line end: an item without text so far.
    const isOver = blank || character === "\n" || character === "\r";
    if (!isOver && this.rules.markers.kindOf(this.marker + character) !== "none") {
      this.marker += character;
      return true;
    }
    if (this.hasMarker() && (isOver || this.rules.markers.mayAdjoin(this.marker, character))) this.openItem();
    else this.openOther();
    return false;
  }

  private beginMarker(i: number, isFence = false): false {
    this.phase = isFence ? "fence" : "marker";
    this.marker = "";
    this.markerOffset = this.offset + i;
    return false;
  }

  private hasMarker(): boolean {
    const { marker, introduced } = this;
    const { markers } = this.rules;
    return markers.kindOf(marker) === "marker" && (!introduced || markers.mayFollowColon(marker));
  }

  /** After a marker: ends the open item, and opens the next one. */
  private openItem(): void {
    this.finish();
    const { column, quotes, marker, markerOffset: offset } = this;
    const depth = this.depthOf(column);
    this.item = { column, quotes, marker, offset, depth, lines: [], length: 0, blanks: 0 };
    this.phase = "gap";
  }

  /**
   * How deep an item of this column is, from 0. It is inside the item before it if it is indented by two more columns:
   * models indent by two, three or four, whatever the width of the marker, and a single column is a mistake.
   */
  private depthOf(column: number): number {
    const { columns } = this;
    while (columns.length > 0 && column < (columns.at(-1) as number) + 2) columns.pop();
    columns.push(column);
    return columns.length - 1;
  }

  /** The line has no marker: it belongs to the open item, or not to the list. */
  private openOther(): void {
    const { item } = this;
    if (item === undefined) this.phase = "other";
    else {
      item.length += item.blanks;
      this.phase = "more";
      this.hold(this.marker);
      for (; item.blanks > 0; item.blanks--) item.lines.push("");
    }
  }

  /** Whether the line is indented further than the open item, in the same quotation. */
  private isInside(): boolean {
    const { item, column, quotes } = this;
    return item !== undefined && column > item.column && quotes === item.quotes;
  }

  private hold(piece: string): void {
    this.held += piece;
    const { item, held } = this;
    const { maxItemLength } = this.rules;
    if (item === undefined || item.length + held.length <= maxItemLength) return;
    throw itemTooLong(maxItemLength, item.lines[0] ?? held, { item: this.count, offset: item.offset });
  }

  private endLine(): void {
    const { item, phase } = this;
    if (item !== undefined) {
      if (phase === "indent") item.blanks++;
      else {
        const ticks = item.lines.length === 0 ? fenceAtStart.exec(this.held)?.[1] : undefined;
        if (ticks !== undefined)
          this.fence = { column: item.column + 1, ticks: ticks.slice(0, longestFence) };
        item.lines.push(this.held.trimEnd());
        item.length += this.held.length + 1;
      }
      if (!this.rules.continuation) this.finish();
    }
    this.phase = "indent";
    this.column = 0;
    this.quotes = 0;
    this.introduced = false;
    this.held = "";
  }

  private finish(): void {
    const { item } = this;
    if (item === undefined) return;
    this.item = undefined;
    // If the first line has only a marker, the text begins on the next line.
    const text = withoutMarksAtEnd(item.lines.join("\n").trim());
    if (text === "" || isRule(item.marker, text)) return;
    this.count++;
    this.emit(this.rules.toItem(openEmphasisOf(item.marker) + text, item.depth, item.marker));
  }
}

interface OpenItem {
  readonly column: number;
  readonly quotes: number;
  readonly marker: string;
  readonly offset: number;
  readonly depth: number;
  readonly lines: string[];
  /** The length of its lines in the source text. */
  length: number;
  /** Blank lines after its text. They belong to it if more text follows. */
  blanks: number;
}

const TAB = 4;
/** The fence with which an item begins, maybe after more markers. */
const fenceAtStart = /^(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`]*$)|~{3,}(?=[^~]*$))/;
/** Longer fences count as this long. */
const longestFence = 64;

const introductionEnd = /[:：\n]/g;

/** The marks after a text of the other direction are no part of it. */
function withoutMarksAtEnd(text: string): string {
  let end = text.length;
  while (isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}

/** A character of which three begin a fence, and as many end it. */
function isTick(character: string): boolean {
  return character === "`" || character === "~";
}

/** White space in a line, or a character without width. */
function isSpace(character: string): boolean {
  return character >= "\u0080" ? isBlank(character.charCodeAt(0)) : character === " " || character === "\t";
}

/** A carriage return before its line feed, or a character without width, such as a byte order mark. */
function isIgnored(character: string): boolean {
  return character === "\r" || isMark(character.charCodeAt(0));
}

/** Whether the line is a rule, such as `- - -`, and not an item. */
function isRule(marker: string, text: string): boolean {
  const rule = marker === "-" ? /^(?:-[ \t]*){2,}$/ : marker === "*" ? /^(?:\*[ \t]*){2,}$/ : undefined;
  return rule?.test(text) ?? false;
}
