import type { Decisions } from "../agent/decisions.js";
import type { ClientResults } from "../agent/middleware/middleware.js";
import type { AgentState } from "../agent/state.js";
import type { ThreadProblem, ThreadStatus } from "../agent/views.js";
import { toState } from "../agent/loop/to-state.js";
import type { JsonValue } from "../json/value.js";
import { isRecord } from "../messages/loose.js";
import type { Message } from "../messages/message.js";
import { textOf } from "../messages/blocks/read.js";
import { ThreadError } from "./errors.js";

const statuses: readonly ThreadStatus[] = ["idle", "running", "paused", "stopped", "failed"];

/** What a store keeps of a thread: plain JSON data. */
export interface ThreadRecord {
  /** For lists of threads. */
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly status: ThreadStatus;
  /** The state that the next turn begins with, or that an unfinished turn continues from. */
  readonly state: AgentState;
  /** The turn that runs, waits for a decision, or can be resumed. */
  readonly turn?: ThreadTurn;
  /**
   * What the model had written when its turn stopped or failed, and the results of tools that had run. An assistant
   * message without `finishReason` is incomplete.
   */
  readonly partial?: readonly Message[];
  /** The structured response so far, of a turn that stopped or failed. */
  readonly partialResponse?: JsonValue;
  /** Why the turn failed, in words for the user. */
  readonly problem?: ThreadProblem;
  /** The decisions about calls that wait. */
  readonly decisions?: Decisions;
  /** The results of calls that the page has run. */
  readonly results?: ClientResults;
}

/** A turn: what the agent does about one message of the user. */
export interface ThreadTurn {
  readonly id: string;
  /** The number of messages when it began, with that of the user. */
  readonly from: number;
  /** How many times the turn was begun or resumed. `ID.ATTEMPT` names its run in a log. */
  readonly attempt?: number;
  /** Whether the agent has completed a step. */
  readonly begun?: boolean;
  /** Until when its process owns the thread, in milliseconds since 1970. Absent if none does. */
  readonly until?: number;
  /** Another process asks this one to stop. */
  readonly stop?: boolean;
}

/** All messages of a thread, with those of an answer that is not complete. */
export function allMessages({ state, partial = [] }: Pick<ThreadRecord, "state" | "partial">): Message[] {
  return [...state.messages, ...partial];
}

/** Reads what a store has. @throws {ThreadError} `corrupt` */
export function toRecord(value: unknown): ThreadRecord {
  try {
    if (!isRecord(value) || !statuses.includes(value["status"] as ThreadStatus))
      throw new TypeError("no thread");
    const record = value as unknown as ThreadRecord;
    return { ...record, state: toState({ resume: record.state }) };
  } catch (cause) {
    throw damaged(cause);
  }
}

export function damaged(cause: unknown): ThreadError {
  return new ThreadError("corrupt", "The conversation in the store is damaged.", { cause });
}

/** The default title: the beginning of the first message of the user. */
export function defaultTitle(messages: readonly Message[]): string {
  const first = messages.find(({ role }) => role === "user");
  const text = first === undefined ? "" : textOf(first).replace(/\s+/g, " ").trim();
  return text.length <= 80 ? text : `${Array.from(text.slice(0, 160)).slice(0, 79).join("")}…`;
}
