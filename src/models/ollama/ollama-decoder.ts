import type { ContentBlock } from "../../messages/blocks/blocks.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { MessageFields } from "../../messages/merge/merge-fields.js";
import type { Mutable } from "../../messages/merge/mutable.js";
import type { Usage } from "../../messages/usage.js";
import { truncatedMessageError, noAnswerError } from "../wire/truncation.js";
import type { MessageDecoder } from "../wire/decoder-stage.js";
import { asNumber, isRecord, type Loose, fieldsOrUndefined, nonEmptyText } from "../loose.js";
import { addMetadata, addMetadataLists } from "../wire/metadata.js";
import { argumentText } from "../wire/plain-json.js";
import { mapFinishReason } from "../wire/finish-reason.js";
import { readProviderError, streamError } from "../http/provider-error.js";

/** Decodes one message, line by line. */
export class OllamaDecoder implements MessageDecoder {
  /** Whether the line with `done: true` has arrived. */
  ended = false;
  /** Fields that changed since the last chunk. They wait for a line with content. */
  private pending: Mutable<MessageFields> = {};
  private readonly seen = new Set<string>();
  private blocks = 0;
  private run: { readonly type: "text" | "reasoning"; readonly index: number } | undefined;
  private called = false;
  private began = false;
  private unrecognised = false;

  read(line: Loose): MessageChunk | undefined {
    const { message, model, done } = line;
    if (line["error"] !== undefined && line["error"] !== null) {
      const error = readProviderError(line);
      if (error !== undefined) throw streamError(error);
    }
    this.began ||= isRecord(message) || done === true;
    this.unrecognised ||= !this.began;

    if (typeof model === "string" && model !== "" && this.isNew("model")) this.pending.model = model;
    this.note(line, headKeys);
    const content = isRecord(message) ? this.readMessage(message) : [];
    if (done === true) this.finish(line);
    addMetadataLists(this.pending, { logprobs: line["logprobs"] });
    if (content.length === 0 && !this.ended) return undefined;
    const { pending } = this;
    this.pending = {};
    return { content, ...pending };
  }

  end(): undefined {
    if (this.unrecognised && !this.began) throw noAnswerError("no line had a message");
    throw truncatedMessageError(this.began, "before it was done");
  }

  private readMessage(message: Loose): ContentBlock[] {
    const { content, thinking, reasoning_content, tool_calls, images } = message;
    const blocks: ContentBlock[] = [];
    // Compatible servers, such as mocks, use DeepSeek's name for it.
    const reasoning = nonEmptyText(thinking) ?? nonEmptyText(reasoning_content);
    if (reasoning !== undefined)
      blocks.push({ type: "reasoning", index: this.place("reasoning"), reasoning });
    const text = nonEmptyText(content);
    if (text !== undefined) blocks.push({ type: "text", index: this.place("text"), text });
    if (Array.isArray(images)) for (const image of images) this.readImage(image, blocks);
    if (Array.isArray(tool_calls)) for (const call of tool_calls) this.readCall(call, blocks);
    return blocks;
  }

  private readImage(data: unknown, blocks: ContentBlock[]): void {
    if (typeof data !== "string") return;
    this.run = undefined;
    blocks.push({ type: "image", data });
  }

  /** Calls arrive whole, `{id?, function: {index?, name, arguments}}`. Older servers send no id. */
  private readCall(call: unknown, blocks: ContentBlock[]): void {
    if (!isRecord(call) || !isRecord(call["function"])) return;
    const { name, arguments: args } = call["function"];
    const id = nonEmptyText(call["id"]);
    this.run = undefined;
    this.called = true;
    blocks.push({
      type: "tool_call_chunk",
      index: this.blocks++,
      ...(id === undefined ? undefined : { id }),
      ...(typeof name === "string" ? { name } : undefined),
      args: typeof args === "string" ? args : argumentText(args ?? {}),
    });
  }

  private finish(line: Loose): void {
    const word = nonEmptyText(line["done_reason"]);
    this.ended = true;
    // Older servers send no word. Ollama sends "stop" after a call, too.
    this.pending.finishReason = mapFinishReason(word ?? "stop", this.called);
    if (word !== undefined) this.pending.providerFinishReason = word;
    const usage = mapUsage(line);
    if (usage !== undefined) this.pending.usage = usage;
    this.note(line, durations);
  }

  private note(line: Loose, keys: readonly string[]): void {
    for (const key of keys) {
      const value = line[key];
      if ((typeof value === "string" || typeof value === "number") && this.isNew(key))
        addMetadata(this.pending, key, value);
    }
  }

  /** Each line repeats the head fields. */
  private isNew(key: string): boolean {
    if (this.seen.has(key)) return false;
    this.seen.add(key);
    return true;
  }

  /** The index of the block for a piece of this type. */
  private place(type: "text" | "reasoning"): number {
    if (this.run?.type !== type) this.run = { type, index: this.blocks++ };
    return this.run.index;
  }
}

const headKeys: readonly string[] = ["created_at", "remote_model", "remote_host"];

/** The duration fields, in nanoseconds. */
const durations: readonly string[] = [
  "total_duration",
  "load_duration",
  "prompt_eval_duration",
  "eval_duration",
];

function mapUsage({ prompt_eval_count, eval_count }: Loose): Usage | undefined {
  const inputTokens = asNumber(prompt_eval_count);
  const outputTokens = asNumber(eval_count);
  const totalTokens =
    inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
  return fieldsOrUndefined({ inputTokens, outputTokens, totalTokens });
}
