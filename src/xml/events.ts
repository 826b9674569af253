/** An event of the parser, in the order of the text. A text may come in several pieces. */
export type XmlEvent = XmlOpenEvent | XmlTextEvent | XmlCommentEvent | XmlInstructionEvent | XmlCloseEvent;

/** `<name id="1">`, or `<name/>`, which is followed by a close event. */
export interface XmlOpenEvent {
  readonly type: "open";
  /** The name in the source, with its prefix. */
  readonly name: string;
  /** How many elements are around it. */
  readonly depth: number;
  /** The values by name. The object has no prototype. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The namespace of the element, `""` for none; with the option `namespaces` only. */
  readonly uri?: string;
}

/** A piece of text, with references resolved, or of a CDATA section. White space is text too. */
export interface XmlTextEvent {
  readonly type: "text" | "cdata";
  readonly text: string;
  /** How many elements are around it. */
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
