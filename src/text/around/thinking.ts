import { isBlank } from "./characters.js";
import { type ThinkingForm, thinkingForms } from "./thinking-forms.js";

/** The maximum length of attributes. */
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
 * 4, the index after the end.
 */
export class ThinkingEnd {
  private readonly ends: readonly string[];
  /** The part of an end that was read last, without white space. It is empty in most of the text. */
  private matched = "";

  constructor(forms: readonly ThinkingForm[]) {
    this.ends = forms.map(({ close }) => close.toLowerCase());
  }

  /** Returns the index after the end; -1 if the text has none. */
  read(text: string, start: number): number {
    for (let i = start; i < text.length; i++) {
      if (this.matched === "" && !mayBegin.has(text.charCodeAt(i))) continue;
      if (this.endsWith(text.charAt(i).toLowerCase())) return i + 1;
    }
    return -1;
  }

  private endsWith(character: string): boolean {
    const { ends, matched } = this;
    const longer = matched + character;
    if (ends.includes(longer)) return true;
    if (ends.some((end) => end.startsWith(longer))) this.matched = longer;
    else if (!ends.includes(`${matched}>`) || !isBlank(character.charCodeAt(0))) {
      // The first character of an end is at its start only, so no shorter part can continue.
      this.matched = ends.some((end) => end.startsWith(character)) ? character : "";
    }
    return false;
  }
}

const mayBegin: ReadonlySet<number> = new Set(thinkingForms.map(({ close }) => close.charCodeAt(0)));
