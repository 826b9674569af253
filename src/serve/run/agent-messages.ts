import type { MessageEvent } from "../../agent/events.js";
import type { AgentInput } from "../../agent/loop/state.js";

/** The agent's messages, by the types of its events. */
export type AgentMessage = MessageEvent["message"];

/** The answer of a tool. */
export type AgentToolMessage = Extract<AgentMessage, { role: "tool" }>;

/** One part of a message. */
export type AgentBlock = AgentMessage["content"][number];

/** What a run begins with, as messages alone. */
export type AgentMessages = NonNullable<Extract<AgentInput, { resume: unknown }>["messages"]>;

/** A message that may come from outside: the agent's own, or one with `tool_calls` as OpenAI writes them. */
export type InputMessage = Exclude<Extract<AgentMessages, readonly unknown[]>[number], string>;

/** All text in it. */
export function textIn({ content }: Pick<AgentMessage, "content">): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
