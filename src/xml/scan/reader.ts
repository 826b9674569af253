import type { XmlBuilder } from "../build/builder.js";
import { levelsPerCharacter } from "../build/increments.js";
import type { XmlSettings } from "../options.js";
import type { XmlPlace, XmlPosition } from "../position.js";
import { mismatchOf, problemOf, type Fail, type MarkupProblem } from "../problem.js";
import { SECTION, SECTION_BRACKETS, TAG_NAME, TEXT } from "./states.js";
import { xmlTokenizer, type XmlTokenizer, type XmlTokens } from "./tokenizer.js";

/** Feeds the text to the tokenizer, and turns its tokens into the value and events. */
export class XmlReader implements XmlTokens {
  readonly builder: XmlBuilder;
  /** The offset in the whole text at which the last tag, comment and so on began. */
  markupStart = 0;
  private markupPlace: XmlPlace | undefined;
  private readonly tokenizer: XmlTokenizer;
  readonly options: XmlSettings;
  private readonly position: XmlPosition;
  readonly fail: Fail;
  private rootOpened = false;
  /** The last character that was fed. */
  private last = "";
  /** The offset in the whole text of the piece that is read. */
  private pieceStart = 0;
  /** Whether text of the open CDATA section was reported. */
  private sectionBegan = false;

  constructor(options: XmlSettings, builder: XmlBuilder, position: XmlPosition, fail: Fail) {
    this.options = options;
    this.builder = builder;
    this.position = position;
    this.fail = fail;
    this.tokenizer = xmlTokenizer(options.namespaces === true, this);
  }

  /** One of the states of the tokenizer. */
  get state(): number {
    return this.tokenizer.state;
  }

  /** In text, or outside of the root. */
  get isBetweenMarkup(): boolean {
    return this.state === TEXT;
  }

  get isInSection(): boolean {
    return this.state >= SECTION && this.state <= SECTION_BRACKETS;
  }

  /** In the text of an element. */
  get isInText(): boolean {
    return this.isBetweenMarkup && this.builder.depth > 0;
  }

  /** Whether the start tag of the root has begun. */
  get rootSeen(): boolean {
    return this.rootOpened || this.state >= TAG_NAME;
  }

  /** Whether the root element has ended, and no comment or instruction after it is open. */
  get complete(): boolean {
    return this.rootOpened && this.builder.depth === 0 && this.isBetweenMarkup;
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
    }
    this.pieceStart = offset;
    this.tokenizer.write(text);
    // Markup that is cut: its lines are counted before it ends.
    if (!this.isBetweenMarkup) this.placeOfMarkup();
    if (text !== "") this.last = text.charAt(text.length - 1);
  }

  /** Whether the last character may belong to the next: `\r` to a line break of two, `]` to `]]>`. */
  get awaitsText(): boolean {
    return this.last === "\r" || this.last === "]";
  }

  /** Adds text of the open element in which the tokenizer would find nothing. */
  addText(text: string): void {
    this.tokenizer.text += text;
  }

  /** Reports the text that the tokenizer holds. */
  report(): void {
    const { tokenizer, isInText } = this;
    const { text } = tokenizer;
    if (text === "" || !(isInText || this.isInSection)) return;
    tokenizer.text = "";
    if (!isInText) this.sectionBegan = true;
    this.add(isInText ? "text" : "cdata", text);
  }

  open(name: string, attributes: readonly string[], uri: string | undefined, index: () => number): void {
    const { builder, options } = this;
    const { depth } = builder;
    const { onEvent, maxDepth } = options;
    if (depth >= maxDepth)
      this.refuse("max_depth", `a start tag in maxDepth (${maxDepth}) elements`, index());
    if (builder.increments !== undefined) builder.increments.received = this.pieceStart + index();
    this.rootOpened = true;
    onEvent?.({
      type: "open",
      name,
      depth,
      attributes: recordOf(attributes),
      ...(uri !== undefined && { uri }),
    });
    builder.open(name, options.attributes === false ? [] : attributes, this.placeOfMarkup());
    this.checkIncrements();
  }

  close(name: string): void {
    this.builder.close();
    this.checkIncrements();
    this.options.onEvent?.({ type: "close", name, depth: this.builder.depth });
  }

  private checkIncrements(): void {
    if (this.builder.increments?.isTooMuch !== true) return;
    const found = `more than ${levelsPerCharacter} elements of paths for each character`;
    this.fail(problemOf("max_work", found), this.markupStart);
  }

  text(text: string): void {
    this.add("text", text);
  }

  section(text: string): void {
    // An empty section is an event; an empty part of a section is not.
    if (text !== "" || !this.sectionBegan) this.add("cdata", text);
    this.sectionBegan = false;
  }

  comment(text: string): void {
    this.options.onEvent?.({ type: "comment", text, depth: this.builder.depth });
  }

  instruction(target: string, body: string): void {
    this.options.onEvent?.({ type: "instruction", target, body, depth: this.builder.depth });
  }

  refuse(code: MarkupProblem, found: string, index: number): never {
    return this.fail(problemOf(code, found), this.pieceStart + index);
  }

  mismatch(name: string, index: number): never {
    return this.fail(mismatchOf(name, this.placeOfMarkup(), this.builder.innermost), this.pieceStart + index);
  }

  private placeOfMarkup(): XmlPlace {
    return (this.markupPlace ??= this.position.at(this.markupStart));
  }

  private add(type: "text" | "cdata", text: string): void {
    this.options.onEvent?.({ type, text, depth: this.builder.depth });
    this.builder.text(text, type === "cdata");
  }
}

/** Without a prototype, because any name is allowed. */
function recordOf(attributes: readonly string[]): Readonly<Record<string, string>> {
  const record = Object.create(null) as Record<string, string>;
  for (let i = 0; i < attributes.length; i += 2)
    record[attributes[i] as string] = attributes[i + 1] as string;
  return record;
}
