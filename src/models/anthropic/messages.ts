import type { JsonArray, JsonObject } from "../../json/value.js";
import type { AssistantMessage, Message, ToolMessage } from "../../messages/message.js";
import { textOf } from "../../messages/blocks/read.js";
import { requestFields } from "../loose.js";
import { callId, toAnthropicParts } from "./request/parts.js";
import { ownFieldsIn } from "./own-fields.js";

export interface Turns {
  readonly system: JsonArray | undefined;
  readonly turns: JsonObject[];
}

/**
 * Converts messages to alternating turns of user and assistant. Adjacent messages of one role are joined, and tool
 * results belong to the user. A system message after the first turn keeps its position, which newer models accept.
 */
export function toTurns(messages: readonly Message[]): Turns {
  const first = messages.findIndex(({ role }) => role !== "system");
  const before = first < 0 ? messages : messages.slice(0, first);
  const system = before.flatMap(toAnthropicParts);
  const turns: Turn[] = [];
  for (const message of first < 0 ? [] : withoutOpenServerCalls(messages).slice(first)) {
    const { role, parts } = toTurn(message);
    const last = turns.at(-1);
    if (parts.length === 0) continue;
    if (last?.role === role) for (const part of parts) last.parts.push(part);
    else turns.push({ role, parts });
  }
  return {
    system: system.length === 0 ? undefined : system,
    turns: turns.map(({ role, parts }) => ({ role, content: resultsFirst(parts) })),
  };
}

/**
 * Omits calls of server tools whose results never arrived, because Anthropic refuses them. After the last user message
 * they stay: the model continues with them, after `pause_turn` or after the results of tools that its code calls.
 */
function withoutOpenServerCalls(messages: readonly Message[]): Message[] {
  const answered = new Set<string>();
  for (const { content } of messages)
    for (const block of content) if (block.type === "server_tool_result") answered.add(block.toolCallId);
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  return messages.map((message, index) => {
    if (message.role !== "assistant" || index > lastUser) return message;
    const content = message.content.filter(
      (block) => block.type !== "server_tool_call" || answered.has(block.id),
    );
    return { ...message, content };
  });
}

interface Turn {
  readonly role: "user" | "assistant" | "system";
  readonly parts: JsonObject[];
}

function toTurn(message: Message): Turn {
  switch (message.role) {
    case "tool":
      return { role: "user", parts: [toResult(message)] };
    case "assistant":
      return { role: "assistant", parts: toAnthropicParts(withoutBlankText(message)) };
    default:
      return { role: message.role, parts: toAnthropicParts(message) };
  }
}

/**
 * Anthropic refuses a message whose texts are only white space. Beside another text, white space is sent back
 * unchanged, as the prompt cache requires.
 */
function withoutBlankText(message: AssistantMessage): AssistantMessage {
  if (textOf(message).trim() !== "") return message;
  return { ...message, content: message.content.filter(({ type }) => type !== "text") };
}

function toResult(message: ToolMessage): JsonObject {
  const { toolCallId, status, metadata } = message;
  const parts = toAnthropicParts(message);
  return requestFields({
    type: "tool_result",
    tool_use_id: callId(toolCallId),
    content: parts.length === 0 ? undefined : parts,
    is_error: status === "error" ? true : undefined,
    ...ownFieldsIn(metadata),
  });
}

/** Anthropic requires tool results first in a turn. */
function resultsFirst(parts: readonly JsonObject[]): JsonObject[] {
  const isResult = ({ type }: JsonObject): boolean => type === "tool_result";
  return [...parts.filter(isResult), ...parts.filter((part) => !isResult(part))];
}
