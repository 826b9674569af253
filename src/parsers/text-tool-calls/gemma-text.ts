import type { DialectText } from "./json/json-calls.js";
import { inJsonString } from "../../text/json-text.js";

/** The quotes of Gemma 4, and those of FunctionGemma. */
const quotes = ['<|"|>', "<escape>"];
const anyQuote = /<\|"\|>|<escape>/;

/**
 * Makes JSON of the arguments that Gemma writes. Strings are in tokens instead of quotes, and nothing is escaped in
 * them: `{a:<|"|>x "y"<|"|>,b:1}` becomes `{a:"x \\"y\\"",b:1}`. The keys are repaired by the parser.
 */
export function gemmaText(): DialectText {
  let inString = false;
  /** The start of what may be a quote. */
  let held = "";
  return (piece) => {
    const parts = (held + piece).split(anyQuote);
    const last = parts.at(-1) as string;
    const end = last.slice(last.lastIndexOf("<"));
    held = quotes.some((quote) => quote.startsWith(end)) ? end : "";
    parts[parts.length - 1] = last.slice(0, last.length - held.length);
    const written = parts.map((part, i) => {
      if (i > 0) inString = !inString;
      return inString ? inJsonString(part) : part;
    });
    return written.join('"');
  };
}
