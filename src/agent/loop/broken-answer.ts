import type { MessageChunk } from "../../messages/chunk.js";
import { ModelError } from "../../models/contract/errors.js";
import { retryDelay } from "../../models/http/retry-delay.js";
import type { Operator } from "../../stream/operator.js";
import { tap } from "../../stream/operators/tap.js";
import { Attempts } from "../../stream/time/attempts.js";
import { systemClock } from "../../stream/time/clock.js";
import { fieldOf, isInstance } from "../../text/thrown.js";
import type { AnswerItem } from "../answer/conclude.js";
import { eventProblem } from "../errors.js";
import type { AgentEvent } from "../events.js";

/**
 * The answers of one step whose streams broke after their first chunk. Before it, the model retries by itself.
 *
 *     {"title": "Te   connection lost     → structured_reset, answer_reset
 *     {"title": "Tea"}                    → structured
 */
export class BrokenAnswers {
  /** Notes that an answer has begun, and that the provider runs a tool of its own. The chunks are not checked yet. */
  readonly chunks: Operator<MessageChunk, MessageChunk> = tap((chunk) => {
    this.begun = true;
    const blocks = fieldOf(chunk, "content");
    this.ran ||= Array.isArray(blocks) && blocks.some((block) => ownCalls.has(fieldOf(block, "type")));
  });
  /** Notes what an answer has shown. */
  readonly items: Operator<AnswerItem, AnswerItem> = tap(({ type }) => {
    if (type === "structured_patch") this.shown = true;
    else if (type === "structured_reset") this.shown = false;
  });
  private begun = false;
  /** Its tools may change something, as those of MCP do, and must not run twice. */
  private ran = false;
  private shown = false;
  private readonly attempts: Attempts;

  constructor(signal: AbortSignal) {
    const delay = (error: unknown, failed: number): number | undefined =>
      retryDelay(error, failed, Infinity, Math.random);
    this.attempts = new Attempts({ delay, clock: systemClock, signal });
  }

  /**
   * The events that take an answer back, after the wait for the next request.
   *
   * @param retry the number of this retry in the run, from 1
   * @throws the error, if another request would not help; the reason of the signal
   */
  async takeBack(error: unknown, retry: number): Promise<readonly AgentEvent[]> {
    if (!this.begun || this.ran || !isInstance(error, ModelError) || isFinal(error)) throw error;
    await this.attempts.after(error);
    const { shown } = this;
    this.begun = this.shown = false;
    const reset: readonly AgentEvent[] = shown ? [{ type: "structured_reset" }] : [];
    return [...reset, { type: "answer_reset", error, problem: eventProblem(error), retry }];
  }
}

/**
 * Whether the answer has ended: the time for all of it is over, or the provider ended it with an error as its finish
 * reason.
 */
function isFinal({ code, cause }: ModelError): boolean {
  if (code === "timeout") return fieldOf(cause, "limit") === "total";
  return code === "provider" && fieldOf(cause, "finishReason") !== undefined;
}

/** The blocks of calls that the provider runs. */
const ownCalls: ReadonlySet<unknown> = new Set(["server_tool_call", "server_tool_call_chunk"]);
