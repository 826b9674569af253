import type { JsonObject } from "../../../json/value.js";
import type { ReasoningBlock, TextBlock } from "../../../messages/blocks/blocks.js";
import type { ImageBlock } from "../../../messages/blocks/media-blocks.js";
import type { CallBlock } from "../../../messages/blocks/read.js";
import type { BlockBase, Metadata } from "../../../messages/blocks/metadata.js";
import type { AssistantMessage } from "../../../messages/message.js";
import { invalidRequest } from "../../contract/errors.js";
import { isRecord, requestFields, nonEmptyText } from "../../loose.js";
import { type Writers, callWriters, writeContent } from "../../dialect/content.js";
import { argumentsOfCall, argumentTextOfCall } from "../../dialect/call-arguments.js";
import { argumentText } from "../../wire/plain-json.js";
import { plainTextOf } from "../../dialect/media.js";
import { idWithin } from "../../dialect/call-ids.js";
import { callKinds } from "./call-kinds.js";
import { toOpenAIAnnotations } from "../annotations.js";

/**
 * Converts an assistant message to input items. The items of an earlier response are restored from the metadata of
 * their blocks.
 *
 * Omits reasoning of other providers and calls of tools that ran there. Also omits reasoning at the end of the message,
 * from an answer that was cut: OpenAI refuses reasoning "without its required following item".
 */
export function toAssistantItems(
  { role, content, refusal }: AssistantMessage,
  rules: ItemRules,
): JsonObject[] {
  const items: JsonObject[] = [];
  const writers = itemWriters(items, rules);
  for (const block of content) items.push(...writeContent({ role, content: [block] }, writers, api));
  if (refusal !== undefined) items.push({ role: "assistant", content: [{ type: "refusal", refusal }] });
  return items.slice(0, items.findLastIndex(({ type }) => type !== "reasoning") + 1);
}

export interface ItemRules {
  /** Whether the server stored the response. Otherwise OpenAI accepts only reasoning with `encrypted_content`. */
  readonly stored: boolean;
  readonly official: boolean;
}

/** @param items the items so far. Texts and reasoning of the last one are added to it. */
function itemWriters(items: JsonObject[], { stored, official }: ItemRules): Writers<JsonObject> {
  const toServerCall = ({ metadata }: BlockBase): JsonObject[] =>
    callKinds.has(metadata?.["type"]) ? [{ ...metadata }] : [];
  return {
    text: (block) => addText(items, block, official),
    "text-plain": (block) => [toMessageItem(plainTextOf(block, api), official)],
    reasoning: (block) => addReasoning(items, block, stored),
    ...callWriters((block) => [toCallItem(block)]),
    server_tool_call: toServerCall,
    server_tool_call_chunk: toServerCall,
    server_tool_result: ({ metadata }) =>
      /^(?:shell_call|tool_search)_output$/.test(typeOf(metadata)) ? [{ ...metadata }] : [],
    // Stream events are not needed in a request.
    non_standard: ({ value }) => (typeOf(value).startsWith("response.") ? [] : [value as JsonObject]),
    image: toGeneratedImage,
  };
}

/** Only images that the API generated can be sent back. */
function toGeneratedImage({ type, data, metadata }: ImageBlock): JsonObject[] {
  if (typeOf(metadata) === "image_generation_call") return [requestFields({ ...metadata, result: data })];
  throw invalidRequest(
    `A message with role "assistant" contains a block of type "${type}", but ${api} accepts there only images that it generated.`,
  );
}

/** Consecutive texts of one item are parts of the same message. */
function addText(items: readonly JsonObject[], block: TextBlock, official: boolean): JsonObject[] {
  const { text, annotations = [], metadata } = block;
  const id = nonEmptyText(metadata?.["id"]);
  const part: JsonObject = { type: "output_text", text, annotations: toOpenAIAnnotations(annotations) };
  const last = items.at(-1);
  if (id === undefined) return [toMessageItem(text, official)];
  if (last?.["id"] === id && last["type"] === "message" && written.has(last)) {
    (last["content"] as JsonObject[]).push(part);
    return [];
  }
  const phase = nonEmptyText(metadata?.["phase"]);
  return [added({ type: "message", id, role: "assistant", status: "completed", phase, content: [part] })];
}

/** Pieces are added to these items only: one of a `non_standard` block belongs to the caller. */
const written = new WeakSet<JsonObject>();

function added(fields: Parameters<typeof requestFields>[0]): JsonObject {
  const item = requestFields(fields);
  written.add(item);
  return item;
}

/** A text of another provider. llama-server answers 400 for one without a type ("Cannot determine type of 'item'"). */
function toMessageItem(text: string, official: boolean): JsonObject {
  return official
    ? { role: "assistant", content: text }
    : { type: "message", role: "assistant", content: [{ type: "output_text", text }] };
}

function addReasoning(items: readonly JsonObject[], block: ReasoningBlock, stored: boolean): JsonObject[] {
  const { reasoning, metadata } = block;
  const id = nonEmptyText(metadata?.["id"]);
  const encrypted = nonEmptyText(metadata?.["encrypted_content"]);
  if (id === undefined && encrypted === undefined) return [];
  const last = items.at(-1);
  const continues =
    id !== undefined && last?.["type"] === "reasoning" && last["id"] === id && written.has(last);
  if (!continues && !stored && encrypted === undefined) return [];
  const item = continues ? last : added({ type: "reasoning", id, summary: [], encrypted_content: encrypted });
  if (reasoning !== "") {
    const isReasoningText = metadata?.["type"] === "reasoning_text";
    const parts = (item[isReasoningText ? "content" : "summary"] ??= []) as JsonObject[];
    parts.push({ type: isReasoningText ? "reasoning_text" : "summary_text", text: reasoning });
  }
  return continues ? [] : [item];
}

export function isCustomCall({ metadata }: BlockBase): boolean {
  return metadata?.["type"] === "custom_tool_call";
}

/** "Expected a string with maximum length 64". */
export const longestCallId = 64;

function toCallItem(block: CallBlock): JsonObject {
  const { id = "unknown", name = "unknown", metadata } = block;
  const own = {
    call_id: idWithin(id, longestCallId),
    name,
    id: itemIdOf(metadata),
    namespace: metadata?.["namespace"],
  };
  if (isCustomCall(block)) {
    return requestFields({ type: "custom_tool_call", ...own, input: inputIn(block) });
  }
  return requestFields({ type: "function_call", ...own, arguments: argumentTextOfCall(block) });
}

/** The text of a free-text call, whose arguments are `{input: text}`. Other arguments are sent as they are. */
function inputIn(block: CallBlock): string {
  const { input } = argumentsOfCall(block);
  if (typeof input === "string") return input;
  return block.type === "tool_call" ? argumentText(block.args) : (block.args ?? "");
}

/** The item id of a call. OpenAI refuses the ids that other providers store under the same name. */
function itemIdOf(metadata: Metadata | undefined): string | undefined {
  const id = nonEmptyText(metadata?.["id"]);
  return id !== undefined && /^(?:fc|ctc)/.test(id) ? id : undefined;
}

function typeOf(value: unknown): string {
  return (isRecord(value) ? nonEmptyText(value["type"]) : undefined) ?? "";
}

const api = "The Responses API";
