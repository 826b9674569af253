import type { ContentBlock } from "../../../messages/blocks/blocks.js";
import type { Loose } from "../../loose.js";

/** Decodes an output item of a response while its events arrive. */
export interface OutputItem {
  /** Reads an event about the item, between its start and its end. */
  read(event: Loose, sink: Sink): void;
  /** Reads the complete item and sends everything that no event contained. */
  end(item: Loose, sink: Sink): void;
}

/** Receives what an event adds to the message. */
export interface Sink {
  /** Returns the index of a new block. */
  nextBlock(): number;
  push(block: ContentBlock): void;
  refuse(text: string): void;
  /** Adds lists to the metadata of the message, such as token log probabilities. */
  addLists(lists: Loose): void;
}
