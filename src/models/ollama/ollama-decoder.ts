import { readProviderError, streamError } from "../http/provider-error.js";
import { isRecord, type Loose, nonEmptyText } from "../loose.js";
import type { ChunkDraft } from "../wire/chunk-draft.js";
import type { MessageDecoder } from "../wire/decoder-stage.js";
import { mapFinishReason } from "../wire/finish-reason.js";
import { argumentText } from "../wire/plain-json.js";
import { usageReader } from "../wire/usage-reader.js";

/** Decodes one message, line by line. */
export class OllamaDecoder implements MessageDecoder {
  private readonly draft: ChunkDraft;

  constructor(draft: ChunkDraft) {
    this.draft = draft;
  }

  read(line: Loose): void {
    const { draft } = this;
    const { message, model, done } = line;
    if (line["error"] !== undefined && line["error"] !== null) {
      const error = readProviderError(line);
      if (error !== undefined) throw streamError(error);
    }
    draft.begun ||= isRecord(message) || done === true;
    draft.unrecognised ||= !draft.begun;
    draft.head(undefined, model);
    this.note(line, headKeys);
    if (isRecord(message)) this.readMessage(message);
    if (done === true) this.finish(line);
    draft.addLists({ logprobs: line["logprobs"] });
  }

  private readMessage(message: Loose): void {
    const { draft } = this;
    const { content, thinking, reasoning_content, tool_calls, images } = message;
    // Compatible servers, such as mocks, use DeepSeek's name for it.
    const reasoning = nonEmptyText(thinking) ?? nonEmptyText(reasoning_content);
    if (reasoning !== undefined) draft.add({ type: "reasoning", index: draft.runOf("reasoning"), reasoning });
    const text = nonEmptyText(content);
    if (text !== undefined) draft.add({ type: "text", index: draft.runOf("text"), text });
    if (Array.isArray(images)) for (const image of images) this.readImage(image);
    if (Array.isArray(tool_calls)) for (const call of tool_calls) this.readCall(call);
  }

  private readImage(data: unknown): void {
    if (typeof data !== "string") return;
    this.draft.run = undefined;
    this.draft.add({ type: "image", data });
  }

  /** Calls arrive whole, `{id?, function: {index?, name, arguments}}`. Older servers send no id. */
  private readCall(call: unknown): void {
    if (!isRecord(call) || !isRecord(call["function"])) return;
    const { name, arguments: args } = call["function"];
    const id = nonEmptyText(call["id"]);
    this.draft.run = undefined;
    this.draft.add({
      type: "tool_call_chunk",
      index: this.draft.nextBlock(),
      ...(id === undefined ? undefined : { id }),
      ...(typeof name === "string" ? { name } : undefined),
      args: typeof args === "string" ? args : argumentText(args ?? {}),
    });
  }

  private finish(line: Loose): void {
    const { draft } = this;
    const word = nonEmptyText(line["done_reason"]);
    // Older servers send no word. Ollama sends "stop" after a call, too.
    draft.finish(word, mapFinishReason(word ?? "stop", draft.called));
    draft.count(mapUsage(line));
    this.note(line, durations);
    draft.ended = true;
  }

  /** Each line repeats the head fields. */
  private note(line: Loose, keys: readonly string[]): void {
    for (const key of keys) {
      const value = line[key];
      if (typeof value === "string" || typeof value === "number") this.draft.noteOnce(key, value);
    }
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

const mapUsage = usageReader({ inputTokens: "prompt_eval_count", outputTokens: "eval_count" }, true);
