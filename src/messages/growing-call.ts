import { Arguments } from "./arguments.js";
import type { ContentBlock, ToolCallChunkBlock } from "./blocks.js";
import { finishedCall } from "./finished-call.js";

/** A tool call of a message that is being written. */
export class GrowingCall {
  /** How the message shows the call now. */
  block: ContentBlock = { type: "tool_call_chunk" };
  id: string | undefined;
  private name = "";
  private readonly args = new Arguments();

  add(delta: ToolCallChunkBlock): void {
    this.id ??= delta.id;
    this.name += delta.name ?? "";
    if (delta.args !== undefined && delta.args !== "") this.args.write(delta.args);
    const { id, name, args } = this;
    const snapshot = args.snapshot();
    this.block = {
      type: "tool_call_chunk",
      ...(id === undefined ? undefined : { id }),
      ...(name === "" ? undefined : { name }),
      args: args.text,
      ...(snapshot === undefined ? undefined : { snapshot }),
    };
  }

  /**
   * The model is done with the call: shows it as one that can be run, if its object is closed. Text that comes
   * nevertheless undoes that.
   *
   * @param whole so is the message: no text at all means no arguments
   */
  settle(id: string, whole: boolean): void {
    if (this.block.type !== "tool_call_chunk" || this.name === "") return;
    const args = whole && this.args.empty ? {} : this.args.closed();
    if (args !== undefined) this.block = { type: "tool_call", id: this.id ?? id, name: this.name, args };
  }

  /** There is no more to come. Returns whether the call is shown in another way now. */
  end(id: string, atTokenLimit: boolean): boolean {
    if (this.block.type !== "tool_call_chunk") return false;
    this.block = finishedCall(this.id ?? id, this.name, this.args);
    if (atTokenLimit && this.block.type === "invalid_tool_call") {
      this.block = { ...this.block, error: `${this.block.error} The output stopped at the token limit.` };
    }
    return true;
  }
}
