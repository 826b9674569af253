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

/** Follows the events of a turn, and saves what the thread needs to continue after each of its steps. */
export class SavedTurn {
  private readonly saves: TurnSaves;
  private readonly answer = new OpenAnswer();
  private state: AgentState;
  private turn: ThreadTurn;
  private isOver = false;

  constructor(saves: TurnSaves, state: AgentState, turn: ThreadTurn) {
    this.saves = saves;
    this.state = state;
    this.turn = turn;
  }

  /** Saves the message of the user, before the model is asked. */
  begin({ decisions, results }: CallAnswers = {}): Promise<void> {
    const { state, turn } = this;
    return this.saves.save({
      status: "running",
      state,
      turn,
      ...withoutUndefined({ decisions, results }),
    });
  }

  /** Resolves when the event may be shown: what it ends is saved. */
  async add(event: AgentEvent): Promise<void> {
    this.answer.add(event);
    if (event.type === "step_end") {
      this.state = event.state;
      this.turn = { ...this.turn, begun: true };
      await this.saves.save({ status: "running", state: event.state, turn: this.turn });
    }
    if (event.type === "finish") {
      const { state, reason } = event;
      this.isOver = true;
      await this.saves.end(
        reason === "paused" ? { status: "paused", state, turn: this.turn } : { status: "idle", state },
      );
    }
  }

  /** Saves a turn that was stopped, or that has failed if there is a problem, with what the model had written. */
  async end(problem: ThreadProblem | undefined): Promise<void> {
    if (this.isOver || !this.saves.begun || this.saves.lost !== undefined) return;
    const { state, turn, answer } = this;
    const { partialResponse } = answer;
    const partial = answer.after(state.messages);
    await this.saves.end({
      status: problem === undefined ? "stopped" : "failed",
      state,
      turn,
      ...(partial.length > 0 && { partial }),
      ...withoutUndefined({ partialResponse, problem }),
    });
  }
}
