import type { XmlBuilder } from "../build/builder.js";
import type { XmlFrame } from "../build/xml-frame.js";
import type { XmlRepair, XmlRepairKind } from "../options.js";
import {
  bareTagAt,
  isCorrectTag,
  isEmptyTag,
  firstEndTag,
  lookAhead,
  markupAt,
  nameOfTag,
} from "./markup.js";
import { referenceAt } from "./reference.js";
import {
  ATTRIBUTE_EQUALS,
  ATTRIBUTE_NAME,
  ATTRIBUTE_SPACE,
  ATTRIBUTE_VALUE,
  isBetweenMarkup,
  isInStartTag,
  TAG_SLASH,
} from "./saxes-state.js";
import { WAIT, XmlScanner } from "./scanner.js";

/**
 * Repairs the markup of models before saxes reads it: before each character that matters it compares saxes' state with
 * the text, and feeds what is missing. It withholds at most `lookAhead` characters, such as half a reference.
 */
export class RepairingScanner extends XmlScanner {
  private readonly builder: XmlBuilder;
  private readonly onRepair: (repair: XmlRepair) => void;
  /** The last two characters before `text`. */
  private before = "";
  /** Whether to stop at each character, in a start tag that is cut or needs a repair. */
  private stepping = false;
  /** Whether the open start tag is one of HTML's that have no content. */
  private isEmpty = false;
  /** Whether the open attribute value has no quotes. saxes was fed an opening quote. */
  private unquoted = false;
  private ended = false;

  constructor(
    builder: XmlBuilder,
    onRepair: (repair: XmlRepair) => void,
    ...scanner: ConstructorParameters<typeof XmlScanner>
  ) {
    super(...scanner);
    this.builder = builder;
    this.onRepair = onRepair;
  }

  override read(text: string, offset: number): number {
    const count = super.read(text, offset);
    this.before = this.lastTwo(count);
    return count;
  }

  override end(rest: string, offset: number): void {
    this.ended = true;
    this.read(rest, offset);
  }

  protected override beforeRead(i: number): number {
    const { reader, text } = this;
    const { state } = reader;
    if (!isBetweenMarkup(state)) return isInStartTag(state) ? this.repairTag(i) : i;
    this.stepping = false;
    switch (text[i]) {
      case "<":
        return reader.inText ? this.repairMarkup(i) : this.repairRoot(i);
      case "&":
        return reader.inText ? this.repairReference(i) : i;
      case ">":
        if (!reader.inText || this.lastTwo(i) !== "]]") return i;
        this.report("section_end", i - 2);
        return this.replaceBy("&gt;", i, i + 1);
      default:
        return this.feedTo(i);
    }
  }

  private repairRoot(i: number): number {
    const markup = markupAt(this.text, i);
    if (markup === "undecided" && !this.ended) return WAIT;
    return markup === "tag" ? this.beginTag(i, isCorrectTag(this.text, i), false) : i;
  }

  protected override endOfPiece(i: number): number {
    return this.stepping ? i + 1 : super.endOfPiece(i);
  }

  private repairMarkup(i: number): number {
    const { text } = this;
    const open = this.builder.innermost?.name ?? "";
    if (text[i + 1] === "/" && text.startsWith(open, i + 2) && text[i + 2 + open.length] === ">") return i;
    const isCorrect = isCorrectTag(text, i);
    switch (isCorrect ? "tag" : markupAt(text, i)) {
      case "undecided":
        return WAIT;
      case "bare":
      case "document_type":
        return this.replace("less_than", i, i + 1, "&lt;");
      case "end_tag":
        return this.repairEndTag(i);
      case "tag": {
        const isTag = this.isTag(i, isCorrect);
        if (isTag === undefined) return WAIT;
        if (!isTag) return this.replace("less_than", i, i + 1, "&lt;");
        return this.beginTag(i, isCorrect, isEmptyTag(text, i));
      }
      default:
        return i;
    }
  }

  /** A tag that is cut is withheld, because most tags need no repair and can then be read at once. */
  private beginTag(i: number, isCorrect: boolean, isEmpty: boolean): number {
    const { text } = this;
    this.isEmpty = isEmpty;
    this.stepping = isEmpty || !isCorrect;
    const isCut = !isCorrect && text.length - i < lookAhead && !text.includes(">", i);
    return isCut && !this.ended ? WAIT : i;
  }

