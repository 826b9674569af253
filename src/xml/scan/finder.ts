import { ThinkingEnd, thinkingAt } from "../../text/around/thinking.js";
import { pureThinking, thinkingElements, thinkingTokens } from "../../text/around/thinking-forms.js";
import { bareTagAt, lookAhead, markupAt, nameOfTag } from "./markup.js";

/**
 * Finds where a document begins in the output of a model: at the first start tag that is not in thinking, a comment or
 * an instruction, and not alone in quotes or backticks ("the `<item>` tag"). The result does not depend on the chunks.
 * It withholds at most `lookAhead` characters. In `[THINK]<a>?[/THINK] <b>` it is at `<b>`.
 *
 * Thinking has the forms of `thinkingForms`. Without `roots` an `<analysis>` and the like that begins with an element may
 * be the document, but not a `<think>`.
 */
export class DocumentFinder {
  /** Whether the document begins after the text that was read. */
  found = false;
  private readonly roots: readonly string[] | undefined;
  /** The end of the comment, instruction or document type that is being skipped. */
  private end: RegExp | undefined;
  private thinking: ThinkingEnd | undefined;
  /** The last character that was read. */
  private previous = "";

  /** @param roots the names that the root may have. Default: any */
  constructor(roots: readonly string[] | undefined) {
    this.roots = roots;
  }

  /** @returns how many characters were read. Pass the rest again, followed by more text. */
  read(text: string): number {
    let i = -1;
    let next = 0;
    while (next > i) {
      i = next;
      next = this.step(text, i);
    }
    if (next > 0) this.previous = text.charAt(next - 1);
    return next;
  }

  /** @returns the offset after what was read; the same offset if more text is needed */
  private step(text: string, i: number): number {
    const { end, thinking } = this;
    if (thinking !== undefined) {
      const next = thinking.read(text, i);
      if (next >= 0) this.thinking = undefined;
      if (next !== i) return next < 0 ? text.length : next;
    }
    if (end === undefined) return this.readProse(text, i);
    end.lastIndex = i;
    if (end.test(text)) {
      this.end = undefined;
      return end.lastIndex;
    }
    const rest = Math.max(i, text.length - longestEnd);
    const opening = text.slice(rest).search(/[<?[◁\]|-]/);
    return opening < 0 ? text.length : rest + opening;
  }

  private readProse(text: string, i: number): number {
    const length = text.slice(i).search(/[<[◁]/);
    if (length < 0) return text.length;
    const at = i + length;
    const before = at === 0 ? this.previous : text.charAt(at - 1);
    const isQuoted = /["'`]/.test(before);
    const token = isQuoted ? undefined : thinkingAt(text, at, false, thinkingTokens);
    if (token === "undecided") return at;
    if (token !== undefined) return this.skipThinking(token.close, at + token.open.length);
    switch (markupAt(text, at)) {
      case "undecided":
        return at;
      case "comment":
        return this.skip(/-->/g, at + "<!--".length);
      case "instruction":
        return this.skip(/\?>/g, at + "<?".length);
      case "document_type":
        return this.readDocumentType(text, at);
      case "tag":
        return this.readTag(text, at, before, isQuoted);
      default:
        return at + 1;
    }
  }

  /** Its declarations are in brackets. Nothing is loaded, and no entity is expanded. */
  private readDocumentType(text: string, at: number): number {
    const opening = /[[>]/.exec(text.slice(at, at + lookAhead))?.[0];
    if (opening === undefined && text.length - at < lookAhead) return at;
    return this.skip(opening === "[" ? /\]\s{0,20}>/g : />/g, at + "<!DOCTYPE".length);
  }

  private readTag(text: string, at: number, before: string, isQuoted: boolean): number {
    if (isQuoted) {
      const mention = /^<[^<>]*>(.)?/s.exec(text.slice(at, at + lookAhead));
      if (mention?.[1] === undefined) {
        if (text.length - at < lookAhead) return at;
      } else if (mention[1] === before) return at + 1;
    }
    const name = nameOfTag(text, at);
    const isRoot = this.roots?.includes(name);
    const isThinking = isRoot === true ? false : thinkingTagAt(text, at, name, isRoot === undefined);
    if (isThinking === undefined) return at;
    if (isThinking) return this.skipThinking(`</${name}>`, at + 1);
    const isProse = before === " " && bareTagAt(text, at) === "no_values"; // if x <y and z>
    if (isRoot === false || (isRoot === undefined && isProse)) return at + 1;
    this.found = true;
    return at;
  }

  private skipThinking(close: string, next: number): number {
    this.thinking = new ThinkingEnd([{ open: "", close }]);
    return next;
  }

  private skip(end: RegExp, next: number): number {
    this.end = end;
    return next;
  }
}

/**
 * Whether the tag begins thinking; undefined if more text is needed.
 *
 * @param mayBeRoot whether `<analysis><a>` may be a document. `<analysis>Hm` is thinking.
 */
function thinkingTagAt(text: string, at: number, name: string, mayBeRoot: boolean): boolean | undefined {
  const lower = name.toLowerCase();
  if (!thinkingElements.includes(lower)) return false;
  if (!mayBeRoot || pureThinking.includes(lower)) return true;
  const next = /^<[^<>]*>\s*(\S)/.exec(text.slice(at, at + lookAhead))?.[1];
  if (next === undefined && text.length - at < lookAhead) return undefined;
  return next !== undefined && next !== "<";
}

/** How much of an end may be at the end of the text: "]" and 20 spaces */
const longestEnd = 32;
