import type { ContentBlock } from "../../messages/blocks/blocks.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { MessageFields } from "../../messages/merge/merge-fields.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import type { Mutable } from "../../messages/merge/mutable.js";
import type { Usage } from "../../messages/usage.js";
import { jsonText } from "../../text/json-text.js";
import { mapFinishReason } from "../wire/finish-reason.js";
import { addLogprobs } from "../wire/metadata.js";
import { LangChainBlocks } from "./langchain-blocks.js";
import {
  asNumber,
  isRecord,
  withoutUndefined,
  type Loose,
  asRecord,
  fieldsOrUndefined,
  nonEmptyText,
  scalarText,
} from "../loose.js";
import { plainFields } from "../wire/plain-json.js";
import { unexpectedError } from "../wire/unexpected-error.js";
import { CallDeltas } from "../wire/call-deltas.js";
import { wordsIn } from "../../text/words-in.js";

/** Decodes the chunks of one LangChain.js message. */
export class LangChainDecoder {
  private blocks = 0;
  private readonly next = (): number => this.blocks++;
  private readonly content = new LangChainBlocks(this.next);
  private readonly calls = new CallDeltas(this.next);
  private called = false;
  /** Numbers assigned to call indexes that are not numbers. */
  private readonly places = new Map<unknown, number>();
  private id: string | undefined;
  private model: string | undefined;
  /** The last value of each metadata field, because some models repeat their metadata in each chunk. */
  private readonly lastMetadata = new Map<string, string>();

  /** Returns what the chunk adds to the message, if anything. */
  read(item: unknown): MessageChunk | undefined {
    if (!isRecord(item) || !("content" in item))
      throw unexpectedError("an AIMessageChunk of LangChain.js", item);
    const kwargs = asRecord(item["additional_kwargs"]);
    const response = asRecord(item["response_metadata"]);
    const content: ContentBlock[] = [];
    this.calls.beginPayload();
    const reasoning = hasReasoning(item["content"]) ? undefined : this.content.reasoning(reasoningIn(kwargs));
    if (reasoning !== undefined) content.push(reasoning);
    const calls = callsOf(item);
    const refusal =
      this.readContent(item["content"], calls.length > 0, content) + (nonEmptyText(kwargs["refusal"]) ?? "");
    for (const call of calls) {
      const block = this.readCall(call);
      if (block !== undefined) content.push(block);
    }
    const fields: Mutable<MessageFields> = {
      ...this.changedIds(item, response),
      ...withoutUndefined({
        refusal: nonEmptyText(refusal),
        usageDelta: mapUsage(item["usage_metadata"]),
        metadata: this.changedFields({
          ...plainFields(kwargs, knownKwargs),
          ...plainFields(response, knownResponseFields),
        }),
      }),
      ...mapEnding(response, kwargs, this.called),
    };
    addLogprobs(fields, response["logprobs"]);
    if (content.length === 0 && Object.keys(fields).length === 0) return undefined;
    return { content, ...fields };
  }

  /** @returns the text of a refusal, or "" */
  private readContent(value: unknown, hasCalls: boolean, content: ContentBlock[]): string {
    if (typeof value === "string") {
      if (value !== "") content.push(this.content.text(value));
      return "";
    }
    if (!Array.isArray(value)) return "";
    let refusal = "";
    for (const part of value as readonly unknown[]) {
      if (isRecord(part) && part["type"] === "refusal") refusal += nonEmptyText(part["refusal"]) ?? "";
      else if (isRecord(part) && repeatedCalls.has(part["type"])) {
        const block = hasCalls ? undefined : this.readCall(part);
        if (block !== undefined) content.push(block);
      } else content.push(...this.content.read(part));
    }
    return refusal;
  }

  /** Reads a call in the format of LangChain's calls, of its call chunks, or of Anthropic. */
  private readCall(call: Loose): ContentBlock | undefined {
    this.called = true;
    const { index, id, name, args, input } = call;
    const written = args ?? input;
    return this.calls.read({
      index: typeof index === "string" ? this.placeOf(index) : index,
      id,
      function: { name, arguments: written },
    });
  }

  /** Negative numbers do not collide with numeric indexes. */
  private placeOf(index: string): number {
    const place = this.places.get(index) ?? -1 - this.places.size;
    this.places.set(index, place);
    return place;
  }

