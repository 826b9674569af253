import type { Metadata } from "../messages/blocks/metadata.js";

/** One answer (candidate) of a model to a prompt. */
export interface Generation {
  readonly text: string;
  /** Data of the provider under the provider's own keys, such as log probabilities. */
  readonly info?: Metadata;
}

/** A chunk of a generation. */
export interface GenerationChunk {
  readonly text: string;
  /** Merged key by key; the value of the later chunk wins. */
  readonly info?: Metadata;
}
