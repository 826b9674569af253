import { type DecidedPart, MatchFinder } from "./match-finder.js";
import type { Replacer } from "./replacement.js";

/** A text that is redacted while it arrives. */
export interface RedactedText {
  /** Whether a match was replaced. */
  readonly changed: boolean;
  /** Adds text, and returns what is decided. */
  add(text: string): Promise<string>;
  /** Ends the text. */
  end(): Promise<string>;
}

/** Redacts text that a person reads. */
export function redactedProse(replacer: Replacer): RedactedText {
  const finder = new MatchFinder(replacer.detectors);
  let changed = false;
  const write = async (parts: readonly DecidedPart[]): Promise<string> => {
    let text = "";
    for (const part of parts) {
      if (replacer.failure !== undefined) break;
      if (typeof part === "string") text += part;
      else {
        changed = true;
        text += await replacer.replace(part);
      }
    }
    return text;
  };
  return {
    get changed() {
      return changed;
    },
    add: (text) => write(finder.add(text)),
    end: () => write(finder.end()),
  };
}

/** A character that JSON text writes with several. */
interface WrittenEscape {
  /** Its place among the characters of the segment. */
  readonly at: number;
  readonly text: string;
}

/**
 * Redacts JSON text, also with prose around it: in the strings, the keys and the numbers of a document. It reads escapes,
 * so an address after a line break (`\n`) is found, and one with an escape in it, and what it writes is JSON.
 *
 *     {"to": "ada\u0040ex.org", "card": 4111111111111111}
 *     {"to": "[email]", "card": "[card]"}
 *
 * A segment is the text between two characters that no match goes across, such as a string. It is redacted by itself.
 */
export function redactedJson(replacer: Replacer): RedactedText {
  const finder = new MatchFinder(replacer.detectors);
  let changed = false;
  /** The number of open containers. Outside of them is prose, where a quote means nothing. */
  let depth = 0;
  let inString = false;
  /** An escape that is not complete. */
  let escape = "";
  /** The number of characters of the segment that were added, and those that were written. */
  let added = 0;
  let written = 0;
  /** The escapes that are not written. */
  let escapes: WrittenEscape[] = [];

  const unlessStopped = (text: string): string => (replacer.failure === undefined ? text : "");
  const endsSegment = (char: string): boolean => {
    if (inString) return char === '"';
    return char === "{" || char === "[" || (depth > 0 && '"}],:'.includes(char));
  };
  const pass = (char: string): string => {
    if (char === '"') inString = !inString;
    else if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") depth--;
    return unlessStopped(char);
  };
  const plain = (text: string): DecidedPart[] => {
    if (text === "") return [];
    added += text.length;
    return finder.add(text);
  };
  /** Adds a character of an escape. */
  const escaped = (char: string): DecidedPart[] => {
    escape += char;
    if (/^\\(?:u[\da-f]{0,3})?$/i.test(escape)) return [];
    const whole = escape;
    escape = "";
    escapes.push({ at: added, text: whole });
    return plain(meaningOf(whole));
  };
  const write = async (parts: readonly DecidedPart[]): Promise<string> => {
    let out = "";
    for (const part of parts) {
      if (replacer.failure !== undefined) break;
      const text = typeof part === "string" ? part : part.text;
      const end = written + text.length;
      const before = escapes.filter(({ at }) => at < end);
      escapes = escapes.slice(before.length);
      if (typeof part === "string") out += withEscapes(text, written, before);
      else {
        changed = true;
        const replaced = JSON.stringify(await replacer.replace(part));
        if (replacer.failure !== undefined) break;
        out += depth > 0 && !inString ? replaced : replaced.slice(1, -1);
      }
      written = end;
    }
    return out;
  };
  const endSegment = async (): Promise<string> => {
    const out = await write(finder.end());
    added = written = 0;
    return out;
  };

  return {
    get changed() {
      return changed;
    },
    async add(text) {
      let out = "";
      let from = 0;
      for (let at = 0; at < text.length; at++) {
        const char = text.charAt(at);
        const inEscape = escape !== "" || char === "\\";
        if (!inEscape && !endsSegment(char)) continue;
        out += await write(plain(text.slice(from, at)));
        from = at + 1;
        out += inEscape ? await write(escaped(char)) : (await endSegment()) + pass(char);
      }
      return out + (await write(plain(text.slice(from))));
    },
    async end() {
      const rest = escape;
      escape = "";
      return (await endSegment()) + unlessStopped(rest);
    },
  };
}

/** The character of an escape. One that JSON does not have ends a run, as a control character does. */
function meaningOf(escape: string): string {
  const code = /^\\u([\da-f]{4})$/i.exec(escape)?.[1];
  if (code !== undefined) return String.fromCharCode(parseInt(code, 16));
  return /^\\["\\/]$/.test(escape) ? escape.slice(1) : "\n";
}

/** The text as it was written. */
function withEscapes(text: string, start: number, escapes: readonly WrittenEscape[]): string {
  let out = "";
  let from = 0;
  for (const escape of escapes) {
    out += text.slice(from, escape.at - start) + escape.text;
    from = escape.at - start + 1;
  }
  return out + text.slice(from);
}
