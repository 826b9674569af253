/**
 * Declarations of the parts of saxes 6 that we use, for `#saxes` (package.json). Its own do not compile with our flags.
 */
export interface SaxesTag {
  readonly name: string;
  /** Without a prototype. The values are strings, or objects with `xmlns: true`. */
  readonly attributes: Readonly<Record<string, string | { readonly value: string }>>;
  /** With `xmlns: true`. */
  readonly uri?: string;
}

export class SaxesParser {
  constructor(options?: { readonly xmlns?: boolean; readonly position?: boolean });
  /** How many characters it has read. */
  readonly position: number;
  /** The number of its state. Private to saxes; the build contains one version of it. */
  readonly state: number;
  /** The text that it has read and not reported. Private to saxes. */
  text: string;
  on(event: "opentag" | "closetag", handler: (tag: SaxesTag) => void): void;
  on(event: "text" | "cdata" | "comment", handler: (text: string) => void): void;
  on(
    event: "processinginstruction",
    handler: (instruction: { readonly target: string; readonly body: string }) => void,
  ): void;
  on(
    event: "attribute",
    handler: (attribute: { readonly name: string; readonly value: string }) => void,
  ): void;
  on(event: "error", handler: (error: Error) => void): void;
  write(text: string): this;
  close(): this;
}
