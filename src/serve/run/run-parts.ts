import type {
  AgentEvent,
  AnswerResetEvent,
  AgentToolProgressEvent,
  FinishEvent,
  StructuredErrorEvent,
  StructuredEvent,
  StructuredPatchEvent,
  StructuredResetEvent,
  ToolStartEvent,
  UsageEvent,
} from "../../agent/events.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import type { JsonObject } from "../../json/value.js";
import type { Message, ToolMessage } from "../../messages/message.js";

/**
 * A part of a run in the form that UI protocols need: each text, reasoning and call has a start, an end and an id.
 * `toRunParts()` creates them from the events of an agent.
 */
export type RunPart =
  | { readonly type: "run_start" }
  | { readonly type: "step_start" | "step_end"; readonly step: number }
  | { readonly type: "text_start" | "text_end" | "reasoning_start" | "reasoning_end"; readonly id: string }
  | { readonly type: "text_delta" | "reasoning_delta"; readonly id: string; readonly delta: string }
  | CallPart
  | ResponseCallPart
  | ResponseResultPart
  | FeedbackPart
  | StructuredPatchEvent
  | StructuredResetEvent
  | StructuredErrorEvent
  | AnswerResetEvent
  | StructuredEvent
  | UsagePart
  | FinishEvent
  | RunFailure;

/** A tool call: `call_start`, `call_delta`, then `call_end` or `call_invalid`, then its result. */
export type CallPart = Readonly<
  /** `messageId`: the assistant message that contains the call. */
  | { type: "call_start"; id: string; name: string; messageId: string }
  | { type: "call_delta"; id: string; delta: string; patch: JsonPatch }
  /** The arguments are complete, and the tool runs, or waits for a decision. */
  | { type: "call_end"; id: string; name: string; args: JsonObject }
  /** The call ended, but cannot be run. */
  | { type: "call_invalid"; id: string; name: string; text: string }
  /** `approvals`: the calls that wait for a decision; of an agent that runs inside the call, those that wait there. */
  | { type: "call_paused"; id: string; name: string; approvals: readonly string[] }
  /** The tool runs. Of a call that waited for a decision, this is the first part in a resumed run. */
  | ToolStartEvent
  | AgentToolProgressEvent
  /** `value`: what the tool returned, if it did. `rejected`: a person has rejected the call. */
  | {
      type: "call_result";
      id: string;
      name: string;
      message: ToolMessage;
      failed: boolean;
      rejected?: boolean;
      value?: unknown;
    }
>;

/** The structured response arrived as a call. Its patches were sent while it grew; this part follows the message. */
export interface ResponseCallPart {
  readonly type: "response_call";
  readonly id: string;
  readonly name: string;
  readonly messageId: string;
  readonly text: string;
}

/** The tool message that answers that call. */
export interface ResponseResultPart {
  readonly type: "response_result";
  readonly message: ToolMessage;
}

/** A message to the model during the run, for example about an invalid answer. */
export interface FeedbackPart {
  readonly type: "feedback";
  readonly message: Exclude<Message, { role: "assistant" | "tool" }>;
}

/** The usage of a model call. */
export interface UsagePart {
  readonly type: "model_usage";
  readonly model: string | undefined;
  readonly usage: UsageEvent["usage"];
}

/** The run failed. */
export interface RunFailure {
  readonly type: "failure";
  readonly error: unknown;
}

/** The input of `toRunParts()`. */
export type RunItem = AgentEvent | RunFailure;
