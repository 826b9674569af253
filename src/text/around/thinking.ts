import { isBlank } from "./characters.js";
import { type ThinkingForm, thinkingForms } from "./thinking-forms.js";

const maxAttributes = 100;

/** The form whose opening text is at this place; "undecided" if only more text can tell. */
export function thinkingAt(
  text: string,
  start: number,
  isEnd: boolean,
  forms: readonly ThinkingForm[] = thinkingForms,
): ThinkingForm | "undecided" | undefined {
  let isUndecided = false;
  for (const form of forms) {
    const isElement = form.close.startsWith("</");
    const length = form.open.length - (isElement ? 1 : 0);
    const known = text.slice(start, start + length);
    if (!form.open.startsWith(isElement ? known.toLowerCase() : known)) continue;
    // `<think>`, `<think >`, `<thinking budget="5">`
    const rest = isElement ? text.slice(start + length, start + length + maxAttributes) : ">";
    if (known.length === length && /^(?:\s[^<>\n]*)?>/.test(rest)) return form;
    isUndecided ||= known.length < length || (rest.length < maxAttributes && /^(?:\s[^<>\n]*)?$/.test(rest));
  }
  return isUndecided && !isEnd ? "undecided" : undefined;
}

/**
 * Searches for the end of thinking, in any chunks. White space may come before the `>` of an element: of
 * `new ThinkingEnd([{ open: "<think>", close: "</think>" }])`, `read("Hm.</thi", 0)` is -1, and `read("nk >[1]", 0)` is
 * 4, the index after the end. A closing tag in quotes, as in "`</think>` ends it", is a mention. The character after it
 * tells, so the end may be at the start of the next text.
 */
export class ThinkingEnd {
  private readonly ends: readonly string[];
  /** The tags that begin such thinking inside it, whose ends do not count. */
  private readonly opens: readonly string[];
  private nested: number;
  /** The last two characters of the text before, and the quotes around the tag that has begun. */
  private last = "";
  private isQuoted = false;
  private quote: string | undefined;
  /** Whether a closing tag was read that this quote would make a mention. */
  private mayBeMention = false;
  /** The part of a tag that was read last, without white space. It is empty in most of the text. */
  private matched = "";

  /**
   * @param mayNest whether thinking may be in such thinking: the end of `<think>a <think>b</think>` is to come. Then the
   * text begins with the opening tag. Calls and tags in a draft must not count, so theirs may; a document may follow the
   * first end, because models also mention the tag
   */
  constructor(forms: readonly ThinkingForm[], mayNest = false) {
    this.ends = forms.map(({ close }) => close.toLowerCase());
    this.nested = mayNest ? -1 : 0;
    this.opens = mayNest ? forms.map(({ open }) => open.toLowerCase()) : [];
  }

  /** Returns the index after the end; -1 if the text has none. */
  read(text: string, start: number): number {
    for (let i = start; i < text.length; i++) {
      if (this.mayBeMention) {
        this.mayBeMention = false;
        if (text.charAt(i) !== this.quote && --this.nested < 0) return i;
      }
      if (this.matched === "") {
        if (!mayBegin.has(text.charCodeAt(i))) continue;
        const before = this.before(text, start, i);
        this.isQuoted = /["'`]$/.test(before);
        this.quote = opensQuote.test(before) ? closeOf(before.slice(-1)) : undefined;
      }
      const tag = this.tagAt(text.charAt(i).toLowerCase());
      if (tag === undefined) continue;
      if (this.opens.includes(tag)) {
        if (!this.isQuoted) this.nested++;
      } else if (this.quote !== undefined) this.mayBeMention = true;
      else if (--this.nested < 0) return i + 1;
    }
    this.last = this.before(text, start, text.length);
    return -1;
  }

  /** The two characters before an index. */
  private before(text: string, start: number, at: number): string {
    return at - start > 1 ? text.slice(at - 2, at) : (this.last + text.slice(start, at)).slice(-2);
  }

  /** Returns the tag that ends with this character. */
  private tagAt(character: string): string | undefined {
    const { ends, opens, matched } = this;
    const has = (test: (tag: string) => boolean): boolean => ends.some(test) || opens.some(test);
    const longer = matched + character;
    if (has((tag) => tag === longer)) {
      this.matched = "";
      return longer;
    }
    if (has((tag) => tag.startsWith(longer))) this.matched = longer;
    else if (!ends.includes(`${matched}>`) || !isBlank(character.charCodeAt(0))) {
      // The first character of a tag is at its start only, so no shorter part can continue.
      this.matched = has((tag) => tag.startsWith(character)) ? character : "";
    }
    return undefined;
  }
}

/** A quote that opens, at the end of two characters. */
const opensQuote = /(?:^|[^\w.!?,;])["'`\u201c]$/;
function closeOf(quote: string): string {
  return quote === "\u201c" ? "\u201d" : quote;
}

const mayBegin: ReadonlySet<number> = new Set(thinkingForms.map(({ close }) => close.charCodeAt(0)));
