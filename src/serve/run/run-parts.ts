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
import type { ContentBlock } from "../../messages/blocks/blocks.js";
import type { Message, ToolMessage } from "../../messages/message.js";

/**
 * A part of a run in the form that UI protocols need: each text, reasoning and call has a start, an end and an id. A call
 * is `call_start`, `call_delta`, then `call_end` or `call_invalid`, then its result.
 */
export type RunPart = Readonly<
  | { type: "run_start" }
  | { type: "step_start" | "step_end"; step: number }
  | { type: "text_start" | "text_end" | "reasoning_start" | "reasoning_end"; id: string }
  | { type: "text_delta" | "reasoning_delta"; id: string; delta: string }
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
  | CallResult
  /** Images, speech and files of the model, when its message is complete. */
  | { type: "media"; content: readonly ContentBlock[] }
  /** The structured response arrived as a call. Its patches were sent while it grew; this part follows the message. */
  | { type: "response_call"; id: string; name: string; messageId: string; text: string }
  /** The tool message that answers that call. */
  | { type: "response_result"; message: ToolMessage }
  /** A message to the model during the run, for example about an invalid answer. */
  | { type: "feedback"; message: Exclude<Message, { role: "assistant" | "tool" }> }
  | StructuredPatchEvent
  | StructuredResetEvent
  | StructuredErrorEvent
  | AnswerResetEvent
  | StructuredEvent
  | UsagePart
  | FinishEvent
  | RunFailure
>;

interface CallResult {
  readonly type: "call_result";
  readonly id: string;
  readonly name: string;
  readonly message: ToolMessage;
  readonly failed: boolean;
  /** A person has rejected the call. */
  readonly rejected?: boolean;
  /** What the tool returned, if it did. */
  readonly value?: unknown;
}

/** The usage of a model call. */
export interface UsagePart {
  readonly type: "model_usage";
  readonly model: string | undefined;
  readonly usage: UsageEvent["usage"];
}

interface RunFailure {
  readonly type: "failure";
  readonly error: unknown;
}

/** What `toRunParts()` makes parts of. */
export type RunItem = AgentEvent | RunFailure;
