import type { JsonValue } from "../../json/value.js";
import type { ToolCallBlock } from "../../messages/blocks/blocks.js";
import type { Message } from "../../messages/message.js";
import { type MessagesInput, toMessages } from "../../messages/to-messages.js";
import type { Usage } from "../../messages/usage.js";

/**
 * Where a run stands between two steps. Plain data: it survives `JSON.stringify`, so that another process, or another
 * day, may go on from it with `agent.stream({ resume: state })`.
 */
export interface AgentState {
  /** The conversation, without the system prompt of the agent. */
  readonly messages: readonly Message[];
  /** How often the model was asked. */
  readonly step: number;
  /** How often the structured response was asked for again. */
  readonly retries: number;
  /** Of all calls of the model. */
  readonly usage?: Usage;
  /** `paused`: calls of tools wait for a decision. */
  readonly status: "running" | "paused" | "finished";
  /** The structured response as the model wrote it, when there is one, and the name of its schema. */
  readonly response?: { readonly name: string; readonly value: JsonValue };
}

/** What a run begins with: messages, or the state of a run that goes on, with what is said to it besides. */
export type AgentInput =
  | MessagesInput
  | { readonly messages: MessagesInput }
  | { readonly resume: AgentState; readonly messages?: MessagesInput };

/** @throws {MessageError} for what is no message */
export function stateOf(input: AgentInput): AgentState {
  if (typeof input === "object" && "resume" in input) {
    const { resume, messages } = input;
    if (messages === undefined) return resume;
    const { response: _response, ...state } = resume;
    return { ...state, status: "running", messages: [...resume.messages, ...toMessages(messages)] };
  }
  const given = typeof input === "object" && "messages" in input ? input.messages : input;
  return { messages: toMessages(given), step: 0, retries: 0, status: "running" };
}

/** The calls that nobody has answered: what a run that was paused goes on with. */
export function openCalls(messages: readonly Message[]): ToolCallBlock[] {
  const answered = new Set<string>();
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at] as Message;
    if (message.role === "tool") answered.add(message.toolCallId);
    else if (message.role !== "assistant") return [];
    else {
      return message.content.filter(
        (block): block is ToolCallBlock => block.type === "tool_call" && !answered.has(block.id),
      );
    }
  }
  return [];
}
