import { SaxesParser } from "#saxes";
import type { XmlBuilder } from "../build/builder.js";
import type { XmlSettings } from "../options.js";
import type { XmlPlace, XmlPosition } from "../position.js";
import { mismatchOf, problemOf, tooDeep, type Fail, type Problem } from "../problem.js";

/** The states of saxes 6 that matter to us, which it does not export. A test compares them with saxes. */
const TEXT = 13;
const OPEN_TAG = 34;
export const TAG_SLASH = 35;
const TAG_SPACE = 36;
export const ATTRIBUTE_NAME = 37;
export const ATTRIBUTE_SPACE = 38;
export const ATTRIBUTE_EQUALS = 39;
export const ATTRIBUTE_VALUE = 40;
const ATTRIBUTE_END = 41;
export const COMMENT_TEXT = 17;
export const COMMENT_HYPHEN = 18;

/** At the start, and in white space before the root. */
const beforeRoot = [0, 1];
/** In the text of a CDATA section, and after one or two brackets there. */
const section = [20, 21, 22];
const startTag = [
  OPEN_TAG,
  TAG_SLASH,
  TAG_SPACE,
  ATTRIBUTE_NAME,
  ATTRIBUTE_SPACE,
  ATTRIBUTE_EQUALS,
  ATTRIBUTE_VALUE,
  ATTRIBUTE_END,
];

/** Feeds the text to saxes, and turns what saxes reports into the value and our events. */
export class SaxesReader {
  readonly builder: XmlBuilder;
  /** The offset in the whole text at which the last tag, comment and so on began. */
  markupStart = 0;
  private markupPlace: XmlPlace | undefined;
  private readonly saxes: SaxesParser;
  private readonly options: XmlSettings;
  private readonly position: XmlPosition;
  private readonly fail: Fail;
  private rootOpened = false;
  /** The beginning of the last tag, comment and so on, for the error about an end tag. */
  private markup = "";
  /** The last character that was fed. */
  private last = "";
  /** How many characters were fed. */
  private fed = 0;
  /** The offset in the whole text, minus the offset in what was fed. The two differ by repairs. */
  private shift = 0;
  /**
   * The name of the end tag in this piece. The element is closed after the piece, because saxes reports the end of the
   * innermost element before it finds that the tag has another name.
   */
  private closing: string | undefined;
  /** Whether text of the open CDATA section was reported. */
  private sectionBegan = false;

  constructor(options: XmlSettings, builder: XmlBuilder, position: XmlPosition, fail: Fail) {
    this.options = options;
    this.builder = builder;
    this.position = position;
    this.fail = fail;
    this.saxes = new SaxesParser({ xmlns: options.namespaces === true, position: false });
    this.listen();
  }

  /** One of the constants above, or another number. */
  get state(): number {
    return this.saxes.state;
  }

  /** Whether saxes is in text, before the root, or between elements. */
  get isBetweenMarkup(): boolean {
    return this.saxes.state === TEXT || beforeRoot.includes(this.saxes.state);
  }

  get isInSection(): boolean {
    return section.includes(this.saxes.state);
  }

  get isInStartTag(): boolean {
    return startTag.includes(this.saxes.state);
  }

  /** Whether saxes is in the text of an element. */
  get isInText(): boolean {
    return this.saxes.state === TEXT && this.builder.depth > 0;
  }

  /** Whether the start tag of the root has begun. */
  get rootSeen(): boolean {
    return this.rootOpened || this.isInStartTag;
  }

  /** Whether the root element has ended, and no comment or instruction after it is open. */
  get complete(): boolean {
    return this.rootOpened && this.builder.depth === 0 && this.saxes.state === TEXT;
  }

