import type { JsonPatch } from "../json/patch/patch.js";
import type { JsonCoercion } from "../json/coercion.js";
import type { JsonRepair } from "../json/repair.js";
import type { JsonObject, JsonValue } from "../json/value.js";
import type { FinishReason } from "../messages/finish-reason.js";
import type { Message, ToolMessage } from "../messages/message.js";
import type { Usage } from "../messages/usage.js";
import type { ModelError } from "../models/contract/errors.js";
import type { AgentError, EventProblem } from "./errors.js";
import type { AgentState } from "./state.js";

/**
 * An event of a run.
 *
 * Each step begins with `step`, except one that a resumed run continues with its open calls. The output of the model
 * follows (`text`, `reasoning`, `tool_call`, `tool_args`, `structured_patch`, `structured_item`), mixed with the events
 * of tools that already run (`tool_start`, `tool_progress`, `tool_result`, `tool_error`). Then come the model's
 * `message` and `usage`, the messages of the tools in the order of their calls, and `step_end` with a state that a run
 * can resume from. The last event of a run is `finish`.
 *
 * Events are plain data: a spread, `structuredClone()` and JSON keep them. JSON loses only errors, which
 * have a `problem` beside them, and the values of tools that it cannot write.
 *
 * @typeParam Structured the structured response
 */
export type AgentEvent<Structured = unknown> =
  | StepEvent
  | TextEvent
  | ReasoningEvent
  | ToolCallEvent
  | ToolArgsEvent
  | ToolStartEvent
  | AgentToolProgressEvent
  | AgentToolResultEvent
  | AgentToolErrorEvent
  | ToolPausedEvent
  | StructuredStrategyEvent
  | StructuredPatchEvent
  | StructuredResetEvent
  | StructuredItemEvent
  | StructuredErrorEvent
  | AnswerResetEvent
  | StructuredEvent<Structured>
  | MessageEvent
  | UsageEvent
  | StepEndEvent
  | FinishEvent<Structured>;

/** The agent calls the model. */
export interface StepEvent {
  readonly type: "step";
  /** From 1. */
  readonly step: number;
}

/** The model wrote text, or a part of a structured response that comes as text. */
export interface TextEvent {
  readonly type: "text";
  readonly delta: string;
}

/** The model wrote reasoning. */
export interface ReasoningEvent {
  readonly type: "reasoning";
  readonly delta: string;
}

/** The call that an event belongs to. */
interface CallEvent {
  readonly id: string;
  readonly name: string;
}

/** The model began to call a tool. Structured responses that come as tool calls do not count. */
export interface ToolCallEvent extends CallEvent {
  readonly type: "tool_call";
}

/** The model wrote a part of the arguments of a call. */
export interface ToolArgsEvent extends CallEvent {
  readonly type: "tool_args";
  /** The new text. */
  readonly delta: string;
  /**
   * The changes as a JSON Patch (RFC 6902); the first applies to `null`. Empty if nothing changed. For display only: the
   * arguments are not validated.
   */
  readonly patch: JsonPatch;
}

/** The arguments of a call are complete, and its tool starts. The model may still be writing. */
export interface ToolStartEvent extends CallEvent {
  readonly type: "tool_start";
  readonly args: JsonObject;
  /** The repairs of the text of the arguments, if there were any. */
  readonly repairs?: readonly JsonRepair[];
  /** The arguments that were read as the schema expects them, such as `"7"` as 7. */
  readonly coercions?: readonly JsonCoercion[];
}

/** A tool reported progress. */
export interface AgentToolProgressEvent extends CallEvent {
  readonly type: "tool_progress";
  readonly value: unknown;
}

/** A tool returned its result. */
export interface AgentToolResultEvent extends CallEvent {
  readonly type: "tool_result";
  /** The message for the model. */
  readonly message: ToolMessage;
  /** The value that the tool returned. */
  readonly value: unknown;
}

/** A tool failed, or its arguments were invalid. The model gets a message about it. */
export interface AgentToolErrorEvent extends CallEvent {
  readonly type: "tool_error";
  /** The message for the model. */
  readonly message: ToolMessage;
  /** The error that was thrown. */
  readonly error: unknown;
}

