import type { JsonObject } from "../../../json/value.js";
import type { ContentBlock, ReasoningBlock, TextBlock } from "../../../messages/blocks/blocks.js";
import type { CallBlock } from "../../../messages/blocks/read.js";
import type { BlockBase, Metadata } from "../../../messages/blocks/metadata.js";
import type { AssistantMessage } from "../../../messages/message.js";
import { invalidRequest, type ModelError } from "../../contract/errors.js";
import { isRecord, requestFields, nonEmptyText } from "../../loose.js";
import { argumentsOfCall, argumentTextOfCall } from "../../request/call-arguments.js";
import { argumentText } from "../../wire/plain-json.js";
import { plainTextOf } from "../../request/media.js";
import { callKinds } from "./call-kinds.js";
import { toOpenAIAnnotations } from "../annotations.js";

/**
 * Converts an assistant message to input items. The items of an earlier response are restored from the metadata of
 * their blocks.
 *
 * Omits reasoning of other providers and calls of tools that ran there. Also omits reasoning at the end of the message,
 * from an answer that was cut: OpenAI refuses reasoning "without its required following item".
 *
 * @param stored whether OpenAI stored the response. Otherwise it accepts only reasoning with `encrypted_content`.
 */
export function toAssistantItems({ content, refusal }: AssistantMessage, stored: boolean): JsonObject[] {
  const items: JsonObject[] = [];
  for (const block of content) add(items, block, stored);
  if (refusal !== undefined) items.push({ role: "assistant", content: [{ type: "refusal", refusal }] });
  return items.slice(0, items.findLastIndex(({ type }) => type !== "reasoning") + 1);
}

function add(items: JsonObject[], block: ContentBlock, stored: boolean): void {
  switch (block.type) {
    case "text":
      addText(items, block);
      break;
    case "text-plain":
      items.push({ role: "assistant", content: plainTextOf(block, api) });
      break;
    case "reasoning":
      addReasoning(items, block, stored);
      break;
    case "tool_call":
    case "tool_call_chunk":
    case "invalid_tool_call":
      items.push(toCallItem(block));
      break;
    case "server_tool_call":
    case "server_tool_call_chunk":
      if (callKinds.has(block.metadata?.["type"])) items.push({ ...block.metadata });
      break;
    case "server_tool_result":
      if (/^(?:shell_call|tool_search)_output$/.test(typeOf(block.metadata)))
        items.push({ ...block.metadata });
      break;
    case "non_standard":
      // Stream events are not needed in a request.
      if (!typeOf(block.value).startsWith("response.")) items.push(block.value as JsonObject);
      break;
    case "image":
      if (typeOf(block.metadata) === "image_generation_call") {
        items.push(requestFields({ ...block.metadata, result: block.data }));
        break;
      }
      throw unsupportedBlockError(block);
    case "audio":
    case "video":
    case "file":
      throw unsupportedBlockError(block);
  }
}

/** Adds a text. Consecutive texts of one item are parts of the same message. */
function addText(items: JsonObject[], { text, annotations = [], metadata }: TextBlock): void {
  const id = nonEmptyText(metadata?.["id"]);
  const part: JsonObject = { type: "output_text", text, annotations: toOpenAIAnnotations(annotations) };
  const last = items.at(-1);
  if (id === undefined) items.push({ role: "assistant", content: text });
  else if (last?.["id"] === id) (last["content"] as JsonObject[]).push(part);
  else {
    const phase = nonEmptyText(metadata?.["phase"]);
    items.push(
      requestFields({ type: "message", id, role: "assistant", status: "completed", phase, content: [part] }),
    );
  }
}

function addReasoning(items: JsonObject[], { reasoning, metadata }: ReasoningBlock, stored: boolean): void {
  const id = nonEmptyText(metadata?.["id"]);
  const encrypted = nonEmptyText(metadata?.["encrypted_content"]);
  if (id === undefined && encrypted === undefined) return;
  let item = items.at(-1);
  if (id === undefined || item?.["type"] !== "reasoning" || item["id"] !== id) {
    if (!stored && encrypted === undefined) return;
    item = requestFields({ type: "reasoning", id, summary: [], encrypted_content: encrypted });
    items.push(item);
  }
  if (reasoning === "") return;
  const isReasoningText = metadata?.["type"] === "reasoning_text";
  const parts = (item[isReasoningText ? "content" : "summary"] ??= []) as JsonObject[];
  parts.push({ type: isReasoningText ? "reasoning_text" : "summary_text", text: reasoning });
}

/** Whether it is a call of a tool that takes free text. */
export function isCustomCall({ metadata }: BlockBase): boolean {
  return metadata?.["type"] === "custom_tool_call";
}

function toCallItem(block: CallBlock): JsonObject {
  const { id: call_id = "unknown", name = "unknown", metadata } = block;
  const own = { call_id, name, id: itemIdOf(metadata), namespace: metadata?.["namespace"] };
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

function unsupportedBlockError({ type }: ContentBlock): ModelError {
  return invalidRequest(
    `${api} does not accept a block of type "${type}" in an assistant message, unless it comes from the API itself.`,
  );
}

function typeOf(value: unknown): string {
  return (isRecord(value) ? nonEmptyText(value["type"]) : undefined) ?? "";
}

const api = "The Responses API";
