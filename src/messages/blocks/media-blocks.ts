import type { BlockBase } from "./metadata.js";

/** The location of a medium: set one of `url`, `data` and `fileId`. */
export interface MediaSource extends BlockBase {
  /** A URL that the provider can read, or a `data:` URL. */
  readonly url?: string;
  /** The content in base64. Requires `mimeType`. */
  readonly data?: string;
  /** The id that the provider assigned at upload. */
  readonly fileId?: string;
  /** For example `image/png`. */
  readonly mimeType?: string;
}

export type MediumBlock = ImageBlock | AudioBlock | VideoBlock | FileBlock | PlainTextBlock;

/** An image. */
export interface ImageBlock extends MediaSource {
  readonly type: "image";
  /** The resolution at which the model reads the image. */
  readonly detail?: "auto" | "low" | "high";
}

/** Speech or sound. A model can stream it: a delta appends to `data` and `transcript`. */
export interface AudioBlock extends MediaSource {
  readonly type: "audio";
  /** The spoken words. */
  readonly transcript?: string;
  readonly index?: number;
}

/** A video. */
export interface VideoBlock extends MediaSource {
  readonly type: "video";
}

/** A document, such as a PDF. */
export interface FileBlock extends MediaSource {
  readonly type: "file";
  readonly filename?: string;
}

/** A plain-text document that the model can cite. */
export interface PlainTextBlock extends MediaSource {
  readonly type: "text-plain";
  readonly text?: string;
  readonly title?: string;
  /** Background on the document that the model should know but not cite. */
  readonly context?: string;
}
