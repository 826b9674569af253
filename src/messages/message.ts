import type { JsonValue } from "../json/value.js";
import type { ContentBlock } from "./blocks/blocks.js";
import type { FinishReason } from "./finish-reason.js";
import type { Metadata } from "./blocks/metadata.js";
import type { Usage } from "./usage.js";

/**
 * A message of a conversation. Messages are plain data: they survive `JSON.stringify` and `structuredClone` and are
 * never mutated. The roles are those of every chat API, so a message is also an OpenAI-style object.
 */
export type Message = SystemMessage | HumanMessage | AssistantMessage | ToolMessage;

interface MessageBase {
  /** Always an array, even for a single text. `textOf()` reads it. */
  readonly content: readonly ContentBlock[];
  readonly id?: string;
  /** The name of the participant, for conversations with several users, assistants or tools. */
  readonly name?: string;
  readonly metadata?: Metadata;
}

/** Instructions for the model. */
export interface SystemMessage extends MessageBase {
  readonly role: "system";
}

/** A message from the user. */
export interface HumanMessage extends MessageBase {
  readonly role: "user";
}

/** A message from the model. */
export interface AssistantMessage extends MessageBase, AssistantFields {
  readonly role: "assistant";
}

/** The fields of an assistant message, or of a chunk of one, besides its content. */
export interface AssistantFields {
  /** The model that answered. Its name may be more specific than the requested one. */
  readonly model?: string;
  /** Absent until the message is finished. */
  readonly finishReason?: FinishReason;
  /** The finish reason in the provider's own word. */
  readonly providerFinishReason?: string;
  readonly usage?: Usage;
  /** Why the model declined to answer, if the provider reports that separately from the text. */
  readonly refusal?: string;
}

/** The result of a tool call. */
export interface ToolMessage extends MessageBase {
  readonly role: "tool";
  /** The `id` of the call that this message answers. */
  readonly toolCallId: string;
  readonly status?: "success" | "error";
  /** A value for the program. It is never sent to the model. */
  readonly artifact?: JsonValue;
}
