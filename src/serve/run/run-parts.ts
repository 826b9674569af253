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
 * A run as the protocols of pages want it: each text, each reasoning and each call has its beginning and its end, and an
 * id. `outline()` makes these of the events of an agent.
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

/** A call of a tool: `call_start`, `call_delta`, then `call_end` or `call_invalid`, then what its tool does. */
export type CallPart =
  /** `messageId`: the message of the assistant that it is part of. */
  | { readonly type: "call_start"; readonly id: string; readonly name: string; readonly messageId: string }
  | { readonly type: "call_delta"; readonly id: string; readonly delta: string }
  /** The arguments are complete, and the tool runs, or waits for a decision. */
  | { readonly type: "call_end"; readonly id: string; readonly name: string; readonly args: JsonObject }
  /** It ended, but cannot be run. */
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

/** The structured response came as a call. It was shown while it grew, and is told of when the message has ended. */
export interface ResponseCallPart {
  readonly type: "response_call";
  readonly id: string;
  readonly name: string;
  readonly messageId: string;
  readonly text: string;
}

/** What that call was answered with. */
export interface ResponseResultPart {
  readonly type: "response_result";
  readonly message: AgentToolMessage;
}

/** Something was said to the model in the middle of the run: what is wrong with its answer. */
export interface FeedbackPart {
  readonly type: "said";
  readonly message: Exclude<AgentMessage, { role: "assistant" | "tool" }>;
}

/** What a call of a model has cost. */
export interface UsagePart {
  readonly type: "model_usage";
  readonly model: string | undefined;
  readonly usage: UsageEvent["usage"];
}

/** The run has ended with an error. */
export interface RunFailure {
  readonly type: "failure";
  readonly error: unknown;
}

/** What `outline()` reads. */
export type RunItem = AgentEvent | RunFailure;
