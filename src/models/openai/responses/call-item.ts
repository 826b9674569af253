import type { Metadata } from "../../../messages/blocks/metadata.js";
import { type Loose, nonEmptyText } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { DeltaText, type OutputItem } from "./output-item.js";

/** How one kind of item represents a call. */
export interface CallKind {
  readonly block: "tool_call_chunk" | "server_tool_call_chunk";
  /** The id that results refer to. */
  readonly idOf: (item: Loose) => string | undefined;
  readonly nameOf: (item: Loose) => string | undefined;
  /** Initial metadata of the block, needed to send the call back. */
  readonly metadataOf: (item: Loose) => Metadata | undefined;
  /** The JSON text that an event adds to the arguments. */
  readonly deltaOf?: (event: Loose, before: ArgumentsBefore) => string | undefined;
  /** The complete arguments as JSON text, starting with the text that the events added. */
  readonly argumentsOf: (item: Loose) => string | undefined;
  /** Adds the parts of a complete item: its result, and metadata needed to send it back. */
  readonly end?: (item: Loose, call: EndedCall, draft: ChunkDraft) => void;
}

interface ArgumentsBefore {
  readonly empty: boolean;
}

interface EndedCall {
  readonly index: number;
  readonly id: string;
}

/** Decodes a call of a client tool or a tool of OpenAI, with its arguments as they grow. */
export function callItem(kind: CallKind, draft: ChunkDraft): OutputItem {
  const sent = new DeltaText();
  let index: number | undefined;
  let id: string | undefined;
  let named = false;

  const begin = (item: Loose): number => {
    id = kind.idOf(item);
    const name = kind.nameOf(item);
    named = name !== undefined;
    index = draft.nextBlock();
    draft.addCall(index, { id, name, metadata: kind.metadataOf(item) }, kind.block);
    return index;
  };
  return {
    begin,
    read(event) {
      const args = sent.add(kind.deltaOf?.(event, sent));
      if (args !== undefined && index !== undefined) draft.addCall(index, { args }, kind.block);
    },
    end(item) {
      const block = index ?? begin(item);
      const args = sent.rest(kind.argumentsOf(item));
      const name = named ? undefined : kind.nameOf(item);
      if (args !== undefined || name !== undefined) draft.addCall(block, { name, args }, kind.block);
      kind.end?.(item, { index: block, id: id ?? nonEmptyText(item["id"]) ?? "" }, draft);
    },
  };
}
