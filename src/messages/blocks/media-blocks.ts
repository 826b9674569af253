import type { BlockBase } from "./metadata.js";

/** Where a medium is: one of the three. */
export interface MediaSource extends BlockBase {
  /** An address that the provider can read; a `data:` URL too. */
  readonly url?: string;
  /** In base64. Needs `mimeType`. */
  readonly data?: string;
  /** The name that the provider gave it when it was uploaded. */
  readonly fileId?: string;
  /** Like `image/png`. */
  readonly mimeType?: string;
}

/** An image. */
export interface ImageBlock extends MediaSource {
  readonly type: "image";
  /** How closely the model looks at it. */
  readonly detail?: "auto" | "low" | "high";
}

/** Speech or sound. Also what a model streams: a delta adds to `data` and `transcript`. */
export interface AudioBlock extends MediaSource {
  readonly type: "audio";
  /** What is said. */
  readonly transcript?: string;
  readonly index?: number;
}

/** A film. */
export interface VideoBlock extends MediaSource {
  readonly type: "video";
}

/** A document, such as a PDF. */
export interface FileBlock extends MediaSource {
  readonly type: "file";
  readonly filename?: string;
}

/** A document that is text, which the model may cite from. */
export interface PlainTextBlock extends MediaSource {
  readonly type: "text-plain";
  readonly text?: string;
  readonly title?: string;
  /** What the model should know of it, and not cite. */
  readonly context?: string;
}
