import type { JsonValue } from "../json/value.js";
import type { ContentBlock } from "./blocks/blocks.js";
import type { FinishReason } from "./finish-reason.js";
import type { Metadata } from "./blocks/metadata.js";
import type { Usage } from "./usage.js";

/**
 * Plain data: it survives `JSON.stringify` and `structuredClone`, and is never changed after it was made. The roles are
 * the words that every chat API uses, so that a message is at the same time an OpenAI-style object.
 */
export type Message = SystemMessage | HumanMessage | AssistantMessage | ToolMessage;

interface MessageBase {
  /** Always an array, also for a single text. `textOf()` reads it. */
  readonly content: readonly ContentBlock[];
  readonly id?: string;
  /** Of a person, an assistant or a tool, where several take part. */
  readonly name?: string;
  readonly metadata?: Metadata;
}

/** What the model is told about its task. */
export interface SystemMessage extends MessageBase {
  readonly role: "system";
}

/** What a person says. */
export interface HumanMessage extends MessageBase {
  readonly role: "user";
}

/** What a model answered. */
export interface AssistantMessage extends MessageBase, AssistantFields {
  readonly role: "assistant";
}

/** What a message of a model, or a chunk of one, has besides its content. */
export interface AssistantFields {
  /** The model that answered, which may be more exact than the one that was asked. */
  readonly model?: string;
  /** Absent as long as the message is not finished. */
  readonly finishReason?: FinishReason;
  /** The same in the provider's own word. */
  readonly providerFinishReason?: string;
  readonly usage?: Usage;
  /** Why the model declined to answer, where the provider keeps that apart from the text. */
  readonly refusal?: string;
}

/** What a tool gave back. */
export interface ToolMessage extends MessageBase {
  readonly role: "tool";
  /** The `id` of the call that this answers. */
  readonly toolCallId: string;
  readonly status?: "success" | "error";
  /** What the tool gave for the program, and not for the model: it is never sent. */
  readonly artifact?: JsonValue;
}
