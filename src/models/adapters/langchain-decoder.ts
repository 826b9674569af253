import type { ContentBlock } from "../../messages/blocks/blocks.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { FinishReason } from "../../messages/finish-reason.js";
import type { MessageFields } from "../../messages/merge/merge-fields.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import type { Mutable } from "../../messages/merge/mutable.js";
import type { Usage } from "../../messages/usage.js";
import { shortExcerpt, ModelError } from "../contract/errors.js";
import { addLogprobs } from "../wire/metadata-lists.js";
import { LangChainBlocks } from "./langchain-blocks.js";
import {
  asNumber,
  isRecord,
  withoutUndefined,
  type Loose,
  asRecord,
  fieldsOrUndefined,
  nonEmptyText,
} from "../loose.js";
import { plainFields, plainJson } from "../wire/plain-json.js";
import { CallDeltas } from "../wire/call-deltas.js";

/** One message of LangChain.js, chunk by chunk. */
export class LangChainDecoder {
  private blocks = 0;
  private readonly next = (): number => this.blocks++;
  private readonly content = new LangChainBlocks(this.next);
  private readonly calls = new CallDeltas(this.next);
  /** Call indexes that are no numbers. */
  private readonly places = new Map<unknown, number>();
  private id: string | undefined;
  private model: string | undefined;
  /** Some models repeat their metadata with each chunk. */
  private readonly told = new Map<string, string>();

  /** What the chunk adds to the message, if anything. */
  read(item: unknown): MessageChunk | undefined {
    if (!isRecord(item) || !("content" in item)) throw noChunk(item);
    const kwargs = asRecord(item["additional_kwargs"]);
    const response = asRecord(item["response_metadata"]);
    const content: ContentBlock[] = [];
    const thought = this.content.reasoning(thoughtIn(kwargs));
    if (thought !== undefined) content.push(thought);
    const calls = callsOf(item);
    const refusal =
      this.readContent(item["content"], calls.length > 0, content) + (nonEmptyText(kwargs["refusal"]) ?? "");
    for (const call of calls) {
      const block = this.readCall(call);
      if (block !== undefined) content.push(block);
    }
    const fields: Mutable<MessageFields> = {
      ...this.heads(item, response),
      ...withoutUndefined({
        refusal: nonEmptyText(refusal),
        usageDelta: usageOf(item["usage_metadata"]),
        metadata: this.news({
          ...plainFields(kwargs, readOfKwargs),
          ...plainFields(response, readOfResponse),
        }),
      }),
      ...finishReasonOf(response, kwargs),
    };
    addLogprobs(fields, response["logprobs"]);
    if (content.length === 0 && Object.keys(fields).length === 0) return undefined;
    return { content, ...fields };
  }

  /** @returns what it refuses, if it does */
  private readContent(said: unknown, hasCalls: boolean, content: ContentBlock[]): string {
    if (typeof said === "string") {
      if (said !== "") content.push(this.content.text(said));
      return "";
    }
    if (!Array.isArray(said)) return "";
    let refusal = "";
    for (const part of said as readonly unknown[]) {
      if (isRecord(part) && part["type"] === "refusal") refusal += nonEmptyText(part["refusal"]) ?? "";
      else if (isRecord(part) && isCall(part)) {
        const block = hasCalls ? undefined : this.readCall(part);
        if (block !== undefined) content.push(block);
      } else content.push(...this.content.read(part));
    }
    return refusal;
  }

  /** In the form of LangChain's own calls, of their chunks, or of Anthropic's. */
  private readCall(call: Loose): ContentBlock | undefined {
    const { index, id, name, args, input } = call;
    const written = args ?? input;
    return this.calls.read({
      index: typeof index === "string" ? this.placeOf(index) : index,
      id,
      function: { name, arguments: written },
    });
  }

  /** Far away from those that are numbers. */
  private placeOf(index: string): number {
    const place = this.places.get(index) ?? -1 - this.places.size;
    this.places.set(index, place);
    return place;
  }

  private heads(item: Loose, response: Loose): Pick<MessageChunk, "id" | "model"> {
    const id = nonEmptyText(item["id"]);
    const model = nonEmptyText(response["model_name"] ?? response["model"]);
    const newId = id === this.id ? undefined : id;
    const newModel = model === this.model ? undefined : model;
    this.id ??= id;
    this.model = model ?? this.model;
    return withoutUndefined({ id: newId, model: newModel });
  }

