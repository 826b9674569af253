import { quoted } from "../text/cut.js";
import { APOSTROPHE, isForeignComma } from "../text/around/characters.js";
import { itemTooLong, ListError } from "./errors.js";
import { type CreateListReader, type ListBound, type ListReader, maxItemLengthOf } from "./list-reader.js";

/**
 * Reads items separated by commas, also those of Chinese, Japanese and Arabic, or line ends. An item that begins with a quote is quoted as in RFC 4180: it may
 * contain commas, line ends and doubled quotes. White space around an item is dropped.
 *
 * An item is emitted at the comma or line end after it, not earlier: a closing quote may be the first of two, and a
 * space may be inside an item.
 *
 * An array of JSON or Python at the start of the text is read as the list: `["a", "b, c"]`, `['a', "it's"]`, `[1, 2]`. It
 * is one if the bracket is followed by a line end, by a whole string and a comma or the closing bracket, or by a number,
 * `true`, `false` or `null` and a comma.
 */
export function commaReader(options: ListBound): CreateListReader<string> {
  const maxItemLength = maxItemLengthOf(options);
  return (emit, offset) => new CommaReader(emit, maxItemLength, offset);
}

/** The state of the reader, with a text that leads there. */
type CommaState =
  | "between" // `a, `
  | "bare" // `a, b`
  | "quoted" // `a, "b, c`
  | "closed" // `a, "b, c"`; another quote would be part of the item
  | "padded" // `a, "b, c" `
  | "bracket" // `[` at the start of the text
  | "escaped"; // `["a \`, in a JSON array

class CommaReader implements ListReader {
  private readonly emit: (item: string) => void;
  private readonly maxItemLength: number;
  private state: CommaState = "between";
  /** The source text of the open item from earlier chunks. */
  private held = "";
  /** The quote of the open item. */
  private quote = QUOTE;
  /** Are there items in apostrophes, because the first one of an array is? */
  private hasApostrophes = false;
  /** Whether the reader is in a JSON array; `maybe` until its first item has ended. */
  private array: "no" | "maybe" | "yes" = "no";
  /** The brackets that are open in a bare item of a JSON array. */
  private depth = 0;
  /** Whether the open item is the first of its line. */
  private startsLine = true;
  private count = 0;
  /** The offset of the chunk in the whole text. */
  private offset: number;
  /** The offset of the open item in the whole text. */
  private itemOffset = 0;

  constructor(emit: (item: string) => void, maxItemLength: number, offset: number) {
    this.emit = emit;
    this.maxItemLength = maxItemLength;
    this.offset = offset;
  }

