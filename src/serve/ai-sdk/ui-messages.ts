import type { UsageEvent } from "../../agent/events.js";

/** A message of `useChat`, as `toUiMessages()` makes it. */
export interface UiMessage {
  id: string;
  role: "system" | "user" | "assistant";
  metadata?: unknown;
  parts: UiPart[];
}

/** A part of a message. */
export type UiPart =
  | { type: "step-start" }
  | { type: "text" | "reasoning"; text: string; state: "done" }
  | { type: "file"; mediaType: string; url: string; filename?: string }
  | { type: "data-structured"; id: "structured"; data: unknown }
  | UiToolPart;

/** A tool call with its state. */
export type UiToolPart = { type: `tool-${string}`; toolCallId: string; input: unknown } & (
  | { state: "input-available" }
  | { state: "approval-requested"; approval: { id: string } }
  | { state: "output-available"; output: unknown }
  | { state: "output-error"; errorText: string }
);

/** The default metadata of an answer. */
export interface UiMessageMetadata {
  /** The tokens of the answer, with their cost if the agent has `prices`. */
  readonly usage?: UsageEvent["usage"];
  /** The answer was stopped, has failed, or is being written. */
  readonly incomplete?: true;
}

/** Returns the metadata of an answer from the default one; with `undefined`, it has none. */
export type UiMetadataOf = (metadata: UiMessageMetadata) => unknown;

/** Metadata to spread. Without any, a message has no field. */
export function metadataField<Name extends string>(
  name: Name,
  metadata: UiMessageMetadata,
  metadataOf: UiMetadataOf = (it) => (Object.keys(it).length === 0 ? undefined : it),
): Readonly<Partial<Record<Name, unknown>>> {
  const value = metadataOf(metadata);
  return (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, unknown>>;
}
