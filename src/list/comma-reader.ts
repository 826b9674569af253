import { type ListBound, maxItemLengthOf } from "./bound.js";
import { excerpt, itemTooLong, ListError } from "./errors.js";
import type { CreateListReader, ListReader } from "./list-reader.js";

/**
 * Reads items between commas and line ends. One that begins with a quote is quoted as in RFC 4180: commas, line ends and
 * doubled quotes inside it are its own. White space around an item is not part of it.
 *
 * An item is certain at the comma or line end behind it, and not before: a closing quote may be half of a doubled one,
 * and a space may stand inside an item.
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
/** `a, "b, c"`, where a further quote would be one of the item */
const CLOSED = 3;
/** `a, "b, c" ` */
const PADDED = 4;
type State = typeof BETWEEN | typeof BARE | typeof QUOTED | typeof CLOSED | typeof PADDED;

class CommaReader implements ListReader {
  private readonly emit: (item: string) => void;
  private readonly maxItemLength: number;
  private state: State = BETWEEN;
  /** The open item as it is written, as far as it was in earlier chunks. */
  private held = "";
  /** Whether nothing but white space stands before the open item in its line. */
  private startsLine = true;
  private count = 0;
  /** Of the chunk, and of the open item. */
  private offset: number;
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
          // `"b" c`: it was not the whole item that stands in quotes, so they are part of it.
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
    const known = unquoted(this.held.slice(1));
    this.emit(known);
    const message =
      `Expected a quote at the end of item ${this.count + 1}, which begins at offset ${this.itemOffset}, ` +
      `but the text ended in it: ${excerpt(this.held)}.`;
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

/** The line that opens or closes a fenced block: "```", "```csv". */
const fence = /^(?:`{3,}|~{3,})[\w-]*$/;

const COMMA = 0x2c;
const QUOTE = 0x22;

/** A carriage return is one too: what stands between it and the line feed is nothing, and nothing is no item. */
function isDelimiter(code: number): boolean {
  return code === COMMA || code === 0x0a || code === 0x0d;
}

/** What `trimEnd()` takes for white space, so that both ends of an item are treated alike. */
function isSpace(code: number): boolean {
  return code < 0x80 ? code === 0x20 || (code >= 0x09 && code <= 0x0d) : /\s/.test(String.fromCharCode(code));
}

function unquoted(text: string): string {
  return text.replaceAll('""', '"');
}
