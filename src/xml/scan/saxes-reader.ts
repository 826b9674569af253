import { SaxesParser } from "#saxes";
import type { XmlBuilder } from "../build/builder.js";
import type { XmlEvent } from "../events.js";
import type { XmlPosition } from "../position.js";
import { mismatchOf, problemOf, type Fail, type Problem } from "../problem.js";
import { isBetweenMarkup, isInSection, isInStartTag, TEXT } from "./saxes-state.js";

export interface SaxesReaderOptions {
  readonly attributes: boolean;
  readonly namespaces: boolean;
  readonly maxDepth: number;
  readonly onEvent: ((event: XmlEvent) => void) | undefined;
}

/** Feeds the text to saxes, and turns what saxes reports into the value and our events. */
export class SaxesReader {
  /** The offset in the whole text at which the last tag, comment and so on began. */
  markupStart = 0;
  private readonly saxes: SaxesParser;
  private readonly options: SaxesReaderOptions;
  private readonly builder: XmlBuilder;
  private readonly position: XmlPosition;
  private readonly fail: Fail;
  private rootOpened = false;
  /** What was fed from the last piece with a beginning of markup on, and where in it the markup begins. */
  private markup = "";
  private markupIndex = 0;
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

  constructor(options: SaxesReaderOptions, builder: XmlBuilder, position: XmlPosition, fail: Fail) {
    this.options = options;
    this.builder = builder;
    this.position = position;
    this.fail = fail;
    this.saxes = new SaxesParser({ xmlns: options.namespaces, position: false });
    this.listen();
  }

  /** One of the constants in `saxes-state.ts`, or another number. */
  get state(): number {
    return this.saxes.state;
  }

  /** Whether saxes is in the text of an element. */
  get inText(): boolean {
    return this.saxes.state === TEXT && this.builder.depth > 0;
  }

  /** Whether the start tag of the root has begun. */
  get rootSeen(): boolean {
    return this.rootOpened || isInStartTag(this.saxes.state);
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
      this.markup = text;
      this.markupIndex = markup;
    } else if (this.markup.length - this.markupIndex < enoughMarkup && !isBetweenMarkup(this.saxes.state))
      this.markup += text;
    this.shift = offset - this.fed;
    this.fed += text.length;
    this.saxes.write(text);
    const { closing } = this;
    if (closing === undefined) return;
    this.closing = undefined;
    this.builder.close();
    this.options.onEvent?.({ type: "close", name: closing, depth: this.builder.depth });
  }

  /** Reports the text that saxes holds. */
  report(): void {
    const { saxes, inText } = this;
    const { text } = saxes;
    if (text === "" || !(inText || isInSection(saxes.state))) return;
    saxes.text = "";
    if (!inText) this.sectionBegan = true;
    this.text(inText ? "text" : "cdata", text);
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
      builder.open(name, options.attributes ? attributes : [], this.position.at(this.markupStart));
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
      const endTag = this.markup.slice(this.markupIndex);
      this.failHere(mismatchOf(endTag, this.position.at(this.markupStart), builder.innermost));
    });
    if (onEvent === undefined) return;
    saxes.on("comment", (text) => {
      onEvent({ type: "comment", text, depth: builder.depth });
    });
    saxes.on("processinginstruction", ({ target, body }) => {
      onEvent({ type: "instruction", target, body, depth: builder.depth });
    });
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

function tooDeep(maxDepth: number): Problem {
  return {
    code: "max_depth",
    problem: `Expected an end tag, because maxDepth (${maxDepth}) elements are open, but found a start tag`,
    expected: "an end tag",
  };
}
