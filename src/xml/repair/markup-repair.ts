import { lazyPattern } from "../../text/lazy-pattern.js";
import type { XmlFrame } from "../build/xml-frame.js";
import {
  bareTagAt,
  correctTag,
  lookAhead,
  markupAt,
  matchAt,
  name,
  nameOfTag,
  space,
} from "../scan/markup.js";
import { WAIT, type MarkupRepair, type XmlScanner } from "../scan/scanner.js";
import { COMMENT_HYPHEN, COMMENT_TEXT } from "../scan/states.js";
import { version10 } from "../scan/version.js";
import { elementsEndedBy, emptyTag, formatting, maybeEmptyTag, tagWithRule } from "./html.js";
import { tagRepair } from "./tag-repair.js";
import { endTagsFrom, isSelfClosed, nextEndTag, repairReference, replace, reportRepair } from "./tools.js";

/**
 * Repairs the markup of models before it is read: before each character that matters it compares the tokenizer's state
 * with the text, and feeds what is missing. It withholds at most `lookAhead` characters, such as half a reference.
 *
 * In `<a><b>1</a>`, at the second `</`, it feeds `</b>` and reports `missing_end_tag`.
 */
export function markupRepair(scanner: XmlScanner): MarkupRepair {
  const { reader } = scanner;
  const { builder } = reader;
  const tag = tagRepair(scanner);
  /** The last two characters before the text. */
  let before = "";
  /** The names of elements that were closed before their end tags, which may still come: `<b><i>1</b></i>`. */
  const closedEarly: string[] = [];

  /** The last two characters before this place. */
  const lastTwo = (i: number): string =>
    i < 2 ? (before + scanner.text.slice(0, i)).slice(-2) : scanner.text.slice(i - 2, i);
  /** The open elements, with the text before this place. */
  const openElementsAt = (i: number): readonly XmlFrame[] => {
    scanner.feedTo(i);
    reader.report();
    return builder.frames;
  };
  const hasTextAt = (i: number): boolean => openElementsAt(i).at(-1)?.hasText === true;
  const endElements = (elements: readonly XmlFrame[], i: number): void => {
    for (const { name } of [...elements].reverse()) {
      replace(scanner, "missing_end_tag", i, i, `</${name}>`);
      if (closedEarly.push(name) > maxClosedEarly) closedEarly.shift();
    }
  };
  const asText = (i: number): number => replace(scanner, "less_than", i, i + 1, "&lt;");

  /** `--` is not allowed in a comment. */
  const inComment = (i: number): number => {
    const { text } = scanner;
    if (text[i] !== "-") return i;
    const next = text[i + 1];
    if (next === undefined) return scanner.ended ? i : WAIT;
    return next === ">" ? i : replace(scanner, "comment_hyphen", i, i + 1, "");
  };

  const atRoot = (i: number): number => {
    const { text } = scanner;
    const markup = markupAt(text, i);
    if (markup === "undecided" && !scanner.ended) return WAIT;
    return markup === "tag" ? tag.begin(i, matchAt(correctTag, text, i) > 0, false) : i;
  };

  const atMarkup = (i: number): number => {
    const { text } = scanner;
    const open = builder.innermost?.name ?? "";
    const endOfName = i + 2 + open.length;
    if (text[i + 1] === "/" && text.startsWith(open, i + 2) && text[endOfName] === ">")
      return scanner.feedMarkup(i, endOfName + 1);
    const end = matchAt(correctTag, text, i);
    switch (end > 0 ? "tag" : markupAt(text, i)) {
      case "undecided":
        return WAIT;
      case "bare":
      case "document_type":
        return asText(i);
      case "end_tag":
        return atEndTag(i);
      case "tag":
        return atStartTag(i, end, open);
      default:
        return i;
    }
  };

  /** @param end its end, or 0 if it is not correct */
  const atStartTag = (i: number, end: number, open: string): number => {
    const { text } = scanner;
    const isCertain = end > 0 && !mayPrecedeText().test(lastTwo(i));
    // The common case, without a look at the name.
    if (isCertain && matchAt(tagWithRule, text, i) === 0 && !text.startsWith(open, i + 1))
      return scanner.feedMarkup(i, end);
    const name = nameOfTag(text, i);
    const isText = !isCertain && neverTag.test(lastTwo(i));
    const isMarkup = isCertain || (isText ? hasOwnEndTag(i, name, false) : isTag(i, name, end > 0));
    if (isMarkup === undefined) return WAIT;
    if (!isMarkup) return asText(i);
    if (!endSiblings(i, name, open)) return WAIT;
    const isEmpty = isEmptyAt(i, name);
    if (isEmpty === undefined) return WAIT;
    return end > 0 && !isEmpty ? scanner.feedMarkup(i, end) : tag.begin(i, end > 0, isEmpty);
  };

  /**
   * Whether the start tag at this place is not text: `List<String>`, `cp <file>` and `if (i <n and m> 0)` are. They
   * have no end tag before that of an element around them.
   */
  const isTag = (i: number, name: string, isCorrect: boolean): boolean | undefined => {
    const { text } = scanner;
    const previous = lastTwo(i);
    const follows = textBefore(i, name, previous);
    const isQuoted = /["'`]$/.test(previous);
    if (isCorrect && follows === undefined && !isQuoted) return true;
    const kind = bareTagAt(text, i);
    if (kind === undefined || matchAt(emptyTag, text, i) > 0) return true;
    if (kind === "no_values" && !hasTextAt(i))
      return matchAt(tagWithRule, text, i) > 0 || hasOwnEndTag(i, name, true);
    const end = text.indexOf(">", i);
    const next = text[end + 1];
    if (next === undefined && !scanner.ended) return undefined;
    const mayBeTag = kind === "no_attributes" && !(isQuoted && previous.endsWith(next ?? " "));
    const isCertain = mayBeTag && (follows === undefined || (follows === "text" && beginsContent(text, end)));
    return isCertain || hasOwnEndTag(i, name, mayBeTag && !typeName.test(name));
  };

  /** The word that a start tag would divide, or the text before it: both speak against the tag. */
  const textBefore = (i: number, name: string, previous: string): "word" | "text" | undefined => {
    const isInline = formatting.test(name);
    if (endsWithWord().test(previous) && !(isInline && (name.length > 1 || /p/i.test(name)))) return "word";
    return !isInline && endsWithText.test(previous) && hasTextAt(i) ? "text" : undefined;
  };

  /** @param otherwise whether a start tag without an end tag is one */
  const hasOwnEndTag = (i: number, name: string, otherwise: boolean): boolean | undefined => {
    const next = nextEndTag(scanner, i + 1)?.toLowerCase();
    if (next === undefined) return next;
    if (next === name.toLowerCase()) return true;
    return otherwise && !builder.path.some((open) => open.toLowerCase() === next);
  };

  /**
   * Closes the elements that end where their next sibling begins, as in `<li>1<li>2</ul>`. Elements in an element of
   * their own name, such as the second one of `<li>1<li>2</li></li>`, have two end tags of that name.
   *
   * @returns false if more text is needed
   */
  const endSiblings = (i: number, name: string, open: string): boolean => {
    const ended = elementsEndedBy(name);
    if (ended === undefined ? open !== name : !ended.includes(open.toLowerCase())) return true;
    const openElements = openElementsAt(i);
    if (ended === undefined && !hasTextAt(i)) return true;
    const { names, isAll } = endTagsFrom(scanner, i + 1, 2);
    const own = isSelfClosed(scanner.text, i) ? [open] : [name, open];
    const mayBeNested = own.every((it, j) => it === (names[j] ?? it));
    if (mayBeNested) return isAll || names.length >= own.length;
    const level = openElements.findLastIndex((it) => !(ended ?? [name]).includes(it.name.toLowerCase())) + 1;
    endElements(ended === undefined ? openElements.slice(-1) : openElements.slice(level), i);
    return true;
  };

  const isEmptyAt = (i: number, name: string): boolean | undefined => {
    const { text } = scanner;
    if (matchAt(emptyTag, text, i) > 0) return true;
    const end = matchAt(maybeEmptyTag, text, i) > 0 ? text.indexOf(">", i) : -1;
    if (end < 0 || end - i >= lookAhead || text[end - 1] === "/") return false;
    const next = nextEndTag(scanner, end);
    return next === undefined ? next : next !== name && builder.path.includes(next);
  };

  /** Closes the elements around whose end tags are missing. What cannot be repaired is refused. */
  const atEndTag = (i: number): number => {
    const { text } = scanner;
    const name = nameOfTag(text, i);
    const isCorrect = matchAt(correctEndTag, text, i) > 0;
    if (isCorrect && builder.innermost?.name === name) return i;
    const end = text.indexOf(">", i) + 1;
    if (end === 0 || end > i + lookAhead) return i; // a very long tag
    const openElements = openElementsAt(i);
    const lower = name.toLowerCase();
    let level = openElements.findLastIndex((element) => element.name === name);
    if (level < 0) level = openElements.findLastIndex((element) => element.name.toLowerCase() === lower);
    const opened = openElements[level]?.name;
    if (opened === undefined) return atExtraEndTag(i, end, name, isCorrect);
    const unclosed = openElements.slice(level + 1);
    const isAmbiguous = unclosed.some(
      (element, j) =>
        element.hasElements &&
        ((element.hasText && !formatting.test(element.name)) || element.name === unclosed[j + 1]?.name),
    );
    if (isAmbiguous) return i;
    endElements(unclosed, i);
    return opened === name && isCorrect ? i : replace(scanner, "end_tag_name", i, end, `</${opened}>`);
  };

  /** An end tag whose element is not open. */
  const atExtraEndTag = (i: number, end: number, name: string, isCorrect: boolean): number => {
    const { text } = scanner;
    const closed = closedEarly.lastIndexOf(name);
    if (closed >= 0) closedEarly.splice(closed, 1);
    if (closed >= 0 || matchAt(emptyTag, `<${name} `, 0) > 0)
      return replace(scanner, "extra_end_tag", i, end, "");
    const quote = lastTwo(i).slice(-1);
    const isQuoted = /["'`]/.test(quote);
    if (isQuoted && end === text.length && !scanner.ended) return WAIT;
    return isCorrect && !(isQuoted && text[end] === quote) ? i : asText(i);
  };

  return {
    beforeRead: (i) => {
      if (!reader.isBetweenMarkup) return reader.state === COMMENT_HYPHEN ? inComment(i) : tag.repair(i);
      tag.stepping = false;
      const { isInText } = reader;
      switch (scanner.text[i]) {
        case "<":
          return isInText ? atMarkup(i) : atRoot(i);
        case "&":
          return isInText ? repairReference(scanner, i) : i;
        case ">":
          if (lastTwo(i) !== "]]") return i;
          reportRepair(scanner, "section_end", i - 2);
          return scanner.replaceBy("&gt;", i, i + 1);
        default:
          scanner.feedTo(i);
          if (!reader.isInText || !version10.refused.test(scanner.text.charAt(i))) return i;
          return replace(scanner, "control_character", i, i + 1, "\ufffd");
      }
    },
    endOfPiece: (i, end) => {
      if (tag.stepping || reader.state === COMMENT_HYPHEN)
        return (scanner.text.codePointAt(i) ?? 0) > 0xffff ? i + 2 : i + 1;
      if (reader.state !== COMMENT_TEXT) return scanner.text.startsWith("<!--", i) ? i + 4 : end;
      const hyphen = scanner.text.slice(i, end).indexOf("-") + 1; // a piece ends at a hyphen
      return hyphen > 0 ? i + hyphen : end;
    },
    afterRead: (count) => {
      before = lastTwo(count);
    },
  };
}

const maxClosedEarly = 16;

/** An end tag that needs no repair if its element is open. */
const correctEndTag = new RegExp(`</${name}${space}*>`, "y");

/** A tag after other characters cannot be text. */
const mayPrecedeText = lazyPattern(String.raw`[\p{L}\p{N}_)\]"'\x60@/=\\?<+-]$|\S $`);
const endsWithWord = lazyPattern(String.raw`[\p{L}\p{N}_)\]]$`);
/** `cat <<EOF > f`, `(?<n>x)` and `(?P<n>x)`, before the `<` of the name. */
const neverTag = /<$|\(\?$|\?P$/;
/** Text and a single space, so not the indentation of an element; or a part of an address or of a command. */
const endsWithText = /\S $|[@/=\\+-]$/;
/** Does content begin after the start tag with this end? `<a >b` is more often a redirection. */
function beginsContent(text: string, end: number): boolean {
  return text[end - 1] !== " " && contentStart().test(text[end + 1] ?? "");
}

/** A character that begins the content of an element, and seldom follows a placeholder such as `<file>`. */
const contentStart = lazyPattern(String.raw`[\p{L}\p{N}$\u20ac\u00a3]`);

/** The name of a type in a programming language, as in `List<String>` or `Vec<u8>`. */
const typeName =
  /^(?:[A-Z]\w*|[iuf](?:8|16|32|64|128)|u?int\d*|long|short|float|double|bool|boolean|char|byte|str|string|number|object|void|any|unknown|never|usize|isize)$/;
