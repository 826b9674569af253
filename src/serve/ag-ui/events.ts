import type { StandardPatchOperation } from "../../json/patch/expand-appends.js";
import type { JsonValue } from "../../json/value.js";
import type { AgUiContent } from "./messages.js";

/** The events of AG-UI 1.0 that `toAgUi()` emits. */
export type AgUiEvent =
  | { readonly type: "RUN_STARTED"; readonly threadId: string; readonly runId: string }
  | AgUiRunFinished
  | {
      readonly type: "RUN_ERROR";
      readonly message: string;
      readonly code: string;
      readonly usage?: readonly AgUiUsage[];
    }
  | { readonly type: "STEP_STARTED" | "STEP_FINISHED"; readonly stepName: string }
  | {
      readonly type: "TEXT_MESSAGE_START";
      readonly messageId: string;
      readonly role: "assistant" | "user" | "system";
    }
  | { readonly type: "TEXT_MESSAGE_CONTENT"; readonly messageId: string; readonly delta: string }
  | { readonly type: "TEXT_MESSAGE_END"; readonly messageId: string }
  | { readonly type: "REASONING_START" | "REASONING_END"; readonly messageId: string }
  | { readonly type: "REASONING_MESSAGE_START"; readonly messageId: string; readonly role: "reasoning" }
  | { readonly type: "REASONING_MESSAGE_CONTENT"; readonly messageId: string; readonly delta: string }
  | { readonly type: "REASONING_MESSAGE_END"; readonly messageId: string }
  | {
      readonly type: "TOOL_CALL_START";
      readonly toolCallId: string;
      readonly toolCallName: string;
      readonly parentMessageId: string;
    }
  | { readonly type: "TOOL_CALL_ARGS"; readonly toolCallId: string; readonly delta: string }
  | { readonly type: "TOOL_CALL_END"; readonly toolCallId: string }
  | {
      readonly type: "TOOL_CALL_RESULT";
      readonly messageId: string;
      readonly toolCallId: string;
      readonly role: "tool";
      readonly content: AgUiContent;
      readonly metadata?: { readonly status: "error" };
    }
  | { readonly type: "STATE_SNAPSHOT"; readonly snapshot: JsonValue }
  | { readonly type: "STATE_DELTA"; readonly delta: readonly StandardPatchOperation[] }
  | { readonly type: "CUSTOM"; readonly name: string; readonly value: unknown };

/** The run has ended. */
export interface AgUiRunFinished {
  readonly type: "RUN_FINISHED";
  readonly threadId: string;
  readonly runId: string;
  /** The structured response: the output of its schema. */
  readonly result?: unknown;
  readonly outcome:
    | { readonly type: "success"; readonly pendingToolCallIds?: readonly string[] }
    | { readonly type: "interrupt"; readonly interrupts: readonly AgUiInterrupt[] }
    | { readonly type: "cancelled" };
  readonly usage?: readonly AgUiUsage[];
}

/** A call that waits for a decision. */
export interface AgUiInterrupt {
  /** The id of the call. */
  readonly id: string;
  readonly reason: "tool_approval";
  readonly toolCallId: string;
}

/** The token usage of one model. */
export interface AgUiUsage {
  readonly model?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  readonly reasoningTokens?: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteInputTokens?: number;
}
