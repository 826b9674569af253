import { ListError } from "../../list/errors.js";
import type { CreateListReader, ListReader } from "../../list/list-reader.js";
import { ThinkingEnd, thinkingAt } from "../../text/around/thinking.js";

/**
 * Skips the thinking around a list: `<think>…</think>`, `[THINK]…[/THINK]` and the like (`thinkingForms`) at the start of
 * the text or of a line. Such a tag in any other place is part of the list. The reader gets spaces and a line break
 * instead of thinking after other text, so the offsets are those of the text.
 */
export function afterThinking<Item>(create: CreateListReader<Item>): CreateListReader<Item> {
  return (emit, offset = 0) => new AfterThinking((at) => create(emit, at), offset);
}

/** ` <thi` */
const START = 0;
/** ` <think>Hm` */
const IN_THINKING = 1;
/** ` <think>Hm</think>1.` */
const IN_LIST = 2;
/** `Sure.⏎<thi` */
const MAYBE_THINKING = 3;
type ThinkingState = typeof START | typeof IN_THINKING | typeof IN_LIST | typeof MAYBE_THINKING;

class AfterThinking implements ListReader {
  private readonly createAt: (offset: number) => ListReader;
  private thinking: ThinkingEnd | undefined;
  private state: ThinkingState = START;
  private list: ListReader;
  /** The start of what may be a tag. */
  private held = "";
  /** The offset of the chunk in the whole text. */
  private offset: number;
  /** Whether there was other text than thinking. */
  private hasText = false;
  /** Whether the line has only white space so far. */
  private isBlank = true;
  /** The offset of the opening tag in the whole text. */
  private tagOffset = 0;

  constructor(createAt: (offset: number) => ListReader, offset: number) {
    this.createAt = createAt;
    this.list = createAt(offset);
    this.offset = offset;
  }

  write(text: string): void {
    let i = 0;
    while (i < text.length) {
      if (this.state === IN_LIST) i = this.readList(text, i);
      else i = this.state === IN_THINKING ? this.readThinking(text, i) : this.readStart(text, i);
    }
    this.offset += text.length;
  }

  end(): void {
    if (this.state === IN_THINKING) {
      const message =
        `Expected the end of the thinking that begins at offset ${this.tagOffset}, and then a list, ` +
        "but the text ended.";
      throw new ListError("unclosed_thinking", message, { item: 0, offset: this.tagOffset });
    }
    this.beginList();
    this.list.end();
  }

  /** @returns the offset after what was read */
  private readStart(text: string, start: number): number {
    let i = start;
    if (this.state === START && this.held === "") {
      while (i < text.length && isSpace(text.charAt(i))) i++;
      this.list.write(text.slice(start, i));
      this.tagOffset = this.offset + i;
    }
    for (; i < text.length; i++) {
      this.held += text.charAt(i);
      const form = thinkingAt(this.held, 0, false);
      if (form === "undecided") continue;
      if (form === undefined) this.beginList();
      else {
        this.thinking = new ThinkingEnd([form]);
        if (this.hasText) this.list.write(" ".repeat(this.held.length));
        this.held = "";
        this.state = IN_THINKING;
      }
      return i + 1;
    }
    return i;
  }

  private readThinking(text: string, start: number): number {
    const end = this.thinking?.read(text, start) ?? -1;
    const next = end < 0 ? text.length : end;
    if (this.hasText) {
      this.list.write(" ".repeat(next - start - 1) + (end < 0 ? " " : "\n"));
      if (end >= 0) this.state = IN_LIST;
      return next;
    }
    if (end < 0) return text.length;
    // The reader before this one has read only white space.
    this.list = this.createAt(this.offset + end);
    this.state = START;
    return end;
  }

  /** Reads up to the start of a line that may be thinking. */
  private readList(text: string, start: number): number {
    let at = start;
    for (;;) {
      if (this.isBlank) {
        while (at < text.length && isSpace(text.charAt(at))) at++;
        if (at === text.length) break;
        if (mayBegin.test(text.charAt(at))) {
          this.list.write(text.slice(start, at));
          if (this.list.inValue !== true) {
            this.tagOffset = this.offset + at;
            this.state = MAYBE_THINKING;
            return at;
          }
          start = at;
        }
        this.isBlank = false;
      }
      at = text.indexOf("\n", at) + 1;
      if (at === 0) break;
      this.isBlank = true;
    }
    this.list.write(start === 0 ? text : text.slice(start));
    return text.length;
  }

  private beginList(): void {
    const { held } = this;
    this.held = "";
    this.state = IN_LIST;
    this.hasText = true;
    // The last character is part of no tag. It may end the line.
    this.isBlank = held.endsWith("\n");
    this.list.write(held);
  }
}

/** The first character of thinking. */
const mayBegin = /[<[◁]/;

function isSpace(character: string): boolean {
  return character.trim() === "";
}
