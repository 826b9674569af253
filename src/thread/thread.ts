import type { Agent } from "../agent/agent.js";
import type { AgentEvent } from "../agent/events.js";
import type { RunOptions } from "../agent/middleware/middleware.js";
import type { AgentInput } from "../agent/state.js";
import type { ThreadProblem, ThreadStatus } from "../agent/views.js";
import type { JsonObject, JsonValue } from "../json/value.js";
import type { ToolCallBlock } from "../messages/blocks/blocks.js";
import type { Message } from "../messages/message.js";
import type { MessagesInput } from "../messages/to-messages.js";
import type { Usage } from "../messages/usage.js";
import type { OnRunError } from "../serve/shown-error.js";
import type { Clock } from "../stream/time/clock.js";
import type { ThreadStore } from "./stores/thread-store.js";
import type { ThreadRecord } from "./thread-record.js";

/** The options of `thread()`. */
export interface ThreadOptions {
  /** Keeps the thread. */
  readonly store: ThreadStore;
  /** The id of the thread: 1 to 200 letters, digits, `-`, `_`, `.` or `~`. */
  readonly id: string;
  /** The user that the thread belongs to. Nobody else finds it. Default: empty. */
  readonly owner?: string;
  /** Returns the title for lists, as a text and at once. Default: the first 80 characters of the first message of the user. */
  readonly title?: (messages: readonly Message[]) => string;
  /**
   * Milliseconds for which a turn owns the thread without a sign of life. It saves the thread three times as often. When
   * a process has died, the thread can be changed after this time. Default: 15,000.
   */
  readonly lease?: number;
  /**
   * Runs a turn. Default: `agent.stream()`. With `durable()`, a turn that is resumed repeats no step. It is called again
   * for a turn that continues, so it closes what it opens, such as a `fileJournal()` (docs/reference/thread.md).
   *
   * @param input `undefined` if the turn continues after a step, or a call of a tool, that it had completed
   */
  readonly run?: RunTurn;
  /** Receives the error that ended a turn and may return the `problem` that is kept. */
  readonly onError?: OnRunError;
  /** The date, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** Default: the system clock. */
  readonly clock?: Clock;
}

/** Runs a turn. */
export type RunTurn = (
  agent: Agent,
  input: AgentInput | undefined,
  options: RunOptions & { readonly turn: string },
) => AsyncIterable<AgentEvent>;

/** A conversation with an agent, kept in a store. */
export interface Thread<Structured = unknown, Context = unknown> {
  readonly id: string;
  readonly owner: string;
  /**
   * The record as it was loaded or last saved; `undefined` for a thread without a message. If the process of a turn has died,
   * the calls that were approved have an error.
   */
  readonly record: ThreadRecord | undefined;
  readonly status: ThreadStatus;
  /** Whether a process is running a turn, as far as its `lease` tells. */
  readonly isOwned: boolean;
  /** All messages, with those of an answer that is not complete. */
  readonly messages: readonly Message[];
  /** The calls that wait for a decision or a result, also those of agents that run inside a call. */
  readonly pending: readonly ToolCallBlock[];
  /** Why the last turn failed, in words for the user. */
  readonly problem: ThreadProblem | undefined;
  /** The tokens of all turns, with their cost if the agent has `prices`. */
  readonly usage: Usage | undefined;
  /** The names of the calls that are structured responses, not calls of tools. */
  readonly responseCalls: ReadonlySet<string>;
  /**
   * Adds a message of the user, and yields the events of the answer. The message is saved before the model is asked.
   * Calls that wait are answered with an error first. The events can be read once.
   *
   * @throws {ThreadError} `conflict`, `busy`, `taken_over`, and those of the store
   */
  stream(input: MessagesInput, options?: TurnOptions<Context>): AsyncIterable<AgentEvent<Structured>>;
  /**
   * Continues a turn that was paused, stopped or failed, or whose process has died. An answer without tool results is
   * asked for again; otherwise the agent continues after them, so that no tool runs twice.
   *
   * @throws {ThreadError} `no_turn`, and those of `stream()`
   */
  resume(options?: TurnOptions<Context>): AsyncIterable<AgentEvent<Structured>>;
  /**
   * Records that a call may run, with other arguments if there are any. `resume()` continues. For a call that runs an
   * agent, the calls that wait inside may run.
   *
   * @throws {ThreadError} `no_turn` if the call does not wait for a decision; `conflict`
   */
  approve(call: string, args?: JsonObject): Promise<void>;
  /** Records that a call may not run. `resume()` continues, and the model is told the message. */
  reject(call: string, message?: string): Promise<void>;
  /**
   * Records the result of a call of a `clientTool()`. `resume()` continues.
   *
   * @throws {ThreadError} `no_turn` if the call does not wait for a result; `conflict`
   */
  answer(call: string, result: JsonValue): Promise<void>;
  /**
   * Stops the turn, also one in another process, within a third of its `lease`. What it has written is kept. A reader
   * that waits for the next event gets an `AbortError`; for any other the events end.
   */
  stop(): Promise<void>;
  /**
   * Makes another thread with the first messages of this one.
   *
   * @param at the number of messages. Default: all
   * @param options `id`: of the new thread. Default: random
   * @throws {ThreadError} `invalid_fork`
   */
  fork(at?: number, options?: { readonly id?: string }): Promise<Thread<Structured, Context>>;
  /** Loads the thread again, after a `conflict`. */
  refresh(): Promise<void>;
}

/** The options of a turn. */
export type TurnOptions<Context = unknown> = Pick<RunOptions<Context>, "signal" | "context">;
