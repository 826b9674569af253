import type { JsonObject, JsonValue } from "../json/value.js";
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
  /** Whether a paused call that needs approval has it, by the ids of the calls. */
  readonly approved?: Readonly<Record<string, boolean>>;
  /** The structured response as the model wrote it, and the name of its schema. */
  readonly response?: { readonly name: string; readonly value: JsonValue };
}

/** The input of a run: messages, or a state to resume, optionally with new messages. */
export type AgentInput =
  | MessagesInput
  | { readonly messages: MessagesInput }
  | { readonly resume: AgentState; readonly messages?: MessagesInput };