/** A call waits. The run pauses at the end of the step. */
export interface ToolPausedEvent extends CallEvent {
  readonly type: "tool_paused";
  readonly args: JsonObject;
  /**
   * - `client`: for its result, from the client
   * - `agent`: for a call of the agent that runs inside it, whose `tool_paused` was progress of this call
   *
   * Default: for a decision.
   */
  readonly waitsFor?: "client" | "agent";
}

/** The provider cannot enforce the schema, so the agent asks for the structured response in another way. */
export interface StructuredStrategyEvent {
  readonly type: "structured_strategy";
  readonly strategy: "tool" | "provider" | "prompt";
  /** Which part of the schema the provider cannot express. */
  readonly reason: ModelError;
  /** The same as plain data. */
  readonly problem?: EventProblem;
}

/** The structured response changed. */
export interface StructuredPatchEvent {
  readonly type: "structured_patch";
  /** A JSON Patch (RFC 6902). The first applies to `null`, and so does the first after a reset. */
  readonly patch: JsonPatch;
}

/** The structured response so far is discarded. The agent asks again, or the answer has none. */
export interface StructuredResetEvent {
  readonly type: "structured_reset";
}

/** An element of an array in the structured response is complete. Only with the option `items`. */
export interface StructuredItemEvent {
  readonly type: "structured_item";
  /** The place of the element: a JSON Pointer (RFC 6901). */
  readonly pointer: string;
  /** The element as the model wrote it. Immutable. */
  readonly value: JsonValue;
}

/** The structured response was invalid, and the agent asks the model again. */
export interface StructuredErrorEvent {
  readonly type: "structured_error";
  readonly error: AgentError;
  /** The same as plain data. */
  readonly problem?: EventProblem;
  /** The number of this retry, from 1. */
  readonly retry: number;
}

/**
 * The stream of the model broke, and the agent asks again: text, reasoning and calls since the last `step` or
 * `answer_reset` are discarded. A structured response was discarded by `structured_reset` before.
 */
export interface AnswerResetEvent {
  readonly type: "answer_reset";
  readonly error: ModelError;
  /** The same as plain data. */
  readonly problem?: EventProblem;
  /** The number of this retry, from 1. It counts with those of `structured_error`. */
  readonly retry: number;
}

/** The structured response is complete and valid. */
export interface StructuredEvent<Structured = unknown> {
  readonly type: "structured";
  /** The value that the schema returned. */
  readonly value: Structured;
  /** The name of the schema that matched. */
  readonly name: string;
  /** The repairs of the text of the response, if there were any; at most 100. */
  readonly repairs?: readonly JsonRepair[];
  /** The values that were read as the schema expects them, such as `"7"` as 7. */
  readonly coercions?: readonly JsonCoercion[];
}

/** A message was added to the conversation. */
export interface MessageEvent {
  readonly type: "message";
  readonly message: Message;
}

/** The tokens that a model call used, of this agent or of one that runs inside a tool call. */
export interface UsageEvent {
  readonly type: "usage";
  /** The model as its provider calls it, if the provider tells. */
  readonly model?: string;
  readonly usage: Usage;
  /** The sum of the run so far. */
  readonly total: Usage;
}

/** A step ended. */
export interface StepEndEvent {
  readonly type: "step_end";
  readonly step: number;
  /** Plain data to resume from: `agent.stream({ resume: state })`. */
  readonly state: AgentState;
}

/** The run ended. */
export interface FinishEvent<Structured = unknown> {
  readonly type: "finish";
  /**
   * - `answer`: the model answered with text
   * - `structured`: the structured response is complete
   * - `return_direct`: all tools that the model called have `returnDirect`
   * - `ended`: a middleware ended the run
   * - `stop_when`: `stopWhen()` has cut the run
   * - `paused`: tool calls wait, for a decision or for the client
   */
  readonly reason: "answer" | "structured" | "return_direct" | "ended" | "stop_when" | "paused";
  /** Why the model stopped in the last step. `length`: its answer is incomplete. */
  readonly finishReason?: FinishReason;
  readonly state: AgentState;
  readonly structuredResponse?: Structured;
  /** What the model had written of the structured response when `stopWhen()` cut the run. Not validated. */
  readonly partial?: JsonValue;
}
