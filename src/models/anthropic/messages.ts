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

/** Joins adjacent messages of one role. Tool results belong to the user. Later system messages keep their place. */
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

/** Anthropic refuses calls of server tools without a result, except in the turn that continues. */
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

/** Anthropic refuses a message of white space alone. Beside another text the prompt cache needs it unchanged. */
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
