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
export class CallItem implements OutputItem {
  private readonly kind: CallKind;
  private readonly draft: ChunkDraft;
  private readonly args = new DeltaText();
  private index: number | undefined;
  private id: string | undefined;
  private named = false;

  constructor(kind: CallKind, draft: ChunkDraft) {
    this.kind = kind;
    this.draft = draft;
  }

  begin(item: Loose): void {
    const { kind } = this;
    this.id = kind.idOf(item);
    const name = kind.nameOf(item);
    this.named = name !== undefined;
    this.index = this.draft.nextBlock();
    this.draft.addCall(this.index, { id: this.id, name, metadata: kind.metadataOf(item) }, kind.block);
  }

  read(event: Loose): void {
    const args = this.args.add(this.kind.deltaOf?.(event, this.args));
    if (args !== undefined && this.index !== undefined)
      this.draft.addCall(this.index, { args }, this.kind.block);
  }

  end(item: Loose): void {
    if (this.index === undefined) this.begin(item);
    const { index = 0, id = nonEmptyText(item["id"]) ?? "" } = this;
    const args = this.args.rest(this.kind.argumentsOf(item));
    const name = this.named ? undefined : this.kind.nameOf(item);
    if (args !== undefined || name !== undefined) this.draft.addCall(index, { name, args }, this.kind.block);
    this.kind.end?.(item, { index, id }, this.draft);
  }
}
