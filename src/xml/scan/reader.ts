import { SaxesParser, type SaxesTag } from "#saxes";
import type { Builder } from "../build/builder.js";
import type { XmlEvent } from "../events.js";
import { problemOf, type Fail } from "../problem.js";

/** What the reader is told. */
export interface ReaderOptions {
  readonly attributes: boolean;
  readonly namespaces: boolean;
  readonly maxDepth: number;
  readonly onEvent: ((event: XmlEvent) => void) | undefined;
}

/**
 * From what is read to our events, and to the value. What the scanner knows to be well-formed by itself it hands over here;
 * all else goes through saxes, which is the authority on what is XML. saxes knows the root and whatever it was fed. The tags
 * of the other open elements it is told as soon as it is fed something in them, so that it has the last word on them too.
 */
export class Reader {
  private readonly saxes: SaxesParser;
  private readonly options: ReaderOptions;
  private readonly builder: Builder;
  private readonly fail: Fail;
  /** How many characters saxes was given, and by how many the place of the last ones differs from that. */
  private given = 0;
  private shift = 0;
  /** Of so many of the open elements saxes knows, from the root inwards. */
  private known = 0;
  /** What saxes reads is what we know already. */
  private telling = false;
  /**
   * An end tag was read, and the element it ends, by its name. That waits for saxes' next word, which may be that it was
   * the end tag of another element.
   */
  private closing: string | undefined;
  /** The comment or the end of a section is ours, not the text's. */
  private showing = false;
  private sectionBegan = false;

  constructor(options: ReaderOptions, builder: Builder, fail: Fail) {
    this.options = options;
    this.builder = builder;
    this.fail = fail;
    this.saxes = new SaxesParser({ xmlns: options.namespaces });
    this.listen();
  }

  /** How many elements are open. */
  get depth(): number {
    return this.builder.depth;
  }

  /** The innermost open element, if saxes does not know of it: its end tag need not be fed. */
  get unknownName(): string | undefined {
    return this.known < this.builder.depth ? this.builder.name : undefined;
  }

  /** Whether another element may be opened without saxes. */
  get mayOpen(): boolean {
    return !this.options.namespaces && this.builder.depth > 0 && this.builder.depth < this.options.maxDepth;
  }

  /** @param attributes names and values in turn */
  open(name: string, attributes: readonly string[], uri?: string): void {
    const { builder, options } = this;
    options.onEvent?.({
      type: "open",
      name,
      depth: builder.depth,
      attributes: valuesOf(attributes),
      ...(uri !== undefined && { uri }),
    });
    builder.open(name, options.attributes ? attributes : none);
  }

  text(type: "text" | "cdata", text: string): void {
    this.options.onEvent?.({ type, text, depth: this.builder.depth });
    this.builder.text(text, type === "cdata");
  }

  close(name: string): void {
    this.builder.close();
    this.options.onEvent?.({ type: "close", name, depth: this.builder.depth });
  }

  /**
   * Has saxes read this.
   *
   * @param offset where it stands in the whole text
   */
  feed(text: string, offset: number): void {
    if (this.known < this.builder.depth) this.tell();
    this.write(text, offset);
    this.settle();
  }

  /** Has saxes hand out the text that it has. It does so before a comment; this one goes no further. */
  showText(): void {
    this.show("<!---->");
  }

  /** The same within a CDATA section, which may be split in two anywhere. */
  showSection(): void {
    this.show("]]><![CDATA[");
  }

  /** The text has ended. */
  end(): void {
    this.saxes.close();
  }

  private show(markup: string): void {
    this.showing = true;
    this.write(markup, this.given + this.shift);
    this.showing = false;
  }

  /** Its attributes are of no more interest. */
  private tell(): void {
    let tags = "";
    for (; this.known < this.builder.depth; this.known++) tags += `<${this.builder.nameAt(this.known)}>`;
    this.telling = true;
    this.write(tags, this.given + this.shift);
    this.telling = false;
  }

  private write(text: string, offset: number): void {
    this.shift = offset - this.given;
    this.given += text.length;
    this.saxes.write(text);
  }

  private listen(): void {
    const { saxes, builder, options } = this;
    const { onEvent, maxDepth } = options;
    saxes.on("opentag", (tag) => {
      if (this.telling) return;
      this.settle();
      if (builder.depth >= maxDepth) this.failHere(tooDeep(maxDepth));
      this.open(tag.name, attributesOf(tag), tag.uri);
      this.known++;
    });
    saxes.on("closetag", (tag) => {
      this.settle();
      this.closing = tag.name;
    });
    saxes.on("text", (text) => {
      this.settle();
      if (builder.depth > 0) this.text("text", text);
    });
    saxes.on("cdata", (text) => {
      this.settle();
      // The rest of one that was shown in part may be empty. An empty section is an event all the same.
      if (text !== "" || (!this.showing && !this.sectionBegan)) this.text("cdata", text);
      this.sectionBegan = this.showing && (this.sectionBegan || text !== "");
    });
    saxes.on("error", (error) => {
      const message = error.message.replace(/^\d+:\d+: /, "");
      if (!message.startsWith("unexpected close tag")) this.settle();
      this.failHere(problemOf(message, builder.path.at(-1)));
    });
    if (onEvent === undefined) return;
    saxes.on("comment", (text) => {
      if (this.showing) return;
      this.settle();
      onEvent({ type: "comment", text, depth: builder.depth });
    });
    saxes.on("processinginstruction", ({ target, body }) => {
      this.settle();
      onEvent({ type: "instruction", target, body, depth: builder.depth });
    });
  }

  /** What was read last was the end tag that was expected. */
  private settle(): void {
    const { closing } = this;
    if (closing === undefined) return;
    this.closing = undefined;
    this.known--;
    this.close(closing);
  }

  /** The character that saxes has read last is what is wrong. */
  private failHere(problem: Parameters<Fail>[0]): never {
    return this.fail(problem, Math.max(this.saxes.position - 1, 0) + this.shift);
  }
}

const none: readonly string[] = [];

function attributesOf({ attributes }: SaxesTag): string[] {
  const list: string[] = [];
  for (const name in attributes) {
    const value = attributes[name] as string | { readonly value: string };
    list.push(name, typeof value === "string" ? value : value.value);
  }
  return list;
}

/** Without a prototype, as a name may be any. */
function valuesOf(attributes: readonly string[]): Readonly<Record<string, string>> {
  const values = Object.create(null) as Record<string, string>;
  for (let i = 0; i < attributes.length; i += 2)
    values[attributes[i] as string] = attributes[i + 1] as string;
  return values;
}

function tooDeep(maxDepth: number): Parameters<Fail>[0] {
  return {
    code: "max_depth",
    problem: `More elements are open than maxDepth, ${maxDepth}`,
    expected: "an end tag",
  };
}
