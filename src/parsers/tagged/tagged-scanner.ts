/** What stands in a text: the beginning of a tag's content, a piece of it, or its end. */
export type TagEvent =
  | { readonly kind: "open"; readonly tag: string }
  | { readonly kind: "text"; readonly text: string }
  /** `cut`: the text ended, and not the tag. */
  | { readonly kind: "close"; readonly cut: boolean };

/**
 * Finds tags of certain names in a text, each character looked at a bounded number of times. Inside a tag only its own end
 * is one: all else is text. What may become a tag is held back, which is shorter than the longest of them.
 */
export class TagScanner {
  private readonly tags: ReadonlyMap<string, string>;
  private readonly anyTag: RegExp;
  /** The end of the open tag. */
  private closing: string | undefined;
  private held = "";

  /** @param names of letters, digits, and what an expression need not escape */
  constructor(names: readonly string[]) {
    this.tags = new Map(names.map((name) => [`<${name}>`, name]));
    this.anyTag = new RegExp(`<(?:${names.join("|")})>`, "g");
  }

  write(piece: string): TagEvent[] {
    const text = this.held + piece;
    const events: TagEvent[] = [];
    let at = 0;
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
        events.push({ kind: "close", cut: false });
        at = end + this.closing.length;
        this.closing = undefined;
      }
    }
    const certain = this.endOfCertain(text, at);
    if (this.closing !== undefined && certain > at)
      events.push({ kind: "text", text: text.slice(at, certain) });
    this.held = text.slice(certain);
    return events;
  }

  end(): TagEvent[] {
    if (this.closing === undefined) return [];
    const { held } = this;
    return [...(held === "" ? [] : [{ kind: "text", text: held } as const]), { kind: "close", cut: true }];
  }

  /** Where what may become a tag begins. No tag has a second `<`. */
  private endOfCertain(text: string, start: number): number {
    const last = text.lastIndexOf("<");
    if (last < start) return text.length;
    const rest = text.slice(last);
    const wanted = this.closing === undefined ? [...this.tags.keys()] : [this.closing];
    return wanted.some((tag) => tag.startsWith(rest)) ? last : text.length;
  }
}
