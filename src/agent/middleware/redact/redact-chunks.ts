import type { ContentBlock, ReasoningBlock, TextBlock } from "../../../messages/blocks/blocks.js";
import { mergeMetadata, type Metadata } from "../../../messages/blocks/metadata.js";
import type { MessageChunk } from "../../../messages/chunk.js";
import { type CallChunkBlock, isPlainText, placeKey } from "../../../messages/merge/delta.js";
import { hasFields } from "../../../messages/merge/merge-fields.js";
import { openText, redactBlock, type TextKind, withoutSignature } from "./redact-message.js";
import type { RedactedText } from "./redacted-text.js";
import type { Replacer } from "./replacement.js";

type WrittenBlock = TextBlock | ReasoningBlock | CallChunkBlock;

/** A block that the model is writing. */
interface OpenBlock {
  readonly text: RedactedText;
  /** Its first delta. */
  readonly delta: WrittenBlock;
  readonly id: string | undefined;
  /** Of reasoning: shown at its end, as a signature fits only what was not changed. */
  metadata?: Metadata | undefined;
}

/** Redacts the chunks of one answer. Each block is a text of its own, in the order in which the model began them. */
export class ChunkRedactor {
  private readonly replacer: Replacer;
  private readonly textKind: TextKind;
  /** By the type and the index of their deltas. */
  private readonly blocks = new Map<string, OpenBlock>();
  /** The key of the text or reasoning among them: there is at most one. */
  private openText: string | undefined;
  private readonly refusal: RedactedText;

  /** @param textKind `json`: the text may be a structured response */
  constructor(replacer: Replacer, textKind: TextKind) {
    this.replacer = replacer;
    this.textKind = textKind;
    this.refusal = openText("prose", replacer);
  }

  /** The chunk with what is decided; `undefined` if nothing of it is. */
  async add(chunk: MessageChunk): Promise<MessageChunk | undefined> {
    const content: ContentBlock[] = [];
    for (const block of chunk.content) {
      const key = placeKey(block);
      // A person reads text to its end before the next block begins. Calls may take turns.
      if (this.openText !== undefined && this.openText !== key) await this.endBlock(this.openText, content);
      content.push(...(await this.addBlock(block, key, content)));
    }
    const { refusal } = chunk;
    const fields = refusal === undefined ? chunk : { ...chunk, refusal: await this.refusal.add(refusal) };
    const redacted = { ...fields, content };
    if (chunk.finishReason === undefined) {
      return content.length > 0 || chunk.content.length === 0 || hasFields(redacted) ? redacted : undefined;
    }
    const rest = await this.end();
    if (rest === undefined) return redacted;
    const refused = (redacted.refusal ?? "") + (rest.refusal ?? "");
    return {
      ...redacted,
      content: [...content, ...rest.content],
      ...(refused !== "" && { refusal: refused }),
    };
  }

  /** What was withheld. */
  async end(): Promise<MessageChunk | undefined> {
    const content: ContentBlock[] = [];
    for (const key of this.blocks.keys()) await this.endBlock(key, content);
    const refusal = await this.refusal.end();
    if (content.length === 0 && refusal === "") return undefined;
    return { content, ...(refusal !== "" && { refusal }) };
  }

  private async addBlock(
    block: ContentBlock,
    key: string,
    content: ContentBlock[],
  ): Promise<readonly ContentBlock[]> {
    switch (block.type) {
      case "text": {
        const [whole] =
          block.annotations === undefined
            ? [block]
            : await redactBlock({ ...block, text: "" }, this.replacer);
        if (whole === undefined) return [];
        const text = await this.blockAt(key, block).text.add(block.text);
        return text === "" && isPlainText(whole) ? [] : [{ ...whole, text }];
      }
      case "reasoning": {
        const open = this.blockAt(key, block);
        open.metadata = mergeMetadata(open.metadata, block.metadata);
        const { metadata: _later, ...delta } = block;
        const reasoning = await open.text.add(block.reasoning);
        return reasoning === "" ? [] : [{ ...delta, reasoning }];
      }
      case "tool_call_chunk":
      case "server_tool_call_chunk": {
        const before = this.blocks.get(key);
        if (before !== undefined && block.id !== undefined && block.id !== before.id)
          await this.endBlock(key, content);
        const { args, ...others } = block;
        const [delta] = others.raw === undefined ? [others] : await redactBlock(others, this.replacer);
        if (delta === undefined) return [];
        return [
          args === undefined ? delta : { ...delta, args: await this.blockAt(key, block).text.add(args) },
        ];
      }
      default:
        return redactBlock(block, this.replacer);
    }
  }

  private blockAt(key: string, delta: WrittenBlock): OpenBlock {
    let block = this.blocks.get(key);
    if (block === undefined) {
      const kind = delta.type === "text" ? this.textKind : delta.type === "reasoning" ? "prose" : "json";
      block = { text: openText(kind, this.replacer), delta, id: "id" in delta ? delta.id : undefined };
      this.blocks.set(key, block);
      if (delta.type === "text" || delta.type === "reasoning") this.openText = key;
    }
    return block;
  }

  private async endBlock(key: string, content: ContentBlock[]): Promise<void> {
    const block = this.blocks.get(key);
    this.blocks.delete(key);
    if (this.openText === key) this.openText = undefined;
    if (block === undefined) return;
    const rest = await block.text.end();
    if (rest !== "" || block.metadata !== undefined) content.push(lastDelta(block, rest));
  }
}

function lastDelta({ delta: { type, index }, text, metadata }: OpenBlock, rest: string): ContentBlock {
  const at = index === undefined ? undefined : { index };
  switch (type) {
    case "text":
      return { type, text: rest, ...at };
    case "reasoning":
      return withoutSignature({ type, reasoning: rest, ...at, ...(metadata && { metadata }) }, text.changed);
    default:
      return { type, args: rest, ...at };
  }
}
