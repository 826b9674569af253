import type { RfcPatchOperation, StandardPatchOperation } from "../../json/patch/patch.js";
import type { JsonObject, JsonValue } from "../../json/value.js";
import type { AgUiContent } from "./messages.js";

/** The events of AG-UI 1.0 that `toAgUi()` emits. */
export type AgUiEvent = Readonly<
  | { type: "RUN_STARTED"; threadId: string; runId: string }
  | AgUiRunFinished
  | ({ type: "RUN_ERROR"; message: string; code: string } & AgUiSpent)
  | { type: "STEP_STARTED" | "STEP_FINISHED"; stepName: string }
  | { type: "TEXT_MESSAGE_START"; messageId: string; role: "assistant" | "user" | "system" }
  | { type: "TEXT_MESSAGE_CONTENT"; messageId: string; delta: string }
  | { type: "TEXT_MESSAGE_END"; messageId: string }
  | { type: "REASONING_START" | "REASONING_END"; messageId: string }
  | { type: "REASONING_MESSAGE_START"; messageId: string; role: "reasoning" }
  | { type: "REASONING_MESSAGE_CONTENT"; messageId: string; delta: string }
  | { type: "REASONING_MESSAGE_END"; messageId: string }
  | { type: "TOOL_CALL_START"; toolCallId: string; toolCallName: string; parentMessageId: string }
  | { type: "TOOL_CALL_ARGS"; toolCallId: string; delta: string }
  | { type: "TOOL_CALL_END"; toolCallId: string }
  | {
      type: "TOOL_CALL_RESULT";
      messageId: string;
      toolCallId: string;
      role: "tool";
      content: AgUiContent;
      metadata?: { readonly status: "error" };
    }
  | { type: "STATE_SNAPSHOT"; snapshot: JsonValue }
  | { type: "STATE_DELTA"; delta: readonly StandardPatchOperation[] }
  | AgUiActivityEvent
  | { type: "CUSTOM"; name: string; value: unknown }
>;

/** A change of an activity message: its whole content, or a patch of it. */
export type AgUiActivityEvent = Readonly<
  | { type: "ACTIVITY_SNAPSHOT"; messageId: string; activityType: string; content: JsonObject }
  | { type: "ACTIVITY_DELTA"; messageId: string; activityType: string; patch: readonly RfcPatchOperation[] }
>;

/** The run has ended. */
export interface AgUiRunFinished extends AgUiSpent {
  readonly type: "RUN_FINISHED";
  readonly threadId: string;
  readonly runId: string;
  /** The structured response: the output of its schema. */
  readonly result?: unknown;
  readonly outcome:
    | { readonly type: "success"; readonly pendingToolCallIds?: readonly string[] }
    | { readonly type: "interrupt"; readonly interrupts: readonly AgUiInterrupt[] }
    | { readonly type: "cancelled" };
}

/** The usage of a run: in its last event. */
export interface AgUiSpent {
  readonly usage?: readonly AgUiUsage[];
  /** The cost, if the agent has `prices`. */
  readonly metadata?: { readonly cost: number };
}

/** A call that waits for a decision. */
export interface AgUiInterrupt {
  /** The id of the call that waits. */
  readonly id: string;
  readonly reason: "tool_call";
  readonly message: string;
  /** The call that the client knows: the same, or the one that runs the agent inside which it waits. */
  readonly toolCallId: string;
  /** The JSON Schema of the payload that answers it. */
  readonly responseSchema: JsonObject;
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
