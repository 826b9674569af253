import type { AgentEvent } from "../agent/events.js";
import { OpenAnswer } from "../agent/open-answer.js";
import type { RunOptions } from "../agent/middleware/middleware.js";
import type { AgentState } from "../agent/state.js";
import type { ThreadProblem } from "../agent/views.js";
import type { ThreadTurn } from "./thread-record.js";
import type { TurnSaves } from "./turn-saves.js";
import { withoutUndefined } from "../json/value.js";

/** The decisions about calls that wait, and their results. */
export type CallAnswers = Pick<RunOptions, "decisions" | "results">;

/** A turn that the thread saves. */
export interface SavedTurn {
  /** Saves the message of the user, before the model is asked. */
  begin(answers?: CallAnswers): Promise<void>;
  /** Resolves when the event may be shown: what it ends is saved. */
  add(event: AgentEvent): Promise<void>;
  /** Saves a turn that was stopped, or that has failed if there is a problem, with what the model had written. */
  end(problem: ThreadProblem | undefined): Promise<void>;
}

/** Follows the events of a turn, and saves what the thread needs to continue after each of its steps. */
export function savedTurn(saves: TurnSaves, initial: AgentState, begun: ThreadTurn): SavedTurn {
  const answer = new OpenAnswer();
  let state = initial;
  let turn = begun;
  let isOver = false;
  return {
    begin: ({ decisions, results } = {}) =>
      saves.save({ status: "running", state, turn, ...withoutUndefined({ decisions, results }) }),
    async add(event) {
      answer.add(event);
      if (event.type === "step_end") {
        ({ state } = event);
        turn = { ...turn, begun: true };
        await saves.save({ status: "running", state, turn });
      }
      if (event.type === "finish") {
        isOver = true;
        const { state: last, reason } = event;
        await saves.end(
          reason === "paused" ? { status: "paused", state: last, turn } : { status: "idle", state: last },
        );
      }
    },
    async end(problem) {
      if (isOver || !saves.begun || saves.lost !== undefined) return;
      const { partialResponse } = answer;
      const partial = answer.after(state.messages);
      await saves.end({
        status: problem === undefined ? "stopped" : "failed",
        ...{ state, turn },
        ...(partial.length > 0 && { partial }),
        ...withoutUndefined({ partialResponse, problem }),
      });
    },
  };
}
