import { ListError } from "../../list/errors.js";
import type { ListReader } from "../../list/list-reader.js";
import { ThinkingEnd, thinkingAt } from "../../text/around/thinking.js";
import type { ThinkingForm } from "../../text/around/thinking-forms.js";

/**
 * Skips the thinking around a list: `<think>…</think>`, `[THINK]…[/THINK]` and the like (`thinkingForms`) at the start of
 * the text or of a line. Such a tag in any other place is part of the list. The reader gets spaces and a line break
 * instead of thinking after other text, so the offsets are those of the text.
 */
export class AfterThinking implements ListReader {
  private readonly createAt: (offset: number) => ListReader;
  private list: ListReader;
  private thinking: ThinkingEnd | undefined;
  /** The start of what may be a tag. */
  private held = "";
  /** The offset of the next character in the whole text. */
  private offset = 0;
  /** Whether there was other text than thinking. */
  private hasText = false;
  /** Whether the line has only white space so far. */
  private isBlank = true;
  /** The offset of the opening tag in the whole text. */
  private tagOffset = 0;
  /** The number of characters of the thinking that the reader has not got: only the end shows the last one. */
  private owed = 0;

  /** @param createAt creates the reader of the text after an offset */
  constructor(createAt: (offset: number) => ListReader) {
    this.createAt = createAt;
    this.list = createAt(0);
  }

  write(chunk: string): void {
    const text = this.held + chunk;
    let at = 0;
    while (at < text.length) {
      const { thinking } = this;
      const next = thinking === undefined ? this.readList(text, at) : this.readThinking(thinking, text, at);
      if (next === at && this.thinking === thinking) break;
      this.offset += next - at;
      at = next;
    }
    this.held = text.slice(at);
  }

  end(): void {
    if (this.thinking !== undefined) {
      const message =
        `Expected the end of the thinking that begins at offset ${this.tagOffset}, and then a list, ` +
        "but the text ended.";
      throw new ListError("unclosed_thinking", message, { item: 0, offset: this.tagOffset });
    }
    this.list.write(this.held);
    this.list.end();
  }

  /**
   * Reads up to the start of a line that may be thinking.
   *
   * @returns the offset after what was read; the same offset to wait for more text
   */
  private readList(text: string, start: number): number {
    let at = start;
    for (;;) {
      if (this.isBlank) {
        while (at < text.length && isSpace(text.charAt(at))) at++;
        if (at === text.length) break;
        if (mayBegin.test(text.charAt(at))) {
          if (at > start) {
            this.list.write(text.slice(start, at));
            return at;
          }
          const form = this.list.inValue === true ? undefined : thinkingAt(text, at, false);
          if (form === "undecided") return at;
          if (form !== undefined) return this.beginThinking(form, text, at);
        }
        this.isBlank = false;
        this.hasText = true;
      }
      at = text.indexOf("\n", at) + 1;
      if (at === 0) break;
      this.isBlank = true;
    }
    this.list.write(text.slice(start));
    return text.length;
  }

  private beginThinking(form: ThinkingForm, text: string, start: number): number {
    const end = text.indexOf(form.open.slice(-1), start + form.open.length - 1) + 1; // after its attributes
    this.thinking = new ThinkingEnd([form]);
    this.tagOffset = this.offset;
    if (this.hasText) this.list.write(" ".repeat(end - start));
    return end;
  }

  private readThinking(thinking: ThinkingEnd, text: string, start: number): number {
    const end = thinking.read(text, start);
    const next = end < 0 ? text.length : end;
    if (end >= 0) this.thinking = undefined;
    if (this.hasText) {
      this.list.write(" ".repeat(this.owed + next - start - 1) + (end < 0 ? "" : "\n"));
      this.owed = end < 0 ? 1 : 0;
    }
    // The reader before this one has read only white space.
    else if (end >= 0) this.list = this.createAt(this.offset + end - start);
    return next;
  }
}

/** The first character of thinking. */
const mayBegin = /[<[◁]/;

function isSpace(character: string): boolean {
  return character.trim() === "";
}