  private news(fields: Metadata): Metadata | undefined {
    const fresh = Object.entries(fields).filter(([key, value]) => {
      const text = JSON.stringify(value);
      if (this.told.get(key) === text) return false;
      this.told.set(key, text);
      return true;
    });
    return fresh.length === 0 ? undefined : Object.fromEntries(fresh);
  }
}

/**
 * `tool_calls` of a chunk are made of its `tool_call_chunks`, and parsed when they are looked at; only a message that came
 * whole has them alone. Each of these is a call of its own, also without an id.
 */
function callsOf(item: Loose): readonly Loose[] {
  const chunks = item["tool_call_chunks"];
  if (Array.isArray(chunks) && chunks.length > 0) return chunks.filter(isRecord);
  return [item["tool_calls"], item["invalid_tool_calls"]].flatMap((calls, list) =>
    Array.isArray(calls)
      ? calls.filter(isRecord).map((call, at) => ({ ...call, index: `${list} ${at} ${String(call["id"])}` }))
      : [],
  );
}

/** What stands in the content too, besides `tool_call_chunks`: LangChain's own blocks, and Anthropic's. */
function isCall({ type }: Loose): boolean {
  switch (type) {
    case "tool_call":
    case "tool_call_chunk":
    case "invalid_tool_call":
    case "tool_use":
    case "input_json_delta":
      return true;
    default:
      return false;
  }
}

/** DeepSeek's and others' `reasoning_content`; the summaries of OpenAI's Responses. */
function thoughtIn({ reasoning_content, reasoning }: Loose): string | undefined {
  const thought = nonEmptyText(reasoning_content);
  if (thought !== undefined) return thought;
  const { summary } = asRecord(reasoning);
  if (!Array.isArray(summary)) return nonEmptyText(reasoning);
  return nonEmptyText(summary.map((part: unknown) => nonEmptyText(asRecord(part)["text"]) ?? "").join(""));
}

const readOfKwargs: ReadonlySet<string> = new Set([
  "reasoning_content",
  "reasoning",
  "refusal",
  "tool_calls",
  "function_call",
  "stop_reason",
]);

const readOfResponse: ReadonlySet<string> = new Set([
  "finish_reason",
  "stop_reason",
  "finishReason",
  "done_reason",
  "model_name",
  "model",
  "usage",
  "tokenUsage",
  "estimatedTokenUsage",
  "logprobs",
]);

/** They are deltas: LangChain adds them up when it joins chunks. */
function usageOf(counts: unknown): Usage | undefined {
  if (!isRecord(counts)) return undefined;
  const input = asRecord(counts["input_token_details"]);
  const output = asRecord(counts["output_token_details"]);
  return fieldsOrUndefined({
    inputTokens: asNumber(counts["input_tokens"]),
    outputTokens: asNumber(counts["output_tokens"]),
    totalTokens: asNumber(counts["total_tokens"]),
    details: fieldsOrUndefined({
      cacheReadTokens: asNumber(input["cache_read"]),
      cacheWriteTokens: asNumber(input["cache_creation"]),
      inputAudioTokens: asNumber(input["audio"]),
      reasoningTokens: asNumber(output["reasoning"]),
      outputAudioTokens: asNumber(output["audio"]),
    }),
  });
}

function finishReasonOf(
  response: Loose,
  kwargs: Loose,
): Pick<MessageChunk, "finishReason" | "providerFinishReason"> {
  const found = [
    response["finish_reason"],
    response["stop_reason"],
    response["finishReason"],
    response["done_reason"],
    kwargs["stop_reason"],
  ].find((reason) => nonEmptyText(reason) !== undefined) as string | undefined;
  if (found === undefined) return {};
  return { finishReason: reasons.get(found.toLowerCase()) ?? "other", providerFinishReason: found };
}

/** The words of the providers that LangChain has packages for. */
const reasons: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ["stop", "stop"],
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["complete", "stop"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["tool_calls", "tool_calls"],
  ["function_call", "tool_calls"],
  ["tool_use", "tool_calls"],
  ["content_filter", "content_filter"],
  ["refusal", "content_filter"],
  ["safety", "content_filter"],
  ["recitation", "content_filter"],
  ["blocklist", "content_filter"],
  ["prohibited_content", "content_filter"],
  ["spii", "content_filter"],
  ["error", "error"],
]);

function noChunk(item: unknown): ModelError {
  const excerpt = shortExcerpt(JSON.stringify(plainJson(item)));
  const message = `Expected an AIMessageChunk of LangChain.js, but got: ${excerpt}`;
  return new ModelError("protocol", message, { excerpt });
}
