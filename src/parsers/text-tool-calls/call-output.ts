import type { ContentBlock } from "../../messages/blocks/blocks.js";

/** Collects text and calls as the blocks of message chunks. */
export class CallOutput {
  /** The number of calls so far. */
  calls = 0;
  private blocks: ContentBlock[] = [];
  /** White space at the start and after a call. It is dropped before a call. */
  private space: string[] | undefined = [];
  private readonly createId: () => string;

  constructor(createId: () => string) {
    this.createId = createId;
  }

  /** The blocks since the last time. */
  take(): readonly ContentBlock[] {
    const { blocks } = this;
    this.blocks = [];
    return blocks;
  }

  text(text: string): void {
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
      this.blocks.push(
        this.calls === 0 ? { type: "text", text: shown } : { type: "text", text: shown, index: this.calls },
      );
  }

  /** A block that is not text. */
  other(block: ContentBlock): void {
    this.blocks.push(block);
  }

  begin(): void {
    this.space = [];
    this.blocks.push({ type: "tool_call_chunk", index: this.calls++, id: this.createId() });
  }

  /** Names the call that began last. */
  name(name: string): void {
    this.add({ name });
  }

  args(args: string): void {
    if (args !== "") this.add({ args });
  }

  private add(delta: { readonly name?: string; readonly args?: string }): void {
    const last = this.blocks.at(-1);
    const index = this.calls - 1;
    if (last?.type !== "tool_call_chunk" || last.index !== index) {
      this.blocks.push({ type: "tool_call_chunk", index, ...delta });
      return;
    }
    const args = `${last.args ?? ""}${delta.args ?? ""}`;
    this.blocks[this.blocks.length - 1] = { ...last, ...delta, ...(args === "" ? undefined : { args }) };
  }
}
