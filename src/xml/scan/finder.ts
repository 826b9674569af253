import { DocumentType } from "./document-type.js";
import { likelyMarkupAt, lookAhead, nameOfTag, openingLength } from "./markup.js";

/**
 * Finds where a document begins in the output of a model: at the first start tag that is not in a `<think>`, a comment
 * or an instruction, and not alone in quotes or backticks ("the `<item>` tag"). The result does not depend on the
 * chunks. It withholds at most `lookAhead` characters.
 */
export class DocumentFinder {
  /** Whether the document begins after the text that was read. */
  found = false;
  private readonly roots: readonly string[] | undefined;
  private state: typeof PROSE | typeof DOCUMENT_TYPE | RegExp = PROSE;
  private documentType = new DocumentType();
  /** The last character that was read. */
  private previous = "";

  /** @param roots the names that the root may have. Default: any */
  constructor(roots: readonly string[] | undefined) {
    this.roots = roots;
  }

  /** @returns how many characters were read. Pass the rest again, followed by more text. */
  read(text: string): number {
    let i = 0;
    let next = this.step(text, i);
    while (next > i && next < text.length && !this.found) {
      i = next;
      next = this.step(text, i);
    }
    if (next > 0) this.previous = text.charAt(next - 1);
    return next;
  }

  /** @returns the offset after what was read; the same offset if more text is needed */
  private step(text: string, i: number): number {
    if (this.state === PROSE) return this.readProse(text, i);
    if (this.state === DOCUMENT_TYPE) {
      const end = this.documentType.read(text.slice(i), 0);
      if (end < 0) return text.length;
      this.state = PROSE;
      return i + end;
    }
    // Skips everything up to the end of the comment, instruction or thinking.
    const end = this.state;
    end.lastIndex = i;
    const found = end.exec(text);
    if (found === null) {
      const rest = Math.max(i, text.length - longestEnd);
      const opening = text.slice(rest).search(/[<?-]/);
      return opening < 0 ? text.length : rest + opening;
    }
    this.state = PROSE;
    return end.lastIndex;
  }

  private readProse(text: string, i: number): number {
    const at = text.indexOf("<", i);
    if (at < 0) return text.length;
    const markup = this.markupAt(text, at);
    switch (markup) {
      case "undecided":
        return at;
      case "comment":
        return this.skip(/-->/g, at + openingLength.comment);
      case "instruction":
        return this.skip(/\?>/g, at + openingLength.instruction);
      case "document_type":
        this.documentType = new DocumentType();
        this.state = DOCUMENT_TYPE;
        return at + openingLength.document_type;
      case "tag":
        return this.readTag(text, at);
      default:
        return at + 1;
    }
  }

  private markupAt(text: string, at: number): ReturnType<typeof likelyMarkupAt> {
    const markup = likelyMarkupAt(text, at);
    if (markup !== "bare") return markup;
    return text.startsWith("<!DOCTYPE", at) ? "document_type" : "bare";
  }

  private readTag(text: string, at: number): number {
    const before = at === 0 ? this.previous : text.charAt(at - 1);
    if (before !== "" && "`'\"".includes(before)) {
      const mention = /^<[^<>]*>(.)?/s.exec(text.slice(at, at + lookAhead));
      if (mention?.[1] === undefined) {
        if (text.length - at < lookAhead) return at;
      } else if (mention[1] === before) return at + 1;
    }
    const name = nameOfTag(text.slice(at, at + lookAhead));
    const isRoot = this.roots?.includes(name);
    if (isRoot !== true && /^think(?:ing)?$/i.test(name)) {
      return this.skip(new RegExp(`</${name}\\s*>`, "gi"), at + 1);
    }
    if (isRoot === false) return at + 1;
    this.found = true;
    return at;
  }

  private skip(end: RegExp, next: number): number {
    this.state = end;
    return next;
  }
}

const PROSE = 0;
const DOCUMENT_TYPE = 1;

/** How much of an end may be at the end of the text: "</thinking   " */
const longestEnd = 32;
