import type { JsonParserOptions } from "../../json/options.js";
import { Arguments } from "./arguments.js";
import type { ContentBlock } from "../blocks/blocks.js";
import type { CallChunkBlock } from "./delta.js";
import { finishedCall } from "./finished-call.js";
import { mergeMetadata, type Metadata } from "../blocks/metadata.js";
import type { Mutable } from "./mutable.js";

/** A tool call of a message that is being written. */
export class GrowingCall {
  /** As the model says it, which is what its deltas are known by. */
  given: string | undefined;
  /** As the message shows it: no two calls of our tools have the same. */
  id: string | undefined;
  name = "";
  private readonly type: CallChunkBlock["type"];
  private readonly optionsFor: ParserOptionsOf | undefined;
  private written: Arguments | undefined;
  private metadata: Metadata | undefined;
  /** How the message shows the call: made when it is asked for, as whoever reads only deltas needs none. */
  private shown: ContentBlock | undefined;
  private ended = false;

  constructor(type: CallChunkBlock["type"], optionsFor?: ParserOptionsOf) {
    this.type = type;
    this.optionsFor = optionsFor;
  }

  /** The name has ended where the arguments begin. */
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
    this.metadata = mergeMetadata(this.metadata, delta.metadata);
    if (delta.args !== undefined && delta.args !== "") this.args.write(delta.args);
  }

  /**
   * The model is done with the call: shows it as one that can be run, if its object is closed. Text that comes
   * nevertheless undoes that.
   *
   * @param whole so is the message: no text at all means no arguments
   * @returns whether the call is shown in another way now
   */
  settle(id: string, whole: boolean): boolean {
    if (this.ended || this.name === "") return false;
    const args = whole && this.args.empty ? {} : this.args.closed();
    if (args === undefined) return false;
    const type = this.type === "tool_call_chunk" ? "tool_call" : "server_tool_call";
    this.show({ type, id: this.id ?? id, name: this.name, args });
    return true;
  }

  /**
   * There is no more to come. Returns whether the call is shown in another way now. A broken call of a tool of the
   * provider's stays as it is: nobody here is to run it.
   */
  end(id: string, atTokenLimit: boolean): boolean {
    if (this.type === "server_tool_call_chunk") return this.settle(id, true);
    if (this.ended) return false;
    const block = finishedCall(this.id ?? id, this.name, this.args);
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
    const { type, id, name, written, metadata } = this;
    const snapshot = written?.snapshot();
    // Assigned one by one, as spreading costs ten times as much, for each delta.
    const block: Mutable<CallChunkBlock> = { type };
    if (id !== undefined) block.id = id;
    if (name !== "") block.name = name;
    block.args = written?.text ?? "";
    if (snapshot !== undefined) block.snapshot = snapshot;
    if (metadata !== undefined) block.metadata = metadata;
    return block;
  }
}

/** How the arguments of a tool are read, where that is not the default. */
export type ParserOptionsOf = (name: string) => JsonParserOptions | undefined;
