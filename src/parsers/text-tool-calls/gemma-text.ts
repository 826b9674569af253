import type { DialectText } from "./json-calls.js";
import { inJsonString } from "./python-text.js";

const quote = '<|"|>';

/**
 * Makes JSON of the arguments that Gemma 4 writes. Strings are in tokens instead of quotes, and nothing is escaped in
 * them: `{a:<|"|>x "y"<|"|>,b:1}` becomes `{a:"x \\"y\\"",b:1}`. The keys are repaired by the parser.
 */
export class GemmaText implements DialectText {
  private inString = false;
  /** The start of what may be a quote. */
  private held = "";

  read(piece: string): string {
    const parts = (this.held + piece).split(quote);
    const last = parts.at(-1) as string;
    this.held = quote.slice(0, startLength(last));
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

/** How much of a quote is at the end of the text. */
function startLength(text: string): number {
  let length = quote.length - 1;
  while (!text.endsWith(quote.slice(0, length))) length--;
  return length;
}
