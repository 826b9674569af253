import { formatIssues } from "../../schema/schema.js";
import { abortable } from "../../stream/operators/abortable.js";
import { abortedWhenLeft } from "../../stream/core/forwarding-iterator.js";
import { type Spliced, splicing } from "../../stream/core/splicing.js";
import { checkResults, toDecisions } from "../decisions.js";
import { AgentError } from "../errors.js";
import type { AgentEvent } from "../events.js";
import { around, type RunInfo, type RunOptions } from "../middleware/middleware.js";
import type { AgentSetup, RunSetup } from "./setup.js";
import type { AgentInput, AgentState } from "../state.js";
import { toState } from "./to-state.js";
import { checkOptions, type OptionNames } from "../../text/check-options.js";

/** @throws {TypeError} for an unknown option */
export function checkRunOptions(options: RunOptions): void {
  // prettier-ignore
  const names = {
    signal: true, context: true, decisions: true, results: true, outer: true,
  } satisfies OptionNames<RunOptions>;
  checkOptions("A run", options, names, { abortSignal: 'Write "signal".' });
}

/**
 * A run of an agent. It starts when it is iterated. Closing it, or its `signal`, aborts the signal of the model call
 * and all tools, so a run ends even while the model sends nothing.
 */
export function openRun(
  setup: AgentSetup,
  input: AgentInput,
  options: RunOptions = {},
): AsyncIterable<AgentEvent> {
  checkRunOptions(options);
  const { signal } = options;
  const state = toState(input);
  const decisions = toDecisions(options.decisions);
  checkResults(options.results);
  const events = abortedWhenLeft(
    (controller) =>
      splicing(() => wholeRun(setup, state, { ...options, decisions }, controller))[Symbol.asyncIterator](),
    () => (signal?.aborted === true ? signal.reason : closeReason),
  );
  return signal === undefined ? events : abortable<AgentEvent>(signal)(events);
}

export const endReason: DOMException = new DOMException("The run has ended.", "AbortError");
export const closeReason: DOMException = new DOMException(
  "The consumer of the run left the loop before the end.",
  "AbortError",
);
export const cutReason: DOMException = new DOMException("stopWhen() has cut the run.", "AbortError");

/** The options of a run, with its decisions checked. */
interface RunInput extends Omit<RunOptions, "decisions"> {
  readonly decisions: RunInfo["decisions"];
}

async function* wholeRun(
  { loadModel, ...others }: AgentSetup,
  before: AgentState,
  { context, decisions, outer, results }: RunInput,
  controller: AbortController,
): Spliced<AgentEvent> {
  try {
    const setup: RunSetup = { ...others, model: await loadModel() };
    const { name: agent, store, middleware, coercion } = setup;
    const { signal } = controller;
    const checked = await checkContext(setup, context);
    // The first run loads the loop, so a program that uses only the parsers of `millrace` does not read it.
    const { runSteps, withValues } = await import("./run-steps.js");
    const state = await withValues(setup, before, "invalid_options");
    const run: RunInfo = {
      ...{ agent, context: checked, store, signal, decisions, coercion },
      abort: (reason) => {
        controller.abort(reason);
      },
      ...(outer !== undefined && { outer }),
      ...(results !== undefined && { results }),
    };
    if (middleware.every((it) => it.aroundRun === undefined)) yield* runSteps(setup, run, state);
    else
      yield around(middleware, "aroundRun", (info: RunInfo) => splicing(() => runSteps(setup, info, state)))(
        run,
      );
  } finally {
    controller.abort(endReason);
  }
}

async function checkContext({ contextSchema }: RunSetup, context: unknown): Promise<unknown> {
  if (contextSchema === undefined) return context;
  const result = await contextSchema.validate(context);
  if (result.issues === undefined) return result.value;
  throw new AgentError(
    "invalid_options",
    `The context of the run does not satisfy contextSchema. ${formatIssues(result.issues)}`,
    {
      issues: result.issues,
    },
  );
}
