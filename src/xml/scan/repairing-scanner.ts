import type { XmlFrame } from "../build/xml-frame.js";
import { AttributeScanner } from "./attribute-scanner.js";
import { elementsEndedBy, emptyTag, formatting, maybeEmptyTag, tagWithRule } from "./html.js";
import {
  bareTagAt,
  correctEndTag,
  correctTag,
  isSelfClosed,
  lookAhead,
  markupAt,
  matchAt,
  nameOfTag,
} from "./markup.js";
import { COMMENT_HYPHEN, COMMENT_TEXT } from "./tokenizer.js";
import { WAIT } from "./scanner.js";
import { lazyPattern } from "../../text/lazy-pattern.js";

/**
 * Repairs the markup of models before it is read: before each character that matters it compares the tokenizer's state with
 * the text, and feeds what is missing. It withholds at most `lookAhead` characters, such as half a reference.
 */
export class RepairingScanner extends AttributeScanner {
  /** The last two characters before `text`. */
  private before = "";
  /** The names of elements that were closed before their end tags, which may still come: `<b><i>1</b></i>`. */
  private closedEarly: string[] = [];

  override read(text: string, offset: number): number {
    const count = super.read(text, offset);
    this.before = this.lastTwo(count);
    return count;
  }

  protected override beforeRead(i: number): number {
    const { reader, text } = this;
    if (!reader.isBetweenMarkup) {
      if (reader.state === COMMENT_HYPHEN) return this.repairComment(i);
      return reader.isInStartTag ? this.repairTag(i) : i;
    }
    this.stepping = false;
    switch (text[i]) {
      case "<":
        return reader.isInText ? this.repairMarkup(i) : this.repairRoot(i);
      case "&":
        return reader.isInText ? this.repairReference(i) : i;
      case ">":
        if (!reader.isInText || this.lastTwo(i) !== "]]") return i;
        this.report("section_end", i - 2);
        return this.replaceBy("&gt;", i, i + 1);
      default:
        this.feedTo(i);
        if (!reader.isInText || !refused.test(text.charAt(i))) return i;
        return this.replace("control_character", i, i + 1, "\ufffd");
    }
  }

  /** In a comment, a piece ends at a hyphen. */
  protected override endOfPiece(i: number): number {
    const end = super.endOfPiece(i);
    if (this.reader.state === COMMENT_HYPHEN) return i + 1;
    if (this.reader.state !== COMMENT_TEXT) return this.text.startsWith("<!--", i) ? i + 4 : end;
    const hyphen = this.text.slice(i, end).indexOf("-") + 1;
    return hyphen > 0 ? i + hyphen : end;
  }

  /** `--` is not allowed in a comment. */
  private repairComment(i: number): number {
    if (this.text[i] !== "-") return i;
    const next = this.text[i + 1];
    if (next === undefined) return this.ended ? i : WAIT;
    return next === ">" ? i : this.replace("comment_hyphen", i, i + 1, "");
  }

  private repairRoot(i: number): number {
    const markup = markupAt(this.text, i);
    if (markup === "undecided" && !this.ended) return WAIT;
    return markup === "tag" ? this.beginTag(i, matchAt(correctTag, this.text, i) > 0, false) : i;
  }

  private repairMarkup(i: number): number {
    const { text } = this;
    const open = this.builder.innermost?.name ?? "";
    const endOfName = i + 2 + open.length;
    if (text[i + 1] === "/" && text.startsWith(open, i + 2) && text[endOfName] === ">")
      return this.readMarkup(i, endOfName + 1);
    const end = matchAt(correctTag, text, i);
    switch (end > 0 ? "tag" : markupAt(text, i)) {
      case "undecided":
        return WAIT;
      case "bare":
      case "document_type":
        return this.replace("less_than", i, i + 1, "&lt;");
      case "end_tag":
        return this.repairEndTag(i);
      case "tag":
        return this.repairStartTag(i, end, open);
      default:
        return i;
    }
  }

