import { type ListBound, maxItemLengthOf } from "./bound.js";
import { Depths } from "./depths.js";
import { itemTooLong } from "./errors.js";
import type { CreateListReader, ListReader } from "./list-reader.js";
import type { Markers } from "./markers.js";

/** The options of `lineReader()`. */
export interface LineReaderOptions extends ListBound {
  /**
   * The indented lines below an item are more of its text, with line feeds between them. An item is then certain only
   * when the next line has begun. Default: false, they are skipped.
   */
  readonly continuation?: boolean;
}

/** What stands behind a marker, how deep the item stands (from 0), and the marker. */
export type ToItem<Item> = (text: string, depth: number, marker: string) => Item;

/**
 * Reads a list of which each item begins a line with a marker and white space. All other lines are skipped: prose, fences,
 * blank lines, and rules (`---`, `* * *`). An item is certain at the end of its line.
 */
export function lineReader<Item>(
  markers: Markers,
  toItem: ToItem<Item>,
  options: LineReaderOptions = {},
): CreateListReader<Item> {
  const maxItemLength = maxItemLengthOf(options);
  const continuation = options.continuation ?? false;
  return (emit, offset = 0) => new LineReader(emit, markers, toItem, continuation, maxItemLength, offset);
}

/** `  ` at the beginning of a line */
const INDENT = 0;
/** `  1`, which may become a marker */
const MARKER = 1;
/** `  1.`, which is one if white space follows */
const MARKED = 2;
/** `  1. ` */
const GAP = 3;
/** `  1. item` */
const TEXT = 4;
/** `     more of it` */
const MORE = 5;
/** `Prose` */
const OTHER = 6;
type Phase =
  typeof INDENT | typeof MARKER | typeof MARKED | typeof GAP | typeof TEXT | typeof MORE | typeof OTHER;

class LineReader<Item> implements ListReader {
  private readonly emit: (item: Item) => void;
  private readonly markers: Markers;
  private readonly toItem: ToItem<Item>;
  private readonly continuation: boolean;
  private readonly maxItemLength: number;

  private phase: Phase = INDENT;
  /** Where in its line the first character stands, in columns. */
  private column = 0;
  private marker = "";
  private markerOffset = 0;
  /** What the earlier chunks have of a line of the item. */
  private held = "";

  /** Of the open item. */
  private item: OpenItem | undefined;
  private readonly depths = new Depths();
  private count = 0;
  /** Of the chunk. */
  private offset: number;

  constructor(
    emit: (item: Item) => void,
    markers: Markers,
    toItem: ToItem<Item>,
    continuation: boolean,
    maxItemLength: number,
    offset: number,
  ) {
    this.emit = emit;
    this.markers = markers;
    this.toItem = toItem;
    this.continuation = continuation;
    this.maxItemLength = maxItemLength;
    this.offset = offset;
  }

  write(text: string): void {
    for (let i = 0; i < text.length;) {
      if (this.phase >= TEXT) i = this.readOn(text, i);
      else if (this.take(text.charAt(i), i)) i++;
    }
    this.offset += text.length;
  }

  end(): void {
    if (this.phase === MARKER) this.beginOther();
    this.endLine();
    this.finish();
  }

  /** The rest of a line of which nothing more has to be found out. @returns where to go on */
  private readOn(text: string, start: number): number {
    const lineEnd = text.indexOf("\n", start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    if (this.phase !== OTHER) this.hold(text.slice(start, end));
    if (lineEnd < 0) return end;
    this.endLine();
    return end + 1;
  }

  /** One character at the beginning of a line. @returns false if it is to be looked at again in the next phase */
  private take(character: string, i: number): boolean {
    const blank = character === " " || character === "\t";
    switch (this.phase) {
      case INDENT:
        if (character === "\n") this.endLine();
        else if (blank) this.column += character === "\t" ? TAB - (this.column % TAB) : 1;
        else if (!isNothing(character)) {
          if (!this.isInside()) this.finish();
          this.phase = MARKER;
          this.markerOffset = this.offset + i;
          return false;
        }
        return true;
      case MARKER: {
        const step = this.markers(this.marker, character);
        if (step === "none") {
          this.beginOther();
          return false;
        }
        if (step === "whole") this.phase = MARKED;
        this.marker += character;
        return true;
      }
      case MARKED:
        // `1.` and a line end: an item without text so far.
        if (blank || character === "\n" || character === "\r") this.begin();
        else this.beginOther();
        return false;
      default:
        if (!blank) this.phase = TEXT;
        return blank;
    }
  }

  /** There is a marker: what was open has ended. */
  private begin(): void {
    this.finish();
    const { column, marker, markerOffset: offset } = this;
    this.item = { column, marker, offset, depth: this.depths.enter(column), lines: [], length: 0, blanks: 0 };
    this.phase = GAP;
  }

  /** There is none: the line is more of the open item, or nothing of the list. */
  private beginOther(): void {
    const { item } = this;
    if (item !== undefined && this.isInside()) {
      item.length += item.blanks;
      this.phase = MORE;
      this.hold(this.marker);
      for (; item.blanks > 0; item.blanks--) item.lines.push("");
    } else {
      this.finish();
      this.phase = OTHER;
    }
  }

  /** Whether the line is indented further than the open item. */
  private isInside(): boolean {
    return this.item !== undefined && this.column > this.item.column;
  }

  private hold(piece: string): void {
    this.held += piece;
    const { item, maxItemLength, held } = this;
    if (item === undefined || item.length + held.length <= maxItemLength) return;
    const begun = item.lines[0] ?? held;
    throw itemTooLong(maxItemLength, begun, { item: this.count, offset: item.offset });
  }

  private endLine(): void {
    const { item, phase } = this;
    if (item !== undefined) {
      if (phase === INDENT) item.blanks++;
      else {
        item.lines.push(this.held.trimEnd());
        item.length += this.held.length + 1;
      }
      if (!this.continuation) this.finish();
    }
    this.phase = INDENT;
    this.column = 0;
    this.marker = "";
    this.held = "";
  }

  private finish(): void {
    const { item } = this;
    if (item === undefined) return;
    this.item = undefined;
    // Where the first line has a marker only, the text begins on the next one.
    const text = item.lines.join("\n").trim();
    if (text === "" || isRule(item.marker, text)) return;
    this.count++;
    this.emit(this.toItem(text, item.depth, item.marker));
  }
}

interface OpenItem {
  readonly column: number;
  readonly marker: string;
  readonly offset: number;
  readonly depth: number;
  readonly lines: string[];
  /** Of its lines as they are written. */
  length: number;
  /** Blank lines, which are part of it if more follows. */
  blanks: number;
}

const TAB = 4;

/** A carriage return before its line feed, and the byte order mark before a text. */
function isNothing(character: string): boolean {
  return character === "\r" || character === "\uFEFF";
}

/** `- - -`: a line across the page, and no item. */
function isRule(marker: string, text: string): boolean {
  const rule = marker === "-" ? /^(?:-[ \t]*){2,}$/ : marker === "*" ? /^(?:\*[ \t]*){2,}$/ : undefined;
  return rule?.test(text) ?? false;
}
