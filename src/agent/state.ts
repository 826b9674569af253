import type { JsonObject, JsonValue } from "../json/value.js";
import type { ToolCallBlock } from "../messages/blocks/blocks.js";
import { isFinishedCall } from "../messages/merge/finished-call.js";
import type { Message } from "../messages/message.js";
import type { MessagesInput } from "../messages/to-messages.js";
import type { Usage } from "../messages/usage.js";

/**
 * The state of a run between two steps. It is plain JSON data, so another process can continue the run later with
 * `agent.stream({ resume: state })`.
 */
export interface AgentState {
  /** The conversation, without the system prompt of the agent. */
  readonly messages: readonly Message[];
  /** The number of steps so far. Each calls the model once, apart from retries by middleware. */
  readonly step: number;
  /** How many times the agent asked again: for an invalid structured response, and after a stream that broke. */
  readonly retries: number;
  /** The tokens of all model calls. */
  readonly usage?: Usage;
  /** `paused`: tool calls wait, for a decision or for the client. */
  readonly status: "running" | "paused" | "finished";
  /** State of one's own, which tools change; `ownState()` reads it. */
  readonly values?: JsonObject;
  /** What paused calls need to continue, by their ids: the state of a nested run. */
  readonly saved?: Readonly<Record<string, JsonValue>>;
  /** The ids of the paused calls that wait for a result of the client, not for a decision. */
  readonly clientCalls?: readonly string[];
  /** The structured response as the model wrote it, and the name of its schema. */
  readonly response?: { readonly name: string; readonly value: JsonValue };
}

/** The input of a run: messages, or a state to resume, optionally with new messages. */
export type AgentInput =
  | MessagesInput
  | { readonly messages: MessagesInput }
  | { readonly resume: AgentState; readonly messages?: MessagesInput };

/** The ids of all tool calls, valid or not. */
export function callIds(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, content }) => {
    if (role !== "assistant") return [];
    return content.flatMap((block) => (isFinishedCall(block) ? block.id : []));
  });
}

/** The calls that wait in a paused state: instead of a call that runs an agent, those that wait inside. */
export function waitingCalls({
  messages,
  saved = {},
}: Pick<AgentState, "messages" | "saved">): ToolCallBlock[] {
  return openCalls(messages).flatMap((call) => waitingInside(call, saved));
}

/** The calls that wait inside a call that runs an agent; for any other call, that call. */
export function waitingInside(
  call: ToolCallBlock,
  saved: NonNullable<AgentState["saved"]> = {},
): ToolCallBlock[] {
  const inner = Object.hasOwn(saved, call.id) ? (saved[call.id] as Partial<AgentState> | null) : null;
  return Array.isArray(inner?.messages) ? waitingCalls(inner as AgentState) : [call];
}

/** The tool calls without a tool message. A resumed run starts with them. */
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
