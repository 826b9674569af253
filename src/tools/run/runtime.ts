import type { Message } from "../../messages/message.js";
import type { Clock } from "../../stream/time/clock.js";

/** What a tool knows of the run that it is part of, beside its arguments. */
export interface ToolRuntime<Context = unknown> {
  /** The `id` of the call; `""` where no model has called. */
  readonly toolCallId: string;
  /** What the agent has come to so far: to be read, not to be changed. */
  readonly state: ToolState;
  /** What the caller of the run has given: who the user is, connections, settings. */
  readonly context: Context;
  /** What outlasts the run, whatever the caller gave for it. */
  readonly store: unknown;
  /** Aborted when nobody waits for the result any more: the run was aborted, was left, or took too long. */
  readonly signal: AbortSignal;
  /**
   * Shows a value as progress. Of values that nobody has taken yet at most 1,000 are kept, the latest: a tool that must
   * not lose any, or not run ahead, is an async generator. After the end of the run it does nothing.
   */
  readonly emit: (value: unknown) => void;
}

/** The state of an agent, as its tools see it. */
export interface ToolState {
  /** The conversation up to the call. */
  readonly messages?: readonly Message[];
}

/** What the caller of a tool gives to its run. */
export interface ToolRunOptions<Context = unknown> {
  readonly state?: ToolState | undefined;
  readonly context?: Context | undefined;
  readonly store?: unknown;
  /** Ends the run with the signal's reason, at once, also where the tool does not listen. */
  readonly signal?: AbortSignal | undefined;
  /** For the time limit. The machine's clock, by default. */
  readonly clock?: Clock | undefined;
}
