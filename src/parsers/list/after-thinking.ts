import { ListError } from "../../list/errors.js";
import type { CreateListReader, ListReader } from "../../list/list-reader.js";
import { ThinkingEnd, thinkingAt } from "../../text/around/thinking.js";

/**
 * Skips the thinking before a list: one or more `<think>…</think>`, `[THINK]…[/THINK]` and the like (`thinkingForms`)
 * at the start of the text, with white space around them. Such a tag in any other place is part of the list.
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
type ThinkingState = typeof START | typeof IN_THINKING | typeof IN_LIST;

class AfterThinking implements ListReader {
  private readonly createAt: (offset: number) => ListReader;
  private thinking: ThinkingEnd | undefined;
  private state: ThinkingState = START;
  private list: ListReader;
  /** The start of what may be a tag. */
  private held = "";
  /** The offset of the chunk in the whole text. */
  private offset: number;
  /** The offset of the opening tag in the whole text. */
  private tagOffset = 0;

  constructor(createAt: (offset: number) => ListReader, offset: number) {
    this.createAt = createAt;
    this.list = createAt(offset);
    this.offset = offset;
  }

  write(text: string): void {
    let i = 0;
    while (this.state !== IN_LIST && i < text.length) {
      i = this.state === START ? this.readStart(text, i) : this.readThinking(text, i);
    }
    this.offset += text.length;
    if (i < text.length) this.list.write(i === 0 ? text : text.slice(i));
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
    if (this.held === "") {
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
        this.held = "";
        this.state = IN_THINKING;
      }
      return i + 1;
    }
    return i;
  }

  private readThinking(text: string, start: number): number {
    const end = this.thinking?.read(text, start) ?? -1;
    if (end < 0) return text.length;
    // The reader before this one has read only white space.
    this.list = this.createAt(this.offset + end);
    this.state = START;
    return end;
  }

  private beginList(): void {
    const { held } = this;
    this.held = "";
    this.state = IN_LIST;
    this.list.write(held);
  }
}

function isSpace(character: string): boolean {
  return character.trim() === "";
}
