import { SaxesParser, type SaxesTag } from "saxes";
import type { Builder } from "./builder.js";
import type { XmlEvent } from "./events.js";
import { problemOf, type Fail } from "./problem.js";

/** What the reader is told. */
export interface ReaderOptions {
  readonly attributes: boolean;
  readonly namespaces: boolean;
  readonly maxDepth: number;
  readonly onEvent: ((event: XmlEvent) => void) | undefined;
}

/** The shell around saxes, which is the authority on what is XML: from its events to ours, and to the value. */
export class Reader {
  private readonly saxes: SaxesParser;
  private readonly options: ReaderOptions;
  private readonly builder: Builder;
  private readonly fail: Fail;
  /** How many characters saxes was given, and by how many the place of the last ones differs from that. */
  private given = 0;
  private shift = 0;
  /**
   * An end tag was read, and the element it ends, by its name. That waits for saxes' next word, which may be that it was
   * the end tag of another element.
   */
  private closing: string | undefined;
  /** The comment or the end of a section is ours, not the text's. */
  private showing = false;
  private sectionBegan = false;
  /** Those of the tag that is being read, names and values in turn. */
  private attributes: string[] = [];

  constructor(options: ReaderOptions, builder: Builder, fail: Fail) {
    this.options = options;
    this.builder = builder;
    this.fail = fail;
    this.saxes = new SaxesParser({ xmlns: options.namespaces });
    this.listen();
  }

  /** @param offset where this stands in the whole text */
  feed(text: string, offset: number): void {
    this.shift = offset - this.given;
    this.given += text.length;
    this.saxes.write(text);
    if (this.closing !== undefined) this.close(this.closing);
  }

  /** Has saxes hand out the text that it has. It does so before a comment; this one goes no further. */
  showText(): void {
    this.showing = true;
    this.feed("<!---->", this.given + this.shift);
    this.showing = false;
  }

  /** The same within a CDATA section, which may be split in two anywhere. */
  showSection(): void {
    this.showing = true;
    this.feed("]]><![CDATA[", this.given + this.shift);
    this.showing = false;
  }

  /** The text has ended. */
  end(): void {
    this.saxes.close();
  }

  private listen(): void {
    const { saxes, builder, options } = this;
    const { onEvent, attributes, maxDepth } = options;
    saxes.on("opentag", (tag) => {
      if (this.closing !== undefined) this.close(this.closing);
      if (builder.depth >= maxDepth) this.failHere(tooDeep(maxDepth));
      onEvent?.({
        type: "open",
        name: tag.name,
        depth: builder.depth,
        attributes: this.attributesOf(tag),
        ...(tag.uri !== undefined && { uri: tag.uri }),
      });
      builder.open(tag.name, this.attributes);
      if (this.attributes.length > 0) this.attributes = [];
    });
    saxes.on("closetag", (tag) => {
      if (this.closing !== undefined) this.close(this.closing);
      this.closing = tag.name;
    });
    saxes.on("text", (text) => {
      if (this.closing !== undefined) this.close(this.closing);
      if (builder.depth > 0) this.text("text", text);
    });
    saxes.on("cdata", (text) => {
      if (this.closing !== undefined) this.close(this.closing);
      // The rest of one that was shown in part may be empty. An empty section is an event all the same.
      if (text !== "" || (!this.showing && !this.sectionBegan)) this.text("cdata", text);
      this.sectionBegan = this.showing && (this.sectionBegan || text !== "");
    });
    saxes.on("error", (error) => {
      const message = error.message.replace(/^\d+:\d+: /, "");
      if (this.closing !== undefined && !message.startsWith("unexpected close tag")) this.close(this.closing);
      this.failHere(problemOf(message, builder.path.at(-1)));
    });
    if (attributes) saxes.on("attribute", ({ name, value }) => this.attributes.push(name, value));
    if (onEvent === undefined) return;
    saxes.on("comment", (text) => {
      if (this.showing) return;
      if (this.closing !== undefined) this.close(this.closing);
      onEvent({ type: "comment", text, depth: builder.depth });
    });
    saxes.on("processinginstruction", ({ target, body }) => {
      if (this.closing !== undefined) this.close(this.closing);
      onEvent({ type: "instruction", target, body, depth: builder.depth });
    });
  }

  private text(type: "text" | "cdata", text: string): void {
    const { builder, options } = this;
    options.onEvent?.({ type, text, depth: builder.depth });
    builder.text(text, type === "cdata");
  }

  private close(name: string): void {
    this.closing = undefined;
    this.builder.close();
    this.options.onEvent?.({ type: "close", name, depth: this.builder.depth });
  }

  private attributesOf({ attributes }: SaxesTag): Readonly<Record<string, string>> {
    if (!this.options.namespaces) return attributes as Readonly<Record<string, string>>;
    const values = Object.create(null) as Record<string, string>;
    for (const name in attributes) values[name] = (attributes[name] as { readonly value: string }).value;
    return values;
  }

  /** The character that saxes has read last is what is wrong. */
  private failHere(problem: Parameters<Fail>[0]): never {
    return this.fail(problem, Math.max(this.saxes.position - 1, 0) + this.shift);
  }
}

function tooDeep(maxDepth: number): Parameters<Fail>[0] {
  return {
    code: "max_depth",
    problem: `More elements are open than maxDepth, ${maxDepth}`,
    expected: "an end tag",
  };
}
