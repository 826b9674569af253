import type { JsonPatch } from "../../json/patch/patch.js";

/** The parts of a UI message stream (version 1 of the AI SDK's protocol) that `toUiMessageStream()` sends. */
export type UiMessageChunk =
  | { readonly type: "start"; readonly messageId?: string }
  | { readonly type: "start-step" | "finish-step" }
  | { readonly type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end"; readonly id: string }
  | { readonly type: "text-delta" | "reasoning-delta"; readonly id: string; readonly delta: string }
  | { readonly type: "tool-input-start"; readonly toolCallId: string; readonly toolName: string }
  | { readonly type: "tool-input-delta"; readonly toolCallId: string; readonly inputTextDelta: string }
  | {
      readonly type: "tool-input-available";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
    }
  | {
      readonly type: "tool-input-error";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: string;
      readonly errorText: string;
    }
  | { readonly type: "tool-approval-request"; readonly approvalId: string; readonly toolCallId: string }
  | {
      readonly type: "tool-output-available";
      readonly toolCallId: string;
      readonly output: unknown;
      readonly preliminary?: true;
    }
  | { readonly type: "tool-output-error"; readonly toolCallId: string; readonly errorText: string }
  | { readonly type: "data-structured"; readonly id: "structured"; readonly data: unknown }
  | { readonly type: "data-structured-patch"; readonly transient: true; readonly data: JsonPatch }
  | {
      readonly type: "finish";
      readonly finishReason?: "stop" | "length" | "tool-calls" | "content-filter" | "error" | "other";
    }
  | { readonly type: "error"; readonly errorText: string }
  | { readonly type: "abort" };
