import { quoted } from "../text/cut.js";
import { itemTooLong, ListError } from "./errors.js";
import { type CreateListReader, type ListBound, type ListReader, maxItemLengthOf } from "./list-reader.js";

/**
 * Reads items separated by commas or line ends. An item that begins with a quote is quoted as in RFC 4180: it may contain
 * commas, line ends and doubled quotes. White space around an item is dropped.
 *
 * An item is emitted at the comma or line end after it, not earlier: a closing quote may be the first of two, and a space may
 * be inside an item.
 */
export function commaReader(options: ListBound = {}): CreateListReader<string> {
  const maxItemLength = maxItemLengthOf(options);
  return (emit, offset = 0) => new CommaReader(emit, maxItemLength, offset);
}

/** `a, ` */
const BETWEEN = 0;
/** `a, b` */
const BARE = 1;
/** `a, "b, c` */
const QUOTED = 2;
/** `a, "b, c"`; another quote would be part of the item */
const CLOSED = 3;
/** `a, "b, c" ` */
const PADDED = 4;
type State = typeof BETWEEN | typeof BARE | typeof QUOTED | typeof CLOSED | typeof PADDED;

class CommaReader implements ListReader {
  private readonly emit: (item: string) => void;
  private readonly maxItemLength: number;
  private state: State = BETWEEN;
  /** The source text of the open item from earlier chunks. */
  private held = "";
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
      if (this.state !== QUOTED && isDelimiter(code)) {
        if (this.state !== BETWEEN) this.finish(text.slice(start, i), code !== COMMA);
        this.startsLine = code !== COMMA;
        continue;
      }
      switch (this.state) {
        case BETWEEN:
          if (isSpace(code)) break;
          start = i;
          this.itemOffset = this.offset + i;
          this.state = code === QUOTE ? QUOTED : BARE;
          break;
        case QUOTED:
          if (code === QUOTE) this.state = CLOSED;
          break;
        case CLOSED:
          this.state = code === QUOTE ? QUOTED : isSpace(code) ? PADDED : BARE;
          break;
        case PADDED:
          // `"b" c`: only a part of the item is in quotes, so the quotes belong to the item.
          if (!isSpace(code)) this.state = BARE;
          break;
        case BARE:
          break;
      }
    }
    if (this.state !== BETWEEN) this.hold(text.slice(start));
    this.offset += text.length;
  }

  end(): void {
    if (this.state === BETWEEN) return;
    if (this.state !== QUOTED) {
      this.finish("", true);
      return;
    }
    this.emit(unquoted(this.held.slice(1)));
    const message =
      `Expected a quote at the end of item ${this.count + 1}, which begins at offset ${this.itemOffset}, ` +
      `but the text ended: ${quoted(this.held, 40)}.`;
    throw new ListError("unclosed_quote", message, { item: this.count, offset: this.itemOffset });
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
    const quoted = this.state === CLOSED || this.state === PADDED;
    this.held = "";
    this.state = BETWEEN;
    if (!quoted && endsLine && this.startsLine && fence.test(written)) return;
    this.count++;
    this.emit(quoted ? unquoted(written.slice(1, -1)) : written);
  }
}

/** A line that opens or closes a fenced block: "```", "```csv". */
const fence = /^(?:`{3,}|~{3,})[\w-]*$/;

const COMMA = 0x2c;
const QUOTE = 0x22;

/** A carriage return counts: between it and the line feed there is no text, and so no item. */
function isDelimiter(code: number): boolean {
  return code === COMMA || code === 0x0a || code === 0x0d;
}

/** The white space of `trimEnd()`: both ends of an item are trimmed by the same rule. */
function isSpace(code: number): boolean {
  return code < 0x80 ? code === 0x20 || (code >= 0x09 && code <= 0x0d) : /\s/.test(String.fromCharCode(code));
}

function unquoted(text: string): string {
  return text.replaceAll('""', '"');
}