  /**
   * Whether the start tag at this place is not text: `List<String>` and `if (i <n and m> 0)` are. They have no end tag
   * before that of an element around them.
   */
  private isTag(i: number, isCorrect: boolean): boolean | undefined {
    const followsWord = !/[ \n>]/.test(this.text.charAt(i - 1)) && endsWithWord.test(this.lastTwo(i));
    if (isCorrect && !followsWord) return true;
    const kind = bareTagAt(this.text, i);
    const isDoubtful =
      (kind === "no_attributes" && followsWord) ||
      (kind === "no_values" && this.openElementsAt(i).at(-1)?.hasText === true);
    if (!isDoubtful || isEmptyTag(this.text, i)) return true;
    const known = this.text.slice(i, i + lookAhead);
    const name = nameOfTag(known, 0);
    const first = firstEndTag(known.slice(1))?.toLowerCase();
    if (first === name.toLowerCase()) return true;
    if (this.builder.path.some((open) => open.toLowerCase() === first)) return false;
    if (known.length < lookAhead && !this.ended) return undefined;
    return kind === "no_attributes" && !typeName.test(name);
  }

  /** Between the `<` of a start tag and its end. */
  private repairTag(i: number): number {
    const { reader, text } = this;
    const character = text.charAt(i);
    const isSpace = /\s/.test(character);
    if (reader.state === ATTRIBUTE_EQUALS && !isSpace && !/["']/.test(character)) {
      this.report("unquoted_attribute", i);
      this.replaceBy('"', i, i);
      this.unquoted = true;
    }
    if (reader.state === ATTRIBUTE_VALUE) {
      if (!this.unquoted) return this.repairValue(i);
      if (character === "/" && i + 1 === text.length) return WAIT;
      if (!isSpace && character !== ">" && !text.startsWith("/>", i)) return this.repairValue(i);
      this.replaceBy('"', i, i);
      this.unquoted = false;
    }
    const isNameEnd = reader.state === ATTRIBUTE_NAME && /[/>]/.test(character);
    if (isNameEnd || (reader.state === ATTRIBUTE_SPACE && !isSpace && character !== "=")) {
      this.report("missing_attribute_value", i);
      this.replaceBy('="" ', i, i);
    }
    if (this.isEmpty && character === ">") {
      this.isEmpty = false;
      if (reader.state !== TAG_SLASH) {
        this.report("void_element", reader.markupStart - this.offset);
        this.replaceBy("/", i, i);
      }
    }
    return i;
  }

  private repairValue(i: number): number {
    switch (this.text[i]) {
      case "&":
        return this.repairReference(i);
      case "<":
        return this.replace("less_than", i, i + 1, "&lt;");
      default:
        return i;
    }
  }

  private repairReference(i: number): number {
    const end = referenceAt(this.text, i, true);
    if (end === "undecided") return WAIT;
    return end === "bare" ? this.replace("ampersand", i, i + 1, "&amp;") : end;
  }

  /** Closes the elements around whose end tags are missing. saxes refuses what cannot be repaired. */
  private repairEndTag(i: number): number {
    const { text } = this;
    const name = nameOfTag(text, i);
    if (this.builder.innermost?.name === name) return i;
    const end = text.indexOf(">", i) + 1;
    if (end === 0) return i; // a very long tag
    const openElements = this.openElementsAt(i);
    const lower = name.toLowerCase();
    let level = openElements.findLastIndex((element) => element.name === name);
    if (level < 0) level = openElements.findLastIndex((element) => element.name.toLowerCase() === lower);
    if (level < 0) return isEmptyTag(`<${name} `, 0) ? this.replace("extra_end_tag", i, end, "") : i;
    const unclosed = openElements.slice(level + 1);
    const isAmbiguous = unclosed.some(
      (element, j) => element.hasElements && (element.hasText || element.name === unclosed[j + 1]?.name),
    );
    if (isAmbiguous) return i;
    for (const element of unclosed.reverse()) this.replace("missing_end_tag", i, i, `</${element.name}>`);
    const opened = (openElements[level] as { readonly name: string }).name;
    return opened === name ? i : this.replace("end_tag_name", i, end, `</${opened}>`);
  }

  /** The open elements, with the text before this place. */
  private openElementsAt(i: number): readonly XmlFrame[] {
    this.feedTo(i);
    this.reader.report();
    return this.builder.openElements;
  }

  /** Feeds a replacement for what is written from `i` to `end`. */
  private replace(kind: XmlRepairKind, i: number, end: number, by: string): number {
    this.report(kind, i);
    return this.replaceBy(by, i, end);
  }

  private report(kind: XmlRepairKind, i: number): void {
    this.onRepair({ kind, offset: this.offset + i });
  }

  /** The last two characters before this place. */
  private lastTwo(i: number): string {
    return i < 2 ? (this.before + this.text.slice(0, i)).slice(-2) : this.text.slice(i - 2, i);
  }
}

const endsWithWord = /[\p{L}\p{N}_)\]]$/u;

/** The name of a type in a programming language, as in `List<String>` or `Vec<u8>`. */
const typeName =
  /^(?:[A-Z]\w*|[iuf](?:8|16|32|64|128)|u?int\d*|long|short|float|double|bool|boolean|char|byte|str|string|number|object|void|any|unknown|never|usize|isize)$/;
