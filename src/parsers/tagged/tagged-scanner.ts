import { ThinkingEnd, thinkingAt } from "../../text/around/thinking.js";
import { type ThinkingForm, thinkingForms } from "../../text/around/thinking-forms.js";

/** The beginning of a tag, a piece of its content, or its end. */
export type TagEvent =
  | { readonly kind: "open"; readonly tag: string }
  | { readonly kind: "text"; readonly text: string }
  /** `truncated`: the text ended before the closing tag. */
  | { readonly kind: "close"; readonly truncated: boolean };

/**
 * Finds tags with certain names in a text. Inside a tag only its own closing tag counts, and everything else is text.
 * Thinking at the start of the text is skipped, unless its tag is one of them.
 * The scanner withholds text that may become a tag, which is shorter than the longest tag. Each character is read a
 * bounded number of times.
 */
export class TagScanner {
  private readonly tags: ReadonlyMap<string, string>;
  private readonly anyTag: RegExp;
  /** The closing tag of the open tag. */
  private closing: string | undefined;
  private held = "";
  /** The forms of thinking that may begin here; `undefined` after other text. */
  private forms: readonly ThinkingForm[] | undefined;
  private thinking: ThinkingEnd | undefined;

  /** @param names without characters that need an escape in a regular expression */
  constructor(names: readonly string[]) {
    this.tags = new Map(names.map((name) => [`<${name}>`, name]));
    this.anyTag = new RegExp(`<(?:${names.join("|")})>`, "g");
    this.forms = thinkingForms.filter(({ open }) => !this.tags.has(open));
  }

  write(piece: string): TagEvent[] {
    const text = this.held + piece;
    const events: TagEvent[] = [];
    let at = this.skipThinking(text);
    for (;;) {
      if (this.closing === undefined) {
        this.anyTag.lastIndex = at;
        const match = this.anyTag.exec(text);
        if (match === null) break;
        const tag = this.tags.get(match[0]) as string;
        this.closing = `</${tag}>`;
        events.push({ kind: "open", tag });
        at = this.anyTag.lastIndex;
      } else {
        const end = text.indexOf(this.closing, at);
        if (end < 0) break;
        if (end > at) events.push({ kind: "text", text: text.slice(at, end) });
        events.push({ kind: "close", truncated: false });
        at = end + this.closing.length;
        this.closing = undefined;
      }
    }
    const end = this.forms === undefined ? this.endOfText(text, at) : at;
    if (this.closing !== undefined && end > at) events.push({ kind: "text", text: text.slice(at, end) });
    this.held = text.slice(end);
    return events;
  }

  /** Returns the index of the first text that is no thinking. */
  private skipThinking(text: string): number {
    let at = 0;
    while (this.forms !== undefined) {
      if (this.thinking !== undefined) {
        const end = this.thinking.read(text, at);
        if (end < 0) return text.length;
        this.thinking = undefined;
        at = end;
      }
      at += text.slice(at).search(/\S|$/);
      const form = thinkingAt(text, at, false, this.forms);
      if (form === "undecided") return at;
      if (form === undefined) this.forms = undefined;
      else this.thinking = new ThinkingEnd([form], true);
    }
    return at;
  }

  end(): TagEvent[] {
    if (this.closing === undefined) return [];
    const { held } = this;
    return [
      ...(held === "" ? [] : [{ kind: "text", text: held } as const]),
      { kind: "close", truncated: true },
    ];
  }

  /** The index of text at the end that may become a tag. A tag has only one `<`, so the last one decides. */
  private endOfText(text: string, start: number): number {
    const last = text.lastIndexOf("<");
    if (last < start) return text.length;
    const rest = text.slice(last);
    const candidates = this.closing === undefined ? [...this.tags.keys()] : [this.closing];
    return candidates.some((tag) => tag.startsWith(rest)) ? last : text.length;
  }
}
