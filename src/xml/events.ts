/** What is read, as it is read. Of all but the elements there may be several in a row: a text comes in pieces. */
export type XmlEvent = XmlOpenEvent | XmlTextEvent | XmlCommentEvent | XmlInstructionEvent | XmlCloseEvent;

/** `<name id="1">`, or `<name/>`, which a close follows. */
export interface XmlOpenEvent {
  readonly type: "open";
  /** As it was written, with its prefix. */
  readonly name: string;
  /** How many elements are around it. */
  readonly depth: number;
  /** Their values by their names, as they were written; an object without a prototype. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The namespace of the element, `""` for none; with the option `namespaces` only. */
  readonly uri?: string;
}

/** A piece of text, its references resolved, or of a CDATA section. White space is text too. */
export interface XmlTextEvent {
  readonly type: "text" | "cdata";
  readonly text: string;
  /** How many elements are around it, as of all that is in one. */
  readonly depth: number;
}

/** `<!-- text -->`, whole. */
export interface XmlCommentEvent {
  readonly type: "comment";
  readonly text: string;
  readonly depth: number;
}

/** `<?target body?>`, whole. */
export interface XmlInstructionEvent {
  readonly type: "instruction";
  readonly target: string;
  readonly body: string;
  readonly depth: number;
}

/** `</name>`, at the depth of its open. */
export interface XmlCloseEvent {
  readonly type: "close";
  readonly name: string;
  readonly depth: number;
}
