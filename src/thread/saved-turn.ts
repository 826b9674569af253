import type { AgentEvent } from "../agent/events.js";
import { answerCall } from "../agent/call-answers.js";
import { OpenAnswer } from "../agent/open-answer.js";
import type { RunOptions } from "../agent/middleware/middleware.js";
import type { AgentState } from "../agent/state.js";
import type { ThreadProblem } from "../agent/views.js";
import type { ThreadTurn } from "./thread-record.js";
import type { ThreadContents, TurnSaves } from "./turn-saves.js";
import { withoutUndefined } from "../json/value.js";
import { isFinishedCall, textOf } from "../messages/blocks/read.js";
import type { Message } from "../messages/message.js";
import { isInstance } from "../text/thrown.js";
import { ThreadError } from "./errors.js";

/** The decisions about calls that wait, and their results. */
export type CallDecisions = Pick<RunOptions, "decisions" | "results">;

export interface SavedTurn {
  /** Saves the message of the user, before the model is asked. */
  begin(given?: CallDecisions): Promise<void>;
  /** Resolves when the event may be shown: what it ends is saved. */
  add(event: AgentEvent): Promise<void>;
  /** Saves a turn that was stopped, or that has failed if there is a problem, with what the model had written. */
  end(problem: ThreadProblem | undefined): Promise<void>;
}

/** Follows the events of a turn, and saves what the thread needs to continue after each of its steps. */
export function savedTurn(saves: TurnSaves, initial: AgentState, initialTurn: ThreadTurn): SavedTurn {
  const answer = new OpenAnswer();
  let state = initial;
  /** The state that the store has. */
  let kept = initial;
  let turn = initialTurn;
  let isOver = false;
  return {
    begin: ({ decisions, results } = {}) =>
      saves.save({ status: "running", state, turn, ...withoutUndefined({ decisions, results }) }),
    async add(event) {
      if (event.type === "step_end") {
        ({ state } = event);
        turn = { ...turn, begun: true };
        await saves.save({ status: "running", state, turn });
        kept = state;
      }
      answer.add(event);
      if (event.type === "finish") {
        const { state: last, reason } = event;
        await saves.end(
          reason === "paused" ? { status: "paused", state: last, turn } : { status: "idle", state: last },
        );
        isOver = true;
      }
    },
    async end(problem) {
      if (isOver || !saves.hasSaved || saves.lost !== undefined) return;
      const { partialResponse } = answer;
      const written = answer.after(kept.messages);
      const status = problem === undefined ? "stopped" : "failed";
      const partial = state === kept ? written : [];
      const short = written.flatMap(shortened);
      // What the store refuses is replaced by less. The last one is shorter than what it has.
      const ends: readonly ThreadContents[] = [
        {
          state,
          turn,
          ...(partial.length > 0 && { partial }),
          ...withoutUndefined({ partialResponse, problem }),
        },
        { state: kept, turn, ...(short.length > 0 && { partial: short }), ...withoutUndefined({ problem }) },
        { state: kept, ...withoutUndefined({ problem }) },
        { state: kept },
      ].map((it) => ({ ...it, status }));
      for (const [at, contents] of ends.entries()) {
        try {
          await saves.end(contents);
          return;
        } catch (error) {
          if (at === ends.length - 1 || !isRefused(error)) throw error;
        }
      }
    },
  };
}

/** Whether the store will never keep these contents. */
function isRefused(error: unknown): boolean {
  return isInstance(error, ThreadError) && (error.code === "too_large" || error.code === "not_json");
}

/** The message with only its calls, or with its result if that is short. */
function shortened(message: Message): Message[] {
  if (message.role === "assistant") {
    const content = message.content.filter(isFinishedCall);
    return content.length === 0 ? [] : [{ ...message, content }];
  }
  if (message.role !== "tool") return [];
  const { toolCallId: id, name, status = "success", content } = message;
  const text = textOf(message);
  const call = { id, ...withoutUndefined({ name }) };
  return content.every(({ type }) => type === "text") && text.length <= noPlace.length
    ? [answerCall(call, text, status)]
    : [answerCall(call, noPlace, "error")];
}

const noPlace = "The call has run, but its result was too large for the conversation, or cannot be saved.";