  /** @param end its end, or 0 if it is not correct */
  private repairStartTag(i: number, end: number, open: string): number {
    const { text } = this;
    const isCertain = end > 0 && !mayPrecedeText().test(this.lastTwo(i));
    // The common case, without a look at the name.
    if (isCertain && matchAt(tagWithRule, text, i) === 0 && !text.startsWith(open, i + 1))
      return this.readMarkup(i, end);
    const name = nameOfTag(text, i);
    const isTag = isCertain || this.isTag(i, name, end > 0);
    if (isTag === undefined) return WAIT;
    if (!isTag) return this.replace("less_than", i, i + 1, "&lt;");
    if (!this.endSiblings(i, name, open)) return WAIT;
    const isEmpty = this.isEmptyAt(i, name);
    if (isEmpty === undefined) return WAIT;
    return end > 0 && !isEmpty ? this.readMarkup(i, end) : this.beginTag(i, end > 0, isEmpty);
  }

  /**
   * Whether the start tag at this place is not text: `List<String>`, `cp <file>` and `if (i <n and m> 0)` are. They
   * have no end tag before that of an element around them.
   */
  private isTag(i: number, name: string, isCorrect: boolean): boolean | undefined {
    const { text } = this;
    const before = this.lastTwo(i);
    const follows = this.textBefore(i, name, before);
    const isQuoted = /["'`]$/.test(before);
    if (isCorrect && follows === undefined && !isQuoted) return true;
    const kind = bareTagAt(text, i);
    if (kind === undefined || matchAt(emptyTag, text, i) > 0) return true;
    if (kind === "no_values" && !this.hasTextAt(i)) return true;
    const next = text[text.indexOf(">", i) + 1];
    if (next === undefined && !this.ended) return undefined;
    const mayBeTag = kind === "no_attributes" && !(isQuoted && before.endsWith(next ?? " "));
    const isCertain =
      mayBeTag && (follows === undefined || (follows === "text" && contentStart().test(next ?? "")));
    return isCertain || this.hasOwnEndTag(i, name, mayBeTag && !typeName.test(name));
  }

  /** What a start tag follows that speaks against it: a word, which it would divide, or text. */
  private textBefore(i: number, name: string, before: string): "word" | "text" | undefined {
    const isInline = formatting.test(name);
    if (endsWithWord().test(before) && !(isInline && (name.length > 1 || /p/i.test(name)))) return "word";
    return !isInline && endsWithText.test(before) && this.hasTextAt(i) ? "text" : undefined;
  }

  /** @param otherwise whether a start tag without an end tag is one */
  private hasOwnEndTag(i: number, name: string, otherwise: boolean): boolean | undefined {
    const { names, isAll } = this.endTagsFrom(i + 1, 1);
    const first = names[0]?.toLowerCase();
    if (first === name.toLowerCase()) return true;
    if (this.builder.path.some((open) => open.toLowerCase() === first)) return false;
    return isAll ? otherwise : undefined;
  }

  /**
   * Closes the elements that end where their next sibling begins, as in `<li>1<li>2</ul>`. Elements in an element of
   * their own name, such as the second one of `<li>1<li>2</li></li>`, have two end tags of that name.
   *
   * @returns false if more text is needed
   */
  private endSiblings(i: number, name: string, open: string): boolean {
    const ended = elementsEndedBy(name);
    if (ended === undefined ? open !== name : !ended.includes(open.toLowerCase())) return true;
    const openElements = this.openElementsAt(i);
    if (ended === undefined && !this.hasTextAt(i)) return true;
    const { names, isAll } = this.endTagsFrom(i + 1, 2);
    const own = isSelfClosed(this.text, i) ? [open] : [name, open];
    const mayBeNested = own.every((it, j) => it === (names[j] ?? it));
    if (mayBeNested) return isAll || names.length >= own.length;
    const level = openElements.findLastIndex((it) => !(ended ?? [name]).includes(it.name.toLowerCase())) + 1;
    this.endElements(ended === undefined ? openElements.slice(-1) : openElements.slice(level), i);
    return true;
  }

  private isEmptyAt(i: number, name: string): boolean | undefined {
    const { text } = this;
    if (matchAt(emptyTag, text, i) > 0) return true;
    const end = matchAt(maybeEmptyTag, text, i) > 0 ? text.indexOf(">", i) : -1;
    if (end < 0 || end - i >= lookAhead || text[end - 1] === "/") return false;
    const { names, isAll } = this.endTagsFrom(end, 1);
    const [first] = names;
    if (first === undefined && !isAll) return undefined;
    return first !== name && this.builder.path.some((open) => open === first);
  }

  /** Closes the elements around whose end tags are missing. What cannot be repaired is refused. */
  private repairEndTag(i: number): number {
    const { text } = this;
    const name = nameOfTag(text, i);
    const isCorrect = matchAt(correctEndTag, text, i) > 0;
    if (isCorrect && this.builder.innermost?.name === name) return i;
    const end = text.indexOf(">", i) + 1;
    if (end === 0 || end > i + lookAhead) return i; // a very long tag
    const openElements = this.openElementsAt(i);
    const lower = name.toLowerCase();
    let level = openElements.findLastIndex((element) => element.name === name);
    if (level < 0) level = openElements.findLastIndex((element) => element.name.toLowerCase() === lower);
    if (level < 0) return this.repairExtraEndTag(i, end, name, isCorrect);
    const unclosed = openElements.slice(level + 1);
    const isAmbiguous = unclosed.some(
      (element, j) =>
        element.hasElements &&
        ((element.hasText && !formatting.test(element.name)) || element.name === unclosed[j + 1]?.name),
    );
    if (isAmbiguous) return i;
    const opened = (openElements[level] as { readonly name: string }).name;
    this.endElements(unclosed, i);
    return opened === name && isCorrect ? i : this.replace("end_tag_name", i, end, `</${opened}>`);
  }

  /** An end tag whose element is not open. */
  private repairExtraEndTag(i: number, end: number, name: string, isCorrect: boolean): number {
    const { text } = this;
    const closed = this.closedEarly.lastIndexOf(name);
    if (closed >= 0) this.closedEarly.splice(closed, 1);
    if (closed >= 0 || matchAt(emptyTag, `<${name} `, 0) > 0)
      return this.replace("extra_end_tag", i, end, "");
    const quote = this.lastTwo(i).slice(-1);
    if (/["'`]/.test(quote) && end === text.length && !this.ended) return WAIT;
    const isMention = /["'`]/.test(quote) && text[end] === quote;
    return isCorrect && !isMention ? i : this.replace("less_than", i, i + 1, "&lt;");
  }

  private endElements(elements: readonly XmlFrame[], i: number): void {
    for (const { name } of [...elements].reverse()) {
      this.replace("missing_end_tag", i, i, `</${name}>`);
      if (this.closedEarly.push(name) > maxClosedEarly) this.closedEarly.shift();
    }
  }

  /** The open elements, with the text before this place. */
  private openElementsAt(i: number): readonly XmlFrame[] {
    this.feedTo(i);
    this.reader.report();
    return this.builder.frames;
  }

  private hasTextAt(i: number): boolean {
    return this.openElementsAt(i).at(-1)?.hasText === true;
  }

  /** The last two characters before this place. */
  private lastTwo(i: number): string {
    return i < 2 ? (this.before + this.text.slice(0, i)).slice(-2) : this.text.slice(i - 2, i);
  }
}

const maxClosedEarly = 16;

/** A tag after other characters cannot be text. */
const mayPrecedeText = lazyPattern(String.raw`[\p{L}\p{N}_)\]"'\x60@/=\\-]$|\S $`);
const endsWithWord = lazyPattern(String.raw`[\p{L}\p{N}_)\]]$`);
/** Text and a single space, so not the indentation of an element; or a part of an address or of a command. */
const endsWithText = /\S $|[@/=\\-]$/;
/** A character that begins the content of an element, and seldom follows a placeholder such as `<file>`. */
const contentStart = lazyPattern(String.raw`[\p{L}\p{N}$\u20ac\u00a3]`);

/** Characters that XML 1.0 does not allow. */
const refused = /[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]/;

/** The name of a type in a programming language, as in `List<String>` or `Vec<u8>`. */
const typeName =
  /^(?:[A-Z]\w*|[iuf](?:8|16|32|64|128)|u?int\d*|long|short|float|double|bool|boolean|char|byte|str|string|number|object|void|any|unknown|never|usize|isize)$/;
