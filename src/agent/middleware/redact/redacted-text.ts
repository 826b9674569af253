import type { Detectors } from "./detector.js";
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
export class RedactedProse implements RedactedText {
  changed = false;
  private readonly finder: MatchFinder;
  private readonly replacer: Replacer;

  constructor(detectors: Detectors, replacer: Replacer) {
    this.finder = new MatchFinder(detectors);
    this.replacer = replacer;
  }

  add(text: string): Promise<string> {
    return this.write(this.finder.add(text));
  }

  end(): Promise<string> {
    return this.write(this.finder.end());
  }

  private async write(parts: readonly DecidedPart[]): Promise<string> {
    let text = "";
    for (const part of parts) {
      if (this.replacer.failure !== undefined) break;
      if (typeof part === "string") text += part;
      else {
        this.changed = true;
        text += await this.replacer.replace(part);
      }
    }
    return text;
  }
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
export class RedactedJson implements RedactedText {
  changed = false;
  private readonly finder: MatchFinder;
  private readonly replacer: Replacer;
  /** The number of open containers. Outside of them is prose, where a quote means nothing. */
  private depth = 0;
  private inString = false;
  /** An escape that is not complete. */
  private escape = "";
  /** The number of characters of the segment that were added, and those that were written. */
  private added = 0;
  private written = 0;
  /** The escapes that are not written. */
  private escapes: WrittenEscape[] = [];

  constructor(detectors: Detectors, replacer: Replacer) {
    this.finder = new MatchFinder(detectors);
    this.replacer = replacer;
  }

  async add(text: string): Promise<string> {
    let out = "";
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const char = text.charAt(at);
      const inEscape = this.escape !== "" || char === "\\";
      if (!inEscape && !this.endsSegment(char)) continue;
      out += await this.write(this.plain(text.slice(from, at)));
      from = at + 1;
      out += inEscape ? await this.write(this.escaped(char)) : (await this.endSegment()) + this.pass(char);
    }
    return out + (await this.write(this.plain(text.slice(from))));
  }

  async end(): Promise<string> {
    const rest = this.escape;
    this.escape = "";
    return (await this.endSegment()) + this.unlessStopped(rest);
  }

  private endsSegment(char: string): boolean {
    if (this.inString) return char === '"';
    return char === "{" || char === "[" || (this.depth > 0 && '"}],:'.includes(char));
  }

  private pass(char: string): string {
    if (char === '"') this.inString = !this.inString;
    else if (char === "{" || char === "[") this.depth++;
    else if (char === "}" || char === "]") this.depth--;
    return this.unlessStopped(char);
  }

  private unlessStopped(text: string): string {
    return this.replacer.failure === undefined ? text : "";
  }

  private plain(text: string): DecidedPart[] {
    if (text === "") return [];
    this.added += text.length;
    return this.finder.add(text);
  }

  /** Adds a character of an escape. */
  private escaped(char: string): DecidedPart[] {
    this.escape += char;
    const { escape } = this;
    if (/^\\(?:u[\da-f]{0,3})?$/i.test(escape)) return [];
    this.escape = "";
    this.escapes.push({ at: this.added, text: escape });
    return this.plain(meaningOf(escape));
  }

  private async endSegment(): Promise<string> {
    const out = await this.write(this.finder.end());
    this.added = this.written = 0;
    return out;
  }

  private async write(parts: readonly DecidedPart[]): Promise<string> {
    let out = "";
    for (const part of parts) {
      if (this.replacer.failure !== undefined) break;
      const text = typeof part === "string" ? part : part.text;
      const escapes = this.escapesBefore(this.written + text.length);
      if (typeof part === "string") out += withEscapes(text, this.written, escapes);
      else {
        this.changed = true;
        const replaced = JSON.stringify(await this.replacer.replace(part));
        if (this.replacer.failure !== undefined) break;
        out += this.depth > 0 && !this.inString ? replaced : replaced.slice(1, -1);
      }
      this.written += text.length;
    }
    return out;
  }

  private escapesBefore(end: number): WrittenEscape[] {
    const later = this.escapes.findIndex(({ at }) => at >= end);
    return this.escapes.splice(0, later < 0 ? this.escapes.length : later);
  }
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
