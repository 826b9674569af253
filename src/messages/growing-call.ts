import { Arguments } from "./arguments.js";
import type { ContentBlock } from "./blocks.js";
import type { CallChunkBlock } from "./delta.js";
import { finishedCall } from "./finished-call.js";
import type { Metadata } from "./metadata.js";

/** A tool call of a message that is being written. */
export class GrowingCall {
  /** How the message shows the call now. */
  block: ContentBlock;
  id: string | undefined;
  private readonly type: CallChunkBlock["type"];
  private name = "";
  private readonly args = new Arguments();
  private metadata: Metadata | undefined;

  constructor(type: CallChunkBlock["type"]) {
    this.type = type;
    this.block = { type };
  }

  add(delta: CallChunkBlock): void {
    this.id ??= delta.id;
    this.name += delta.name ?? "";
    if (delta.args !== undefined && delta.args !== "") this.args.write(delta.args);
    if (delta.metadata !== undefined) this.metadata = { ...this.metadata, ...delta.metadata };
    const { type, id, name, args } = this;
    const snapshot = args.snapshot();
    // Assigned one by one, as spreading costs ten times as much, for each delta.
    const block: Mutable<CallChunkBlock> = { type };
    if (id !== undefined) block.id = id;
    if (name !== "") block.name = name;
    block.args = args.text;
    if (snapshot !== undefined) block.snapshot = snapshot;
    if (this.metadata !== undefined) block.metadata = this.metadata;
    this.block = block;
  }

  /**
   * The model is done with the call: shows it as one that can be run, if its object is closed. Text that comes
   * nevertheless undoes that.
   *
   * @param whole so is the message: no text at all means no arguments
   */
  settle(id: string, whole: boolean): void {
    if (this.block.type !== this.type || this.name === "") return;
    const args = whole && this.args.empty ? {} : this.args.closed();
    if (args === undefined) return;
    const type = this.type === "tool_call_chunk" ? "tool_call" : "server_tool_call";
    this.block = this.withMetadata({ type, id: this.id ?? id, name: this.name, args });
  }

  /**
   * There is no more to come. Returns whether the call is shown in another way now. A broken call of a tool of the
   * provider's stays as it is: nobody here is to run it.
   */
  end(id: string, atTokenLimit: boolean): boolean {
    if (this.block.type !== this.type) return false;
    if (this.type === "server_tool_call_chunk") {
      this.settle(id, true);
      return this.block.type !== this.type;
    }
    this.block = this.withMetadata(finishedCall(this.id ?? id, this.name, this.args));
    if (atTokenLimit && this.block.type === "invalid_tool_call") {
      this.block = { ...this.block, error: `${this.block.error} The output stopped at the token limit.` };
    }
    return true;
  }

  private withMetadata<Block extends ContentBlock>(block: Block): Block {
    return this.metadata === undefined ? block : { ...block, metadata: this.metadata };
  }
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