  write(text: string): void {
    let start = 0;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if ((isDelimiter(code) || code === CLOSING_BRACKET) && this.endsItem(code)) {
        const endsLine = !isComma(code);
        if (this.state === "bracket" && endsLine) this.skipBracket();
        else if (this.state !== "between") this.finish(text.slice(start, i), endsLine);
        if (code === CLOSING_BRACKET) this.array = "no";
        this.startsLine = endsLine;
        continue;
      }
      if (this.state === "between") {
        start = i;
        this.itemOffset = this.offset + i;
      }
      this.readItem(code);
    }
    if (this.state !== "between") this.hold(text.slice(start));
    this.offset += text.length;
  }

  end(): void {
    if (this.state === "between" || this.state === "bracket") return;
    if (this.state !== "quoted" && this.state !== "escaped") {
      this.finish("", true);
      return;
    }
    this.emit(this.unquoted(this.held));
    const message =
      `Expected a quote at the end of item ${this.count + 1}, which begins at offset ${this.itemOffset}, ` +
      `but the text ended: ${quoted(this.held, 40)}.`;
    throw new ListError("unclosed_quote", message, { item: this.count, offset: this.itemOffset });
  }

  /** Reads a character that ends no item. */
  private readItem(code: number): void {
    switch (this.state) {
      case "between":
      case "bracket":
        if (!isSpace(code)) this.openItem(code);
        return;
      case "quoted":
        if (code === this.quote) this.state = "closed";
        else if (code === BACKSLASH && this.array !== "no") this.state = "escaped";
        return;
      case "escaped":
        this.state = "quoted";
        return;
      case "closed":
        if (isSpace(code)) this.state = "padded";
        else if (code === this.quote && this.array === "no") this.state = "quoted";
        else this.openBare(code);
        return;
      case "padded":
        // `"b" c`: only a part of the item is in quotes, so the quotes belong to the item.
        if (!isSpace(code)) this.openBare(code);
        return;
      case "bare":
        this.countBracket(code);
    }
  }

  /** At the first character of an item, or the first one after a bracket that may belong to it. */
  private openItem(code: number): void {
    const isFirst = this.state === "between";
    const isFirstInArray = !isFirst || (this.array === "yes" && this.count === 0);
    const isApostrophe = code === APOSTROPHE && (isFirstInArray || this.hasApostrophes);
    if (code === QUOTE || isApostrophe) {
      this.state = "quoted";
      this.quote = code;
      if (isFirstInArray) this.hasApostrophes = isApostrophe;
      if (!isFirst) this.array = "maybe";
    } else if (isFirst && code === OPENING_BRACKET && this.count === 0 && this.array === "no") {
      this.state = "bracket";
    } else this.openBare(code);
  }

  /** Whether a comma, line end or closing bracket ends an item, or separates items. */
  private endsItem(code: number): boolean {
    const { state, array } = this;
    if (state === "quoted" || state === "escaped" || this.depth > 0) return false;
    return code !== CLOSING_BRACKET || array !== "no" || state === "bracket";
  }

  /** `[` and a line end, or `[]`: the bracket is not a part of an item. */
  private skipBracket(): void {
    this.array = "yes";
    this.state = "between";
    this.held = "";
  }

  private openBare(code: number): void {
    if (this.array === "maybe") this.array = "no";
    this.state = "bare";
    this.countBracket(code);
  }

  /** A bare item of a JSON array contains the commas in its brackets. */
  private countBracket(code: number): void {
    if (this.array === "no") return;
    if (code === OPENING_BRACKET || code === OPENING_BRACE) this.depth++;
    else if (this.depth > 0 && (code === CLOSING_BRACKET || code === CLOSING_BRACE)) this.depth--;
  }

  private hold(piece: string): void {
    this.held += piece;
    if (this.held.length > this.maxItemLength) {
      throw itemTooLong(this.maxItemLength, this.held, { item: this.count, offset: this.itemOffset });
    }
  }

  private finish(piece: string, endsLine: boolean): void {
    this.hold(piece);
    const written = this.held.trimEnd();
    const quoted = this.state === "closed" || this.state === "padded";
    this.held = "";
    this.state = "between";
    if (endsLine && this.startsLine && fence.test(written)) return;
    const isFirstOfArray = this.count++ === 0 && !endsLine && literalInArray.test(written);
    if (quoted) this.emit(this.unquoted(written.slice(0, -1)));
    else this.emit(isFirstOfArray ? written.slice(1).trimStart() : written);
    if (this.array === "maybe" || isFirstOfArray) this.array = "yes";
  }

  /**
   * The text of an item in quotes, without the last of them. Before the first one is at most the bracket of an array.
   */
  private unquoted(written: string): string {
    const text = written.slice(written.indexOf(String.fromCharCode(this.quote)) + 1);
    return this.array === "no" ? text.replaceAll('""', '"') : unescaped(text);
  }
}

/** A line that opens or closes a fenced block: "```", "```csv". */
const fence = /^(?:`{3,}|~{3,})[\w-]*$/;

/** The first item of an array of bare values: "[1". Words in brackets may be a link or a reference. */
const literalInArray = /^\[\s*(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[tT]rue|[fF]alse|null|None)$/;

const COMMA = 0x2c;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** A carriage return counts: between it and the line feed there is no text, and so no item. */
function isDelimiter(code: number): boolean {
  return isComma(code) || code === 0x0a || code === 0x0d;
}

function isComma(code: number): boolean {
  return code === COMMA || isForeignComma(code);
}

/** The white space of `trimEnd()`: both ends of an item are trimmed by the same rule. */
function isSpace(code: number): boolean {
  return code < 0x80 ? code === 0x20 || (code >= 0x09 && code <= 0x0d) : /\s/.test(String.fromCharCode(code));
}

/** The content of a string of JSON or Python; as it is written if it is not valid. */
function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text.replace(/\\'/g, "'").replace(/(?<!\\)"/g, '\\"')}"`) as string;
  } catch {
    return text;
  }
}
