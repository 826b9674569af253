import type { AgentEvent } from "../agent/events.js";
import type { StepView } from "../agent/views.js";
import { patchIn } from "../agent/answer/partials.js";
import type { JsonPatch } from "../json/patch/patch.js";
import { resetPatch } from "../json/patch/reset-patch.js";
import type { JsonValue } from "../json/value.js";
import { runPatches } from "../serve/run/run-patches.js";

/** Turns the events of a run into patches of the value that readers see. */
export type EventView = (event: AgentEvent) => JsonPatch | undefined;

/** The value of a run with `view: "run"`. It has the same form for each agent. */
export interface RunView {
  /** The model calls, with what the model wrote and the tools that it called. */
  readonly steps: readonly StepView[];
  /** The structured response so far; `null` before it begins. */
  readonly response: JsonValue;
}

/** The structured response, or without a response format the text of the latest step. */
export function answerView(isText: boolean): EventView {
  let fresh = true;
  return (event) => {
    if (!isText) return patchIn(event);
    if (event.type === "step" || event.type === "answer_reset") fresh = true;
    if (event.type === "answer_reset") return resetPatch;
    if (event.type !== "text") return undefined;
    const op = fresh ? "replace" : "append";
    fresh = false;
    return [{ op, path: "", value: event.delta }];
  };
}

/** The whole run. What it shows of a step is the same whether the step runs or is read from the journal. */
export function runView(): EventView {
  return runPatches({
    start: () => [{ op: "replace", path: "", value: { steps: [], response: null } }],
    steps: "/steps",
    response: "/response",
    emptyStep: () => ({ text: "", reasoning: "", calls: [] }),
  });
}
