import type { JsonParserOptions } from "../../json/options.js";
import { Arguments, finishedCall } from "./arguments.js";
import type { ContentBlock } from "../blocks/blocks.js";
import type { CallChunkBlock } from "./delta.js";
import { mergeMetadata, type Metadata } from "../blocks/metadata.js";
import type { Mutable } from "./mutable.js";

/** A tool call whose name and arguments arrive in pieces, and its block in the message. */
export class GrowingCall {
  /** The id that the model sent. Deltas are matched by it. */
  providerId: string | undefined;
  /** The id in the message. It is unique among the calls of the message. */
  id: string | undefined;
  generatedId: string | undefined;
  name = "";
  private readonly type: CallChunkBlock["type"];
  private readonly optionsFor: ParserOptionsOf | undefined;
  private written: Arguments | undefined;
  private raw: string | undefined;
  private error: string | undefined;
  private metadata: Metadata | undefined;
  /** The block of the call, created on demand: consumers that read only deltas never need it. */
  private shown: ContentBlock | undefined;
  private ended = false;

  constructor(type: CallChunkBlock["type"], optionsFor?: ParserOptionsOf) {
    this.type = type;
    this.optionsFor = optionsFor;
  }

  /** Created with the first argument text: by then the name is complete. */
  get args(): Arguments {
    return (this.written ??= new Arguments(this.optionsFor?.(this.name)));
  }

  get block(): ContentBlock {
    return (this.shown ??= this.growing());
  }

  add(delta: CallChunkBlock): void {
    this.shown = undefined;
    this.ended = false;
    this.name += delta.name ?? "";
    this.raw = delta.raw ?? this.raw;
    this.error = delta.error ?? this.error;
    if (delta.repairs !== undefined) this.args.addRepairs(delta.repairs);
    this.metadata = mergeMetadata(this.metadata, delta.metadata);
    if (delta.args !== undefined && delta.args !== "") this.args.write(delta.args);
  }

  /**
   * Turns the call into a complete one if its object is closed. Called when the model starts the next block or stops.
   * Text that arrives later reverts this. Returns whether the block changed.
   *
   * @param whole whether the message is complete, and not cut at the token limit; then an empty text means no arguments
   */
  settle(id: string, whole: boolean): boolean {
    if (this.ended || this.name === "" || this.error !== undefined) return false;
    const args = whole && this.args.empty ? {} : this.args.closed();
    if (args === undefined) return false;
    if (this.type !== "tool_call_chunk") this.show({ type: "server_tool_call", id, name: this.name, args });
    else if (this.args.otherReading !== undefined) return false;
    else this.show({ type: "tool_call", id, name: this.name, args, ...this.args.repairs });
    return true;
  }

  /** Returns whether the block changed. An invalid call of a provider's own tool stays: nobody runs it here. */
  end(id: string, atTokenLimit: boolean): boolean {
    if (this.type === "server_tool_call_chunk") return this.settle(id, true);
    const isCut = atTokenLimit && this.args.empty;
    if (this.ended && !isCut) return false;
    const reason = this.error ?? (isCut ? "The call has no arguments." : undefined);
    const block = finishedCall(id, this.name, this.args, this.raw, reason);
    const cut = atTokenLimit && block.type === "invalid_tool_call";
    this.show(cut ? { ...block, error: `${block.error} The output stopped at the token limit.` } : block);
    return true;
  }

  private show(block: ContentBlock): void {
    this.ended = true;
    this.shown =
      this.metadata === undefined ? block : ({ ...block, metadata: this.metadata } as ContentBlock);
  }

  private growing(): CallChunkBlock {
    const { type, id, name, written, raw, error, metadata } = this;
    const snapshot = written?.pacedSnapshot();
    // Field by field: spreading costs ten times as much, for each delta.
    const block: Mutable<CallChunkBlock> = { type };
    if (id !== undefined) block.id = id;
    if (name !== "") block.name = name;
    block.args = written?.text ?? "";
    if (raw !== undefined) block.raw = raw;
    if (error !== undefined) block.error = error;
    if (snapshot !== undefined) block.snapshot = snapshot;
    if (metadata !== undefined) block.metadata = metadata;
    return block;
  }
}

export type ParserOptionsOf = (name: string) => JsonParserOptions | undefined;
