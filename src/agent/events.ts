import type { JsonPatch } from "../json/patch/patch.js";
import type { JsonObject, JsonValue } from "../json/value.js";
import type { FinishReason } from "../messages/finish-reason.js";
import type { Message, ToolMessage } from "../messages/message.js";
import type { Usage } from "../messages/usage.js";
import type { AgentError } from "./errors.js";
import type { AgentState } from "./loop/state.js";

/**
 * What happens in a run, as it happens.
 *
 * Each step is `step`, then what the model writes (`text`, `reasoning`, `tool_call`, `tool_args`, `structured_patch`) while
 * the tools that it has called already run (`tool_start`, `tool_progress`, `tool_result`, `tool_error`), its `message` and
 * its `usage`, then the messages of the tools in the order of their calls, and `step_end` with a state to go on from. The last
 * event of a run is `finish`.
 *
 * The events are plain data but for `partial`, which is read, and not written: `JSON.stringify` leaves it out.
 *
 * @typeParam Structured the structured response
 * @typeParam Partial the same while it grows
 */
export type AgentEvent<Structured = unknown, Partial = unknown> =
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
  | StructuredPatchEvent<Partial>
  | StructuredErrorEvent
  | StructuredEvent<Structured>
  | MessageEvent
  | UsageEvent
  | StepEndEvent
  | FinishEvent<Structured>;

/** The model is about to be asked. */
export interface StepEvent {
  readonly type: "step";
  /** From 1. */
  readonly step: number;
}

/** The model wrote text: also that of a structured response that comes as text. */
export interface TextEvent {
  readonly type: "text";
  readonly delta: string;
}

/** The model showed what it thinks. */
export interface ReasoningEvent {
  readonly type: "reasoning";
  readonly delta: string;
}

/** Which call an event is about. */
interface OfCall {
  readonly id: string;
  readonly name: string;
}

/** The model has begun to call a tool. A call of a structured response is no call of a tool. */
export interface ToolCallEvent extends OfCall {
  readonly type: "tool_call";
}

/** The arguments of a call have grown. */
export interface ToolArgsEvent extends OfCall {
  readonly type: "tool_args";
  /** The text that the model wrote. */
  readonly delta: string;
  /** What it changed: RFC 6902, to be applied to `null` first. Empty if nothing. */
  readonly patch: JsonPatch;
  /** The arguments as far as they are known when this is read. Immutable; for showing, not for running the tool. */
  readonly partial: JsonValue | undefined;
}

/** The arguments of a call are complete, and its tool runs from now on, while the model may still write. */
export interface ToolStartEvent extends OfCall {
  readonly type: "tool_start";
  readonly args: JsonObject;
}

/** Something that a tool shows while it runs. */
export interface AgentToolProgressEvent extends OfCall {
  readonly type: "tool_progress";
  readonly value: unknown;
}

/** A tool has done its work. */
export interface AgentToolResultEvent extends OfCall {
  readonly type: "tool_result";
  /** What the model is told. */
  readonly message: ToolMessage;
  /** What the tool returned. */
  readonly value: unknown;
}

/** A tool has failed, or could not be called so; the model is told about it. */
export interface AgentToolErrorEvent extends OfCall {
  readonly type: "tool_error";
  /** What the model is told. */
  readonly message: ToolMessage;
  /** What went wrong, for the program. */
  readonly error: unknown;
}

/** A call waits for a decision: the run will pause at the end of the step. */
export interface ToolPausedEvent extends OfCall {
  readonly type: "tool_paused";
  readonly args: JsonObject;
}

/** The structured response has changed. */
export interface StructuredPatchEvent<Partial = unknown> {
  readonly type: "structured_patch";
  /** RFC 6902, to be applied to `null` first. When the model is asked again, one that puts `null` in place of the root. */
  readonly patch: JsonPatch;
  /** The response as far as it is known when this is read; `undefined` after it was given up. Immutable. */
  readonly partial: Partial | undefined;
}

/** The structured response was wrong, and the model is asked for it again. */
export interface StructuredErrorEvent {
  readonly type: "structured_error";
  readonly error: AgentError;
  /** How often it was asked for again, with this time: from 1. */
  readonly retry: number;
}

/** The structured response is complete, and has passed its schema. */
export interface StructuredEvent<Structured = unknown> {
  readonly type: "structured";
  /** As the schema makes it. */
  readonly value: Structured;
  /** The name of its schema: which one it is, of several. */
  readonly name: string;
}

/** A message was added to the conversation. */
export interface MessageEvent {
  readonly type: "message";
  readonly message: Message;
}

/** What a call of the model has cost. */
export interface UsageEvent {
  readonly type: "usage";
  readonly usage: Usage;
  /** Of the run until now. */
  readonly total: Usage;
}

/** A step has ended. */
export interface StepEndEvent {
  readonly type: "step_end";
  readonly step: number;
  /** Plain data, to go on from: `agent.stream({ resume: state })`. */
  readonly state: AgentState;
}

/** The run has come to its end. */
export interface FinishEvent<Structured = unknown> {
  readonly type: "finish";
  /**
   * - `answer`: the model has answered with text
   * - `structured`: with the structured response
   * - `return_direct`: with the result of a tool that is `returnDirect`
   * - `ended`: a middleware has ended the run
   * - `paused`: calls of tools wait for a decision
   */
  readonly reason: "answer" | "structured" | "return_direct" | "ended" | "paused";
  /** Why the model stopped the last time. `length`: its answer is cut. */
  readonly finishReason?: FinishReason;
  readonly state: AgentState;
  readonly structuredResponse?: Structured;
}
