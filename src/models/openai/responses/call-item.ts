import type { Metadata } from "../../../messages/blocks/metadata.js";
import { type Loose, nonEmptyText } from "../../loose.js";
import type { ChunkDraft } from "../../wire/chunk-draft.js";
import { DeltaText } from "./delta-text.js";
import type { OutputItem } from "./output-item.js";
import { withoutUndefined } from "../../../json/value.js";

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
  private readonly args = new DeltaText();
  private index: number | undefined;
  private id: string | undefined;
  private named = false;

  constructor(kind: CallKind) {
    this.kind = kind;
  }

  begin(item: Loose, draft: ChunkDraft): void {
    const { block: type } = this.kind;
    this.id = this.kind.idOf(item);
    const name = this.kind.nameOf(item);
    this.named = name !== undefined;
    this.index = draft.nextBlock();
    draft.add({
      type,
      index: this.index,
      ...withoutUndefined({ id: this.id, name, metadata: this.kind.metadataOf(item) }),
    });
  }

  read(event: Loose, draft: ChunkDraft): void {
    const { block: type, deltaOf } = this.kind;
    const args = this.args.add(deltaOf?.(event, this.args));
    if (args !== undefined && this.index !== undefined) draft.add({ type, index: this.index, args });
  }

  end(item: Loose, draft: ChunkDraft): void {
    if (this.index === undefined) this.begin(item, draft);
    const { index = 0, id = nonEmptyText(item["id"]) ?? "" } = this;
    const args = this.args.rest(this.kind.argumentsOf(item));
    const name = this.named ? undefined : this.kind.nameOf(item);
    if (args !== undefined || name !== undefined) {
      draft.add({ type: this.kind.block, index, ...withoutUndefined({ name, args }) });
    }
    this.kind.end?.(item, { index, id }, draft);
  }
}
