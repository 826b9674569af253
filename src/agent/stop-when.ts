import { kindName } from "../text/kind-name.js";
import { invalidOptions } from "./errors.js";
import type { AgentEvent, FinishEvent } from "./events.js";
import { cutReason } from "./loop/run.js";
import type { Middleware } from "./middleware/middleware.js";
import { perRun } from "./middleware/per-run.js";
import { OpenAnswer, withAnswers } from "./open-answer.js";
import type { AgentState } from "./state.js";

/**
 * Ends the run after the first event for which `when` returns true. The model and the tools are aborted at once, and
 * the run ends with `finish` and the reason `stop_when`.
 *
 * The state has what was captured so far, in a form that a run can resume from with new messages: the text of the cut
 * answer, and the calls that were complete. A call without a result gets a message that the run was stopped. The
 * beginning of a structured response is `partial` of the event `finish`.
 *
 * @throws {AgentError} `invalid_options` if `when` is not a function
 *
 * @example
 * ```ts
 * import { collect, createAgent } from "millrace";
 * import { stopWhen } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 * import { z } from "zod";
 *
 * const agent = createAgent({
 *   model: scriptedModel(['{"title": "Mills", ', '"text": "A long text']),
 *   responseFormat: z.object({ title: z.string(), text: z.string() }),
 *   middleware: [stopWhen((event) => event.type === "structured_patch")],
 * });
 * const finish = (await collect(agent.stream("Write."))).at(-1);
 * if (finish?.type === "finish") console.log(finish.reason, finish.partial); // stop_when { title: "Mills" }
 * ```
 */
export function stopWhen(when: (event: AgentEvent) => boolean | PromiseLike<boolean>): Middleware {
  if (typeof when !== "function")
    throw invalidOptions(`stopWhen() expects a function of an event, but got ${kindName(when)}.`);
  const followedIn = perRun(followedStep);
  return {
    name: "stopWhen",
    beforeStep: (state, run) => {
      followedIn(run).begin(state);
      return undefined;
    },
    async *aroundRun(run, next) {
      const followed = followedIn(run);
      const events = next(run)[Symbol.asyncIterator]();
      let closed = false;
      try {
        for (;;) {
          const result = await events.next();
          closed = result.done === true;
          if (result.done === true) return;
          const event = result.value;
          followed.add(event);
          yield event;
          if (event.type !== "finish" && (await when(event))) break;
        }
        closed = true;
        const closing = events.return?.();
        run.abort?.(cutReason); // a model that sends nothing would never close
        await Promise.resolve(closing).catch(() => undefined);
        yield* followed.end();
      } finally {
        if (!closed) await events.return?.();
      }
    },
  };
}

/** The step that runs, as a state. */
interface FollowedStep {
  begin(state: AgentState): void;
  add(event: AgentEvent): void;
  /** The events that end the step and the run. */
  end(): Generator<AgentEvent, undefined, undefined>;
}

function followedStep(): FollowedStep {
  let state: AgentState | undefined;
  let answer = new OpenAnswer();
  let structured: Pick<FinishEvent, "structuredResponse"> | undefined;
  let hasEnded = false;
  return {
    begin(before) {
      state = before;
      answer = new OpenAnswer();
      structured = undefined;
      hasEnded = false;
    },
    add(event) {
      // In a durable run, a call that waits for a decision may have got it since.
      if (event.type !== "tool_paused") answer.add(event);
      if (event.type === "structured") structured = { structuredResponse: event.value };
      if (state === undefined) return;
      if (event.type === "step") state = { ...state, step: event.step };
      if (event.type === "usage") state = { ...state, usage: event.total };
      if (event.type === "step_end") {
        ({ state } = event);
        hasEnded = true;
      }
    },
    *end(): Generator<AgentEvent, undefined, undefined> {
      if (state === undefined) return;
      const { messages: before } = state;
      const after = hasEnded ? before : withAnswers([...before, ...answer.after(before)], () => notRun);
      for (const message of after.slice(before.length))
        if (!answer.shown.includes(message)) yield { type: "message", message };
      state = { ...state, status: "finished", messages: after };
      if (!hasEnded) yield { type: "step_end", step: state.step, state };
      const { partialResponse: partial } = answer;
      const value = structured ?? (partial === undefined ? undefined : { partial });
      yield { type: "finish", reason: "stop_when", ...value, state };
    },
  };
}

const notRun = "The call was not run, because the run was stopped.";
