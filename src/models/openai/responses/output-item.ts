import type { ContentBlock } from "../../../messages/blocks/blocks.js";
import type { Loose } from "../../loose.js";

/** An item of a response's output while its events arrive. */
export interface OutputItem {
  /** An event about the item, between its start and its end. */
  read(event: Loose, sink: Sink): void;
  /** The item as a whole: hands on what was not in an event. */
  end(item: Loose, sink: Sink): void;
}

/** Where an item hands on what an event adds to the message. */
export interface Sink {
  /** For the index of a block that begins. */
  nextBlock(): number;
  push(block: ContentBlock): void;
  refuse(text: string): void;
  /** Lists of the message's metadata, such as the likelihoods of tokens. */
  grow(lists: Loose): void;
}
