import type { MessageEvent } from "../../agent/events.js";
import type { AgentInput } from "../../agent/state.js";

/** A message of the agent. Derived from its event types, the only part of agent/ that serve/ may import. */
export type AgentMessage = MessageEvent["message"];

/** A tool message. */
export type AgentToolMessage = Extract<AgentMessage, { role: "tool" }>;

/** One part of a message. */
export type AgentBlock = AgentMessage["content"][number];

/** The messages form of an agent's input. */
export type AgentMessages = NonNullable<Extract<AgentInput, { resume: unknown }>["messages"]>;

/** A message from a client: a message of the agent, or one with `tool_calls` in OpenAI's format. */
export type InputMessage = Extract<
  Extract<AgentMessages, readonly unknown[]>[number],
  { readonly role: string }
>;

/** Whether the agent has written the message of the user, to ask the model again. Pages do not show it. */
export function isCorrection({ role, metadata }: Pick<AgentMessage, "role" | "metadata">): boolean {
  return role === "user" && metadata?.["correction"] === true;
}

/** The joined text of a message. */
export function messageText({ content }: Pick<AgentMessage, "content">): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
