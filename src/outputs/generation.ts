import type { Metadata } from "../messages/blocks/metadata.js";

/** One answer of a model to one prompt: a candidate. */
export interface Generation {
  readonly text: string;
  /** What the provider says of it, under the provider's own keys, such as log probabilities. */
  readonly info?: Metadata;
}

/** What a step adds to a generation that is being written. */
export interface GenerationChunk {
  readonly text: string;
  /** Of two chunks that name a key the later wins. */
  readonly info?: Metadata;
}
