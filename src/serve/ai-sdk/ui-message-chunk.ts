import type { JsonPatch } from "../../json/patch/patch.js";

/** The parts of a UI message stream (version 1 of the AI SDK's protocol) that `toUiMessageStream()` sends. */
export type UiMessageChunk = Readonly<
  | { type: "start"; messageId?: string }
  | { type: "start-step" | "finish-step" }
  /** Since version 7: drops what the step has shown. */
  | { type: "reset-step" }
  | { type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end"; id: string }
  | { type: "text-delta" | "reasoning-delta"; id: string; delta: string }
  | { type: "tool-input-start"; toolCallId: string; toolName: string }
  | { type: "tool-input-delta"; toolCallId: string; inputTextDelta: string }
  | { type: "tool-input-available"; toolCallId: string; toolName: string; input: unknown }
  | { type: "tool-input-error"; toolCallId: string; toolName: string; input: string; errorText: string }
  | { type: "tool-approval-request"; approvalId: string; toolCallId: string }
  | { type: "tool-output-available"; toolCallId: string; output: unknown; preliminary?: true }
  | { type: "tool-output-error"; toolCallId: string; errorText: string }
  | { type: "data-structured"; id: "structured"; data: unknown }
  | { type: "data-structured-patch"; transient: true; data: JsonPatch }
  | { type: "finish"; finishReason?: "stop" | "length" | "tool-calls" | "content-filter" | "error" | "other" }
  | { type: "error"; errorText: string }
  | { type: "abort" }
>;
