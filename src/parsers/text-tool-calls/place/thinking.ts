import { otherThinking, thinkingElements } from "../../../text/thinking/thinking-forms.js";

const forms = [...thinkingElements.map((name) => [`<${name}>`, `</${name}>`] as const), ...otherThinking];
const opens = forms.map(([open, close]) => [open.toLowerCase(), close] as const);
const closes = forms.map(([, close]) => close);
const longestOpen = Math.max(...opens.map(([open]) => open.length));

/** The thinking that begins with this text; `undecided` if only more text can tell. */
export function thinkingAt(text: string, isEnd: boolean): ThinkingText | "undecided" | undefined {
  const start = text.slice(0, longestOpen).toLowerCase();
  const form = opens.find(([open]) => start.startsWith(open));
  if (form !== undefined) return new ThinkingText([form[1]]);
  return !isEnd && opens.some(([open]) => open.startsWith(start)) ? "undecided" : undefined;
}

/** The thinking of the model, up to a text that closes it. */
export class ThinkingText {
  private readonly close: RegExp;
  /** The start of a closing text, at the end of a chunk. */
  private readonly tail: RegExp;
  private readonly longest: number;

  /** @param ends the texts that may close it. Default: those of all forms */
  constructor(ends: readonly string[] = closes) {
    const escape = (text: string): string => text.replaceAll(/[|[\]]/g, String.raw`\$&`);
    this.longest = Math.max(...ends.map(({ length }) => length));
    this.close = new RegExp(ends.map(escape).join("|"), "i");
    const starts = ends.flatMap((end) => Array.from(end, (_, length) => end.slice(0, length)).slice(1));
    this.tail = new RegExp(`(?:${starts.map(escape).join("|")})$`, "i");
  }

  /** The length of the text that belongs to the thinking, and whether it ends there. */
  read(text: string, isEnd: boolean): readonly [length: number, isClosed: boolean] {
    const match = this.close.exec(text);
    if (match !== null) return [match.index + match[0].length, true];
    const tail = isEnd ? null : this.tail.exec(text.slice(-this.longest));
    return [text.length - (tail?.[0].length ?? 0), false];
  }
}
