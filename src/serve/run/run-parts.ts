import type {
  AgentEvent,
  AgentToolProgressEvent,
  FinishEvent,
  StructuredErrorEvent,
  StructuredEvent,
  StructuredPatchEvent,
  UsageEvent,
} from "../../agent/events.js";
import type { JsonObject } from "../../json/value.js";
import type { AgentMessage, AgentToolMessage } from "./agent-messages.js";

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
  | StructuredErrorEvent
  | StructuredEvent
  | UsagePart
  | FinishEvent
  | RunFailure;

/** A tool call: `call_start`, `call_delta`, then `call_end` or `call_invalid`, then its result. */
export type CallPart =
  /** `messageId`: the assistant message that contains the call. */
  | { readonly type: "call_start"; readonly id: string; readonly name: string; readonly messageId: string }
  | { readonly type: "call_delta"; readonly id: string; readonly delta: string }
  /** The arguments are complete, and the tool runs, or waits for a decision. */
  | { readonly type: "call_end"; readonly id: string; readonly name: string; readonly args: JsonObject }
  /** The call ended, but cannot be run. */
  | { readonly type: "call_invalid"; readonly id: string; readonly name: string; readonly text: string }
  | { readonly type: "call_paused"; readonly id: string; readonly name: string }
  | AgentToolProgressEvent
  /** `value`: what the tool returned, if it did. */
  | {
      readonly type: "call_result";
      readonly id: string;
      readonly message: AgentToolMessage;
      readonly value?: unknown;
    };

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
  readonly message: AgentToolMessage;
}

/** A message to the model during the run, for example about an invalid answer. */
export interface FeedbackPart {
  readonly type: "feedback";
  readonly message: Exclude<AgentMessage, { role: "assistant" | "tool" }>;
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
