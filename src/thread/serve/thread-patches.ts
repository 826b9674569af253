import type { AgentEvent } from "../../agent/events.js";
import { changesBetween } from "../../json/patch/diff.js";
import { GrowingValue } from "../../json/patch/growing-value.js";
import type { JsonPatch } from "../../json/patch/patch.js";
import type { JsonValue } from "../../json/value.js";
import { runPatches } from "../../serve/run/run-patches.js";
import { type OnRunError, toShownFailure } from "../../serve/shown-error.js";
import { forwardingIterator } from "../../stream/core/forwarding-iterator.js";
import { isInstance } from "../../text/thrown.js";
import { ThreadError } from "../errors.js";
import type { Thread } from "../thread.js";
import type { ThreadRecord } from "../thread-record.js";
import type { ThreadView } from "../../agent/views.js";
import { emptyStep, threadView } from "./thread-view.js";

export interface ShownTurn {
  readonly chat: Thread;
  /** The first event of the turn, which has saved its beginning. */
  readonly first: IteratorResult<AgentEvent>;
  /** The others. */
  readonly events: AsyncIterator<AgentEvent>;
  /** The names of the calls that are not shown. */
  readonly hidden: ReadonlySet<string>;
  readonly onError: OnRunError | undefined;
  /** Called when the turn has ended, or nobody follows it. */
  readonly onEnd: () => void;
}

/**
 * The changes of a conversation during a turn. The first patch sets the whole value. What is shown after each step is
 * what the store has: where the events tell less than the saved messages, a patch adds the rest.
 */
export function threadPatches(turn: ShownTurn): AsyncIterable<JsonPatch> {
  return {
    [Symbol.asyncIterator]() {
      const patches = patchesOf(turn);
      return forwardingIterator(() => patches, {
        close: async () => {
          await turn.events.return?.();
          turn.onEnd();
          await patches.return(undefined);
        },
      });
    },
  };
}

async function* patchesOf({
  chat,
  first,
  events,
  hidden,
  onError,
  onEnd,
}: ShownTurn): AsyncGenerator<JsonPatch, undefined, undefined> {
  const record = chat.record as ThreadRecord;
  const isReplay =
    first.done !== true && first.value.type === "step" && first.value.step <= record.state.step;
  const start = threadView(isReplay ? atBegin(record) : record, hidden);
  const shown = new GrowingValue(start as unknown as JsonValue);
  const last = start.messages.at(-1);
  const patchOf = runPatches({
    start: () => [],
    steps: "/messages",
    response: "/object",
    emptyStep,
    count: start.messages.length,
    calls: last?.role === "assistant" ? last.calls.map(({ id }) => id) : [],
  });
  /** The changes from the shown value to a view. */
  const rest = (view: ThreadView): JsonPatch =>
    changesBetween(shown.snapshot() as JsonValue, view as unknown as JsonValue);
  let shownRetry: ThreadView["retry"] = null;
  yield [{ op: "replace", path: "", value: start as unknown as JsonValue }];
  try {
    for (let result = first; result.done !== true; result = await events.next()) {
      const event = result.value;
      const patch = [...(patchOf(event) ?? [])];
      const retry: ThreadView["retry"] = isOutput(event) ? null : (retryOf(event) ?? shownRetry);
      if (retry !== shownRetry) patch.push({ op: "replace", path: "/retry", value: retry && { ...retry } });
      shownRetry = retry;
      shown.apply(patch);
      if (event.type === "step_end" || event.type === "finish") {
        const more = rest({ ...threadView(chat.record, hidden), retry });
        shown.apply(more);
        patch.push(...more);
      }
      if (patch.length > 0) yield patch;
    }
  } catch (error) {
    const view = threadView(chat.record, hidden);
    // The store has the failure of a turn, but not that of itself.
    const more = rest(
      isInstance(error, ThreadError)
        ? { ...view, status: "failed", error: toShownFailure(error, onError) }
        : view,
    );
    if (more.length > 0) yield more;
    return;
  } finally {
    onEnd();
  }
  const more = rest(threadView(chat.record, hidden));
  if (more.length > 0) yield more;
}

/** The record when its turn began: a durable run repeats the events of the steps that it had completed. */
function atBegin(record: ThreadRecord): ThreadRecord {
  const { state, turn } = record;
  return { ...record, state: { ...state, messages: state.messages.slice(0, turn?.from) } };
}

function retryOf(event: AgentEvent): ThreadView["retry"] | undefined {
  if (event.type !== "structured_error" && event.type !== "answer_reset") return undefined;
  return { ...toShownFailure(event.error, undefined), attempt: event.retry };
}

function isOutput({ type }: AgentEvent): boolean {
  return type === "text" || type === "reasoning" || type === "tool_call" || type === "structured_patch";
}
