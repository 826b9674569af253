import { SaxesParser } from "#saxes";
import type { XmlBuilder } from "../build/builder.js";
import type { XmlEvent } from "../events.js";
import { problemOf, type Fail, type Problem } from "../problem.js";

export interface SaxesReaderOptions {
  readonly attributes: boolean;
  readonly namespaces: boolean;
  readonly maxDepth: number;
  readonly onEvent: ((event: XmlEvent) => void) | undefined;
}

/** Feeds the text to saxes, and turns what saxes reports into the value and our events. */
export class SaxesReader {
  private readonly saxes: SaxesParser;
  private readonly options: SaxesReaderOptions;
  private readonly builder: XmlBuilder;
  private readonly fail: Fail;
  /** How many characters were fed. */
  private fed = 0;
  /** The offset in the whole text, minus the offset in what was fed. The two differ by repairs and by `flush()`. */
  private shift = 0;
  /**
   * The name of the end tag that saxes reported last. The element is closed only with the next report, because saxes
   * reports the end of the innermost element before it finds that the tag has another name.
   */
  private closing: string | undefined;
  private flushing = false;
  /** Whether text of the open CDATA section was reported. */
  private sectionBegan = false;

  constructor(options: SaxesReaderOptions, builder: XmlBuilder, fail: Fail) {
    this.options = options;
    this.builder = builder;
    this.fail = fail;
    this.saxes = new SaxesParser({ xmlns: options.namespaces, position: false });
    this.listen();
  }

  /** @param offset the offset of this piece in the whole text */
  feed(text: string, offset: number): void {
    this.shift = offset - this.fed;
    this.fed += text.length;
    this.saxes.write(text);
    this.close();
  }

  /** Makes saxes report the text that it holds. It reports text before markup, so it gets an empty comment. */
  flushText(): void {
    this.flush("<!---->");
  }

  /** Makes saxes report what it holds of a CDATA section, by splitting the section in two. */
  flushSection(): void {
    this.flush("]]><![CDATA[");
  }

  /** Ends the document. */
  end(): void {
    this.saxes.close();
  }

  private flush(markup: string): void {
    this.flushing = true;
    this.feed(markup, this.fed + this.shift);
    this.flushing = false;
  }

  private listen(): void {
    const { saxes, builder, options } = this;
    const { onEvent, maxDepth } = options;
    let attributes: string[] = [];
    saxes.on("attribute", ({ name, value }) => {
      attributes.push(name, value);
    });
    saxes.on("opentag", ({ name, uri }) => {
      this.close();
      const { depth } = builder;
      if (depth >= maxDepth) this.failHere(tooDeep(maxDepth));
      onEvent?.({
        type: "open",
        name,
        depth,
        attributes: recordOf(attributes),
        ...(uri !== undefined && { uri }),
      });
      builder.open(name, options.attributes ? attributes : []);
      if (attributes.length > 0) attributes = [];
    });
    saxes.on("closetag", ({ name }) => {
      this.close();
      this.closing = name;
    });
    saxes.on("text", (text) => {
      this.close();
      if (builder.depth > 0) this.text("text", text);
    });
    saxes.on("cdata", (text) => {
      this.close();
      // An empty section is an event; an empty part of a section is not.
      if (text !== "" || (!this.flushing && !this.sectionBegan)) this.text("cdata", text);
      this.sectionBegan = this.flushing && (this.sectionBegan || text !== "");
    });
    saxes.on("error", ({ message }) => {
      if (!message.startsWith("unexpected close tag")) this.close();
      this.failHere(problemOf(message, builder.path.at(-1)));
    });
    if (onEvent === undefined) return;
    saxes.on("comment", (text) => {
      if (this.flushing) return;
      this.close();
      onEvent({ type: "comment", text, depth: builder.depth });
    });
    saxes.on("processinginstruction", ({ target, body }) => {
      this.close();
      onEvent({ type: "instruction", target, body, depth: builder.depth });
    });
  }

  /** Closes the element whose end tag was reported. */
  private close(): void {
    const { closing } = this;
    if (closing === undefined) return;
    this.closing = undefined;
    this.builder.close();
    this.options.onEvent?.({ type: "close", name: closing, depth: this.builder.depth });
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
