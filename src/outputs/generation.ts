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
  /** Merged by key, at any depth: lists are concatenated, and of other values the later wins. */
  readonly info?: Metadata;
}
