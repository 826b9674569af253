import type { ContentBlock, ToolCallChunkBlock } from "../../messages/blocks/blocks.js";

/** The maximum length of the text and arguments after an end that is withheld. */
const maxHeld = 65_536;

/** Collects text and calls as the blocks of message chunks. */
export class CallOutput {
  /** The number of calls so far. */
  callCount = 0;
  private blocks: ContentBlock[] = [];
  /** White space at the start and after a call. It is dropped before a call. */
  private space: string[] | undefined = [];
  private readonly createId: () => string;
  /** The ends of calls that the text after them may make invalid, and what they are then. */
  private readonly held = new Map<ContentBlock, ContentBlock>();
  private heldLength = 0;

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
    fork.release();
    this.callCount = fork.callCount;
    this.space = [];
    this.blocks.push(...fork.take());
  }

  /** Returns the blocks since the previous call, up to an end that is withheld. */
  take(): readonly ContentBlock[] {
    const { blocks } = this;
    const [first] = this.held.size === 0 ? [] : this.held.keys();
    if (first !== undefined) return blocks.splice(0, blocks.indexOf(first));
    this.blocks = [];
    return blocks;
  }

  /** Ends the call that began last, and withholds it and what follows: it may turn out to be invalid. */
  hold(end: Delta, invalid: Delta): void {
    const block = { type: "tool_call_chunk", index: this.callCount - 1 } as const;
    const ended = { ...block, ...end };
    this.blocks.push(ended);
    this.held.set(ended, { ...block, ...invalid });
  }

  private countHeld(text: string): void {
    if (this.held.size > 0) this.heldLength += text.length;
    if (this.heldLength > maxHeld) this.release();
  }

  get isHolding(): boolean {
    return this.held.size > 0;
  }

  /** The calls whose ends are withheld are calls. */
  release(): void {
    this.held.clear();
    this.heldLength = 0;
  }

  /** They are invalid. */
  refuse(): void {
    this.blocks = this.blocks.map((block) => this.held.get(block) ?? block);
    this.release();
  }

  addText(text: string): void {
    if (text === "") return;
    this.countHeld(text);
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
  add(delta: Delta): void {
    if (delta.args === "") return;
    this.countHeld(delta.args ?? "");
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

type Delta = Pick<ToolCallChunkBlock, "name" | "args" | "raw" | "error" | "repairs">;