  private changedIds(item: Loose, response: Loose): Pick<MessageChunk, "id" | "model"> {
    const id = nonEmptyText(item["id"]);
    const model = nonEmptyText(response["model_name"] ?? response["model"]);
    const newId = id === this.id ? undefined : id;
    const newModel = model === this.model ? undefined : model;
    this.id ??= id;
    this.model = model ?? this.model;
    return withoutUndefined({ id: newId, model: newModel });
  }

  private changedFields(fields: Metadata): Metadata | undefined {
    const changed = Object.entries(fields).filter(([key, value]) => {
      const { text } = jsonText(value);
      if (this.lastMetadata.get(key) === text) return false;
      this.lastMetadata.set(key, text);
      return true;
    });
    return changed.length === 0 ? undefined : Object.fromEntries(changed);
  }
}

/**
 * The calls of a chunk. LangChain derives `tool_calls` from `tool_call_chunks` when they are accessed; only a complete
 * message has `tool_calls` alone. Each of those is a separate call, even without an id.
 */
function callsOf(item: Loose): readonly Loose[] {
  const chunks = item["tool_call_chunks"];
  if (Array.isArray(chunks) && chunks.length > 0) return chunks.filter(isRecord);
  return [item["tool_calls"], item["invalid_tool_calls"]].flatMap((calls, list) =>
    Array.isArray(calls)
      ? calls
          .filter(isRecord)
          .map((call, at) => ({ ...call, index: `${list} ${at} ${scalarText(call["id"])}` }))
      : [],
  );
}

/** The content blocks, of LangChain and of Anthropic, that repeat a call of `tool_call_chunks`. */
const repeatedCalls: ReadonlySet<unknown> = new Set(
  wordsIn("tool_call tool_call_chunk invalid_tool_call tool_use input_json_delta"),
);

/** Whether the content has reasoning. For OpenAI's Responses API, LangChain repeats it beside the content. */
function hasReasoning(content: unknown): boolean {
  return (
    Array.isArray(content) &&
    content.some((part) => isRecord(part) && (part["type"] === "reasoning" || part["type"] === "thinking"))
  );
}

/** Reads `reasoning_content` (DeepSeek and others) or the reasoning summaries of OpenAI's Responses API. */
function reasoningIn({ reasoning_content, reasoning }: Loose): string | undefined {
  const text = nonEmptyText(reasoning_content);
  if (text !== undefined) return text;
  const { summary } = asRecord(reasoning);
  if (!Array.isArray(summary)) return nonEmptyText(reasoning);
  return nonEmptyText(summary.map((part: unknown) => nonEmptyText(asRecord(part)["text"]) ?? "").join(""));
}

const knownKwargs: ReadonlySet<string> = new Set([
  "reasoning_content",
  "reasoning",
  "refusal",
  "tool_calls",
  "function_call",
  "stop_reason",
]);

const knownResponseFields: ReadonlySet<string> = new Set(
  wordsIn(`
  finish_reason stop_reason finishReason done_reason stopReason messageStop incomplete_details model_name model
  usage tokenUsage estimatedTokenUsage logprobs
`),
);

/** Maps the counts of a chunk. LangChain adds them up when it merges chunks. */
function mapUsage(counts: unknown): Usage | undefined {
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

function mapEnding(
  response: Loose,
  kwargs: Loose,
  called: boolean,
): Pick<MessageChunk, "finishReason" | "providerFinishReason"> {
  const found = [
    response["finish_reason"],
    response["stop_reason"],
    response["finishReason"],
    response["done_reason"],
    response["stopReason"], // Bedrock
    asRecord(response["messageStop"])["stopReason"], // Bedrock, streamed
    asRecord(response["incomplete_details"])["reason"], // OpenAI's Responses API
    kwargs["stop_reason"],
    endStatuses.has(response["status"]) ? response["status"] : undefined, // OpenAI's Responses API
  ].find((reason) => nonEmptyText(reason) !== undefined) as string | undefined;
  if (found === undefined) return {};
  return {
    finishReason: mapFinishReason(found, called && found === "completed"),
    providerFinishReason: found,
  };
}

/** The statuses of a response of OpenAI that has ended. */
const endStatuses: ReadonlySet<unknown> = new Set(wordsIn("completed incomplete failed cancelled"));
