import type { ContentBlock, ToolCallChunkBlock } from "../../messages/blocks/blocks.js";

/** Collects text and calls as the blocks of message chunks. */
export class CallOutput {
  /** The number of calls so far. */
  callCount = 0;
  private blocks: ContentBlock[] = [];
  /** White space at the start and after a call. It is dropped before a call. */
  private space: string[] | undefined = [];
  private readonly createId: () => string;

  constructor(createId: () => string) {
    this.createId = createId;
  }

  /** Calls that may turn out to be text. They are added by `join()`, or forgotten. */
  fork(): CallOutput {
    const output = new CallOutput(this.createId);
    output.callCount = this.callCount;
    return output;
  }

  join(fork: CallOutput): void {
    const blocks = fork.take();
    if (blocks.length === 0) return;
    this.callCount = fork.callCount;
    this.space = [];
    this.blocks.push(...blocks);
  }

  /** Returns the blocks since the previous call. */
  take(): readonly ContentBlock[] {
    const { blocks } = this;
    this.blocks = [];
    return blocks;
  }

  addText(text: string): void {
    if (text === "") return;
    let shown = text;
    if (this.space !== undefined) {
      this.space.push(text);
      if (text.trimStart() === "") return;
      shown = this.space.join("");
      this.space = undefined;
    }
    const last = this.blocks.at(-1);
    if (last?.type === "text") this.blocks[this.blocks.length - 1] = { ...last, text: last.text + shown };
    else
      this.blocks.push({ type: "text", text: shown, ...(this.callCount > 0 && { index: this.callCount }) });
  }

  /** A block that is not text. */
  addBlock(block: ContentBlock): void {
    this.blocks.push(block);
  }

  beginCall(name?: string): void {
    this.space = [];
    const id = this.createId();
    const named = name === undefined ? {} : { name };
    this.blocks.push({ type: "tool_call_chunk", index: this.callCount++, id, ...named });
  }

  /**
   * Adds to the call that began last: its name, arguments as JSON text, the repairs of its text, or, if it is invalid,
   * the text of its arguments as the model wrote it, and why.
   */
  add(delta: Pick<ToolCallChunkBlock, "name" | "args" | "raw" | "error" | "repairs">): void {
    if (delta.args === "") return;
    const last = this.blocks.at(-1);
    const index = this.callCount - 1;
    if (last?.type !== "tool_call_chunk" || last.index !== index) {
      this.blocks.push({ type: "tool_call_chunk", index, ...delta });
      return;
    }
    const args = `${last.args ?? ""}${delta.args ?? ""}`;
    this.blocks[this.blocks.length - 1] = { ...last, ...delta, ...(args === "" ? undefined : { args }) };
  }
}