  /**
   * Feeds a piece with one tag at most, at its end.
   *
   * @param offset the offset of this piece in the whole text
   * @param markup where a tag, comment and so on begins in the piece, or -1
   */
  feed(text: string, offset: number, markup: number): void {
    if (markup >= 0) {
      this.markupStart = offset + markup;
      this.markupPlace = undefined;
      this.markup = text.slice(markup);
    } else if (this.markup.length < enoughMarkup && !this.isBetweenMarkup) this.markup += text;
    this.shift = offset - this.fed;
    this.fed += text.length;
    this.saxes.write(text);
    // Markup that is cut: its lines are counted before it ends.
    if (!this.isBetweenMarkup) this.placeOfMarkup();
    if (text !== "") this.last = text.charAt(text.length - 1);
    const { closing } = this;
    if (closing === undefined) return;
    this.closing = undefined;
    this.builder.close();
    this.options.onEvent?.({ type: "close", name: closing, depth: this.builder.depth });
  }

  /** Whether the last character may belong to the next: `\r` to a line break of two, `]` to `]]>`. */
  get awaitsText(): boolean {
    return this.last === "\r" || this.last === "]";
  }

  /** Adds text of the open element as if saxes had read it. */
  addText(text: string): void {
    this.saxes.text += text;
  }

  /** Reports the text that saxes holds. */
  report(): void {
    const { saxes, isInText } = this;
    const { text } = saxes;
    if (text === "" || !(isInText || this.isInSection)) return;
    saxes.text = "";
    if (!isInText) this.sectionBegan = true;
    this.text(isInText ? "text" : "cdata", text);
  }

  private listen(): void {
    const { saxes, builder, options } = this;
    const { onEvent, maxDepth } = options;
    let attributes: string[] = [];
    saxes.on("attribute", ({ name, value }) => {
      attributes.push(name, value);
    });
    saxes.on("opentag", ({ name, uri }) => {
      const { depth } = builder;
      if (depth >= maxDepth) this.failHere(tooDeep(maxDepth));
      this.rootOpened = true;
      onEvent?.({
        type: "open",
        name,
        depth,
        attributes: recordOf(attributes),
        ...(uri !== undefined && { uri }),
      });
      builder.open(name, options.attributes === false ? [] : attributes, this.placeOfMarkup());
      if (attributes.length > 0) attributes = [];
    });
    saxes.on("closetag", ({ name }) => {
      this.closing = name;
    });
    saxes.on("text", (text) => {
      if (builder.depth > 0) this.text("text", text);
    });
    saxes.on("cdata", (text) => {
      // An empty section is an event; an empty part of a section is not.
      if (text !== "" || !this.sectionBegan) this.text("cdata", text);
      this.sectionBegan = false;
    });
    saxes.on("error", ({ message }) => {
      if (!isMismatch.test(message)) this.failHere(problemOf(message));
      const endTag = this.markup.slice(0, enoughMarkup);
      this.failHere(mismatchOf(endTag, this.placeOfMarkup(), builder.innermost));
    });
    if (onEvent === undefined) return;
    saxes.on("comment", (text) => {
      onEvent({ type: "comment", text, depth: builder.depth });
    });
    saxes.on("processinginstruction", ({ target, body }) => {
      onEvent({ type: "instruction", target, body, depth: builder.depth });
    });
  }

  private placeOfMarkup(): XmlPlace {
    return (this.markupPlace ??= this.position.at(this.markupStart));
  }

  private text(type: "text" | "cdata", text: string): void {
    this.options.onEvent?.({ type, text, depth: this.builder.depth });
    this.builder.text(text, type === "cdata");
  }

  /** Fails at the character that saxes has read last. */
  private failHere(problem: Problem): never {
    return this.fail(problem, Math.max(this.saxes.position - 1, 0) + this.shift);
  }
}

/** How many characters of a tag are kept for the error about its name. */
const enoughMarkup = 100;

const isMismatch = /^unexpected close tag|^unmatched closing tag/;

/** Without a prototype, because any name is allowed. */
function recordOf(attributes: readonly string[]): Readonly<Record<string, string>> {
  const record = Object.create(null) as Record<string, string>;
  for (let i = 0; i < attributes.length; i += 2)
    record[attributes[i] as string] = attributes[i + 1] as string;
  return record;
}
