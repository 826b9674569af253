import { Thinking } from "../../json/extract/tag.js";
import { ListError } from "../../list/errors.js";
import type { CreateListReader, ListReader } from "../../list/list-reader.js";

/**
 * The machine of a list behind what the model thinks: `<think>…</think>` or `<thinking>…</thinking>`, one or more, which
 * begin the text but for white space. A tag in any other place is text of the list.
 */
export function behindThinking<Item>(create: CreateListReader<Item>): CreateListReader<Item> {
  return (emit, offset = 0) => new BehindThinking((at) => create(emit, at), offset);
}

/** ` <thi` */
const START = 0;
/** ` <think>Hm` */
const IN_THINKING = 1;
/** ` <think>Hm</think>1.` */
const IN_LIST = 2;
type State = typeof START | typeof IN_THINKING | typeof IN_LIST;

class BehindThinking implements ListReader {
  private readonly createAt: (offset: number) => ListReader;
  private readonly thinking = new Thinking();
  private state: State = START;
  private list: ListReader;
  /** What may become a tag. */
  private held = "";
  /** Of the chunk, and of the tag. */
  private offset: number;
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
        `Expected the end of the thinking that begins at offset ${this.tagOffset}, and a list behind it, ` +
        "but the text ended in it.";
      throw new ListError("unclosed_thinking", message, { item: 0, offset: this.tagOffset });
    }
    this.beginList();
    this.list.end();
  }

  /** @returns where to go on */
  private readStart(text: string, start: number): number {
    let i = start;
    if (this.held === "") {
      while (i < text.length && isSpace(text.charAt(i))) i++;
      this.list.write(text.slice(start, i));
      this.tagOffset = this.offset + i;
    }
    for (; i < text.length; i++) {
      this.held += text.charAt(i);
      const begun = this.held.toLowerCase();
      if (!tags.some((tag) => tag.startsWith(begun))) {
        this.beginList();
        return i + 1;
      }
      if (begun.endsWith(">")) {
        this.thinking.begin(begun.slice(1, -1));
        this.held = "";
        this.state = IN_THINKING;
        return i + 1;
      }
    }
    return i;
  }

  private readThinking(text: string, start: number): number {
    for (let i = start; i < text.length; i++) {
      if (!this.thinking.read(text.charCodeAt(i))) continue;
      // The one before has read white space only.
      this.list = this.createAt(this.offset + i + 1);
      this.state = START;
      return i + 1;
    }
    return text.length;
  }

  private beginList(): void {
    const { held } = this;
    this.held = "";
    this.state = IN_LIST;
    this.list.write(held);
  }
}

const tags = ["<think>", "<thinking>"];

function isSpace(character: string): boolean {
  return character.trim() === "";
}
