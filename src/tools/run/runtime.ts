import type { JsonObject } from "../../json/value.js";
import type { Message } from "../../messages/message.js";
import type { Clock } from "../../stream/time/clock.js";

/** The second argument of a tool's `run`: the circumstances of the call. */
export interface ToolRuntime<Context = unknown> {
  /** The `id` of the call; `""` if no model made it. */
  readonly toolCallId: string;
  /**
   * In a durable run, a key of this call that is the same whenever it is repeated, also after a crash. Send it to a
   * service that accepts idempotency keys, or store it with what the tool writes. Otherwise `undefined`.
   */
  readonly idempotencyKey: string | undefined;
  /** The state of the agent. Read-only. */
  readonly state: ToolState;
  /** The `context` that the caller passed: the user, connections, settings. */
  readonly context: Context;
  /** Data that is kept between runs: the `store` of the agent. */
  readonly store: unknown;
  /** Aborted when the result is no longer needed: the run was aborted, its loop was left, or it took too long. */
  readonly signal: AbortSignal;
  /**
   * Reports a value as progress. At most the latest 1,000 values wait for the consumer; older ones are dropped. To lose
   * none, or not to run ahead of the consumer, use an async generator. Does nothing after the end of the run.
   */
  readonly emit: (value: unknown) => void;
}

/** The part of an agent's state that tools see. */
export interface ToolState {
  /** The conversation up to the call. */
  readonly messages?: readonly Message[];
  /** State of one's own at the beginning of the step; `ownState()` reads it. */
  readonly values?: JsonObject | undefined;
}

/** The options of `runTool()`. */
export interface ToolRunOptions<Context = unknown> {
  readonly state?: ToolState | undefined;
  readonly context?: Context | undefined;
  readonly store?: unknown;
  readonly idempotencyKey?: string | undefined;
  /** Ends the run with the signal's reason at once, even if the tool ignores its own signal. */
  readonly signal?: AbortSignal | undefined;
  /** Measures the time limit. Default: the system clock. */
  readonly clock?: Clock | undefined;
}

/** A complete call of a tool. */
export interface ToolInvocation {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
}
