import type { Loose } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";

/** Decodes an output item of a response while its events arrive. */
export interface OutputItem {
  /** Reads an event about the item, between its start and its end. */
  read(event: Loose, draft: ChunkDraft): void;
  /** Reads the complete item and adds everything that no event contained. */
  end(item: Loose, draft: ChunkDraft): void;
}
