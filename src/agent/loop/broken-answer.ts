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

/** The answers of one step whose streams broke. */
export interface BrokenAnswers {
  /** Notes that an answer has begun, and that the provider runs a tool of its own. The chunks are not checked yet. */
  readonly chunks: Operator<MessageChunk, MessageChunk>;
  /** Notes what an answer has shown. */
  readonly items: Operator<AnswerItem, AnswerItem>;
  /**
   * The events that take an answer back, after the wait for the next request.
   *
   * @param retry the number of this retry in the run, from 1
   * @throws the error, if another request would not help; the reason of the signal
   */
  readonly takeBack: (error: unknown, retry: number) => Promise<readonly AgentEvent[]>;
}

/**
 * Follows the answers of one step whose streams may break after their first chunk. Before it, the model retries by itself.
 *
 *     {"title": "Te   connection lost     → structured_reset, answer_reset
 *     {"title": "Tea"}                    → structured
 */
export function brokenAnswers(signal: AbortSignal): BrokenAnswers {
  let begun = false;
  /** Its tools may change something, as those of MCP do, and must not run twice. */
  let ran = false;
  let shown = false;
  const delay = (error: unknown, failed: number): number | undefined =>
    retryDelay(error, failed, Infinity, Math.random);
  const attempts = new Attempts({ delay, clock: systemClock, signal });
  return {
    chunks: tap((chunk) => {
      begun = true;
      const blocks = fieldOf(chunk, "content");
      ran ||= Array.isArray(blocks) && blocks.some((block) => ownCalls.has(fieldOf(block, "type")));
    }),
    items: tap(({ type }) => {
      if (type === "structured_patch") shown = true;
      else if (type === "structured_reset") shown = false;
    }),
    async takeBack(error, retry) {
      if (!begun || ran || !isInstance(error, ModelError) || isFinal(error)) throw error;
      await attempts.after(error);
      const reset: readonly AgentEvent[] = shown ? [{ type: "structured_reset" }] : [];
      begun = shown = false;
      return [...reset, { type: "answer_reset", error, problem: eventProblem(error), retry }];
    },
  };
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
