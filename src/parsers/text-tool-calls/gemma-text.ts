import type { DialectText } from "./json-calls.js";
import { inJsonString } from "./python-text.js";

/** Of Gemma 4, and of FunctionGemma. */
const quotes = ['<|"|>', "<escape>"];
const anyQuote = /<\|"\|>|<escape>/;

/**
 * Makes JSON of the arguments that Gemma writes. Strings are in tokens instead of quotes, and nothing is escaped in
 * them: `{a:<|"|>x "y"<|"|>,b:1}` becomes `{a:"x \\"y\\"",b:1}`. The keys are repaired by the parser.
 */
export class GemmaText implements DialectText {
  private inString = false;
  /** The start of what may be a quote. */
  private held = "";

  read(piece: string): string {
    const parts = (this.held + piece).split(anyQuote);
    const last = parts.at(-1) as string;
    this.held = startOfQuote(last);
    parts[parts.length - 1] = last.slice(0, last.length - this.held.length);
    return parts.map((part, i) => `${i === 0 ? "" : this.quote()}${this.written(part)}`).join("");
  }

  private quote(): string {
    this.inString = !this.inString;
    return '"';
  }

  private written(text: string): string {
    return this.inString ? inJsonString(text) : text;
  }
}

/** The start of a quote that is at the end of the text. */
function startOfQuote(text: string): string {
  const end = text.slice(text.lastIndexOf("<"));
  return quotes.some((quote) => quote.startsWith(end)) ? end : "";
}
