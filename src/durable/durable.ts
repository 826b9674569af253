import { type Agent, type AgentResult, collectResult } from "../agent/agent.js";
import type { AgentResponseFormat } from "../agent/answer/response-format.js";
import type { AgentEvent, FinishEvent } from "../agent/events.js";
import type { Journal } from "../agent/journal.js";
import { checkRunOptions, closeReason } from "../agent/loop/run.js";
import type { RunOptions } from "../agent/middleware/middleware.js";
import type { AgentInput } from "../agent/state.js";
import type { JsonObject } from "../json/value.js";
import { errorEnd, ServeError, stopped } from "../serve/errors.js";
import type { NextLogWriter, StreamLog } from "../serve/log/stream-log.js";
import { type OnRunError, toShownFailure } from "../serve/shown-error.js";
import { abortedWhenLeft } from "../stream/core/forwarding-iterator.js";
import { checkOptions, type OptionNames } from "../text/check-options.js";
import { excerpt } from "../text/excerpt.js";
import { fieldOf, isInstance } from "../text/thrown.js";
import { DurableError } from "./errors.js";
import { toRecordedError } from "./recorded-error.js";
import { honestJournal, recordedAgent } from "./recording.js";
import { beginRun } from "./begin-run.js";
import { type ShownValue, shownValue } from "./shown-value.js";
import { endStep, NumberingJournal } from "./step-names.js";
import { answerView, runView } from "./views.js";

/** The options of `durable()`. */
export interface DurableOptions {
  /** Records the steps of this run. Each run needs its own, and each attempt a new object. */
  readonly journal: Journal;
  /** The id of the run: its name in the log, and the beginning of the idempotency keys. */
  readonly id: string;
  /** Shows the run to readers. `toEventStream(undefined, { log, id })` serves it. Default: nobody watches. */
  readonly log?: StreamLog;
  /**
   * The value that readers see:
   *
   * - `answer`: the structured response, or the text of the latest step of an agent without a response format
   * - `run`: a `RunView` with all steps, their tool calls and the response
   *
   * Default: `answer`.
   */
  readonly view?: "answer" | "run";
  /**
   * The version of the agent. Set it to allow changes between attempts, and change it with each change after which the
   * recorded steps no longer fit. Default: every change of the prompt, the tools or the response format is refused.
   */
  readonly version?: string;
  /** Receives the error that ended the run and may return what readers see. Default: words for users by its kind. */
  readonly onError?: OnRunError;
}

const optionNames = {
  journal: true,
  id: true,
  log: true,
  view: true,
  version: true,
  onError: true,
} satisfies OptionNames<DurableOptions>;

/** One attempt at a run that survives. */
export interface DurableRun<Structured = unknown, Context = unknown> {
  /**
   * Yields the events of the run from its beginning. Recorded steps come from the journal, each with one event for what
   * the model wrote.
   *
   * @param input what the run begins with. An attempt that continues a run needs none, and refuses another one
   */
  stream(input?: AgentInput, options?: RunOptions<Context>): AsyncIterable<AgentEvent<Structured>>;
  /** Runs to the end and returns the result, also of a run that has ended before. */
  invoke(input?: AgentInput, options?: RunOptions<Context>): Promise<AgentResult<Structured>>;
}

/**
 * Runs an agent so that the run survives a crash: each model call and each tool call is a step of a journal. When the
 * process has died, run it again with the same id and a new journal object: it continues after the last recorded step.
 *
 * - **A recorded step never runs again.** A model call or tool that was under way is repeated; a tool gets the same
 *   `runtime.idempotencyKey` then.
 * - **Tools start when the message of the model is recorded**, because another attempt of the model call may
 *   call other tools. A tool with `repeatable: true` starts while the model writes.
 * - **Readers see one run.** The log has the structured response, the text of an agent without one, or all steps
 *   (`view: "run"`). What a repeated step had shown is replaced by the value of the recorded steps. A writer that was
 *   replaced can write nothing more.
 * - **A decision of `humanApproval()` and the waits of `modelRetry()` and `toolRetry()` are recorded.** A run that
 *   pauses has not ended: run it again when there is a decision. On an engine that keeps messages, such as DBOS, it
 *   waits.
 * - **`log.stop(id)`, or cancelling it in the engine, stops the run** for good. Aborting `signal` or leaving the loop
 *   only ends this attempt.
 *
 * @throws {TypeError} for an unknown option or view, without an id or a journal, or for an agent that `createAgent()`
 *   did not make
 *
 * @example
 * ```ts
 * import { createAgent } from "millrace";
 * import { durable, memoryJournal } from "millrace/durable";
 * import { memoryLog, toEventStream } from "millrace/serve";
 * import { scriptedModel } from "millrace/testing";
 *
 * const agent = createAgent({ model: scriptedModel(["Hel", "lo."]) });
 * const records = new Map<string, string>(); // fileJournal(folder) survives the process
 * const log = memoryLog();
 * await durable(agent, { journal: memoryJournal(records), log, id: "run-1" }).invoke("Hi");
 * console.log([...records.keys()].join(", "));
 * console.log((await toEventStream(undefined, { log, id: "run-1", format: "json-patch" }).text()).trim());
 *
 * // Another process asks no model again.
 * const again = durable(agent, { journal: memoryJournal(records), id: "run-1" });
 * console.log((await again.invoke()).messages.length);
 * ```
 *
 * ```text prints
 * begin, model 1, end
 * [{"op":"replace","path":"","value":"Hello."}]
 * 2
 * ```
 */
export function durable<Structured, Partial, Context>(
  agent: Agent<Structured, Partial, Context>,
  options: DurableOptions,
): DurableRun<Structured, Context> {
  checkOptions("durable()", options, optionNames);
  if (fieldOf(agent, "options") === undefined) {
    throw new TypeError("durable() expects an agent that createAgent() has made.");
  }
  // Without an id, calls in all runs would have the same idempotency keys. `DBOS.workflowID!` may be undefined.
  if (typeof options.id !== "string" || options.id === "" || (options.journal as unknown) === undefined) {
    throw new TypeError("durable() needs a journal, and an id for the run.");
  }
  if (!["answer", "run", undefined].includes(options.view)) {
    throw new TypeError(`The view of durable() is "answer" or "run", not ${excerpt(options.view, 60)}.`);
  }
  type Event = AgentEvent<Structured>;
  // The options of the agent guarantee these types.
  const stream = (input?: AgentInput, runOptions?: RunOptions<Context>): AsyncIterable<Event> =>
    openAttempt(agent, options, input, runOptions) as AsyncIterable<Event>;
  const format: AgentResponseFormat | undefined = agent.options.responseFormat;
  return {
    stream,
    invoke: async (input, runOptions) => collectResult(format, stream(input, runOptions)),
  };
}

/** The iteration of an attempt. Closing it aborts the run first, so it also ends while the model is silent. */
function openAttempt(
  agent: Agent,
  options: DurableOptions,
  input: AgentInput | undefined,
  runOptions: RunOptions = {},
): AsyncIterable<AgentEvent> {
  checkRunOptions(runOptions);
  const { signal } = runOptions;
  const begin = (controller: AbortController): AsyncGenerator<AgentEvent> => {
    const signals = signal === undefined ? [controller.signal] : [controller.signal, signal];
    return attempt(agent, options, input, { ...runOptions, signal: AbortSignal.any(signals) });
  };
  return abortedWhenLeft(begin, () => closeReason);
}

async function* attempt(
  agent: Agent,
  options: DurableOptions,
  input: AgentInput | undefined,
  runOptions: RunOptions & { readonly signal: AbortSignal },
): AsyncGenerator<AgentEvent, undefined, undefined> {
  const { id, view, version, onError } = options;
  const journalErrors = new Set<unknown>();
  const journal = new NumberingJournal(honestJournal(options.journal, (error) => journalErrors.add(error)));
  const state = await beginRun(journal, agent.options, input, version);
  const { writer, last } = await takeOver(options, journal);
  const shown = writer && shownIn(writer, view, agent);
  const begins = {
    check: () => {
      if (last !== undefined) throw hasEnded;
    },
    model: async () => shown?.catchUp(),
    tool: (call: string) => shown?.toolBegins(call),
  };
  const recorded: Agent = recordedAgent(agent.options, { journal, id, version, begins });
  const signal =
    writer === undefined ? runOptions.signal : AbortSignal.any([runOptions.signal, writer.signal]);
  try {
    const events = recorded.stream({ resume: state }, { ...runOptions, signal });
    for await (const event of orEnd(events, last)) {
      await shown?.add(event);
      if (event.type === "finish") await finish(event, journal, shown);
      yield event;
    }
  } catch (error) {
    if (writer?.signal.aborted === true && !isInstance(writer.signal.reason, ServeError)) {
      throw await stop(journal);
    }
    if (runOptions.signal.reason === closeReason) return;
    // The engine has cancelled the run, and keeps that itself.
    if (isInstance(error, DurableError) && error.code === "stopped") await shown?.end(stopped);
    // A failure of the run is an outcome. One of the journal, of the log or of this process only ends the attempt.
    const isOutcome =
      !signal.aborted &&
      !journalErrors.has(error) &&
      !isInstance(error, DurableError) &&
      !isInstance(error, ServeError);
    if (isOutcome) await fail(error, journal, shown, onError);
    throw error;
  } finally {
    writer?.leave?.();
  }
}

/** The events of a run, or the last one of the run that has ended. */
async function* orEnd(
  events: AsyncIterable<AgentEvent>,
  last: unknown,
): AsyncGenerator<AgentEvent, undefined, undefined> {
  try {
    yield* events;
  } catch (error) {
    if (error !== hasEnded) throw error;
    yield last as FinishEvent;
  }
}

const hasEnded: DurableError = new DurableError("stopped", "stopWhen() has ended the run.");

/**
 * Takes over the log of the run. `last` is the event with which `stopWhen()` has ended it.
 *
 * @throws {DurableError} `stopped` if the run was stopped
 */
async function takeOver(
  { journal: store, log, id }: DurableOptions,
  journal: Journal,
): Promise<{ readonly writer: NextLogWriter | undefined; readonly last: unknown }> {
  const end = await store.recorded?.(endStep);
  const writer = await log?.takeOver(id);
  if ([end, writer?.ended].some((it) => fieldOf(it, "reason") === "stopped")) {
    await writer?.end(stopped);
    throw await stop(journal);
  }
  return { writer, last: fieldOf(end, "finish") };
}

/** What readers of the log see of the run; `undefined` if the log has its end. */
function shownIn(writer: NextLogWriter, view: DurableOptions["view"], agent: Agent): ShownValue | undefined {
  if (writer.ended !== undefined) return undefined;
  const isText = agent.options.responseFormat === undefined;
  return shownValue(writer, view === "run" ? runView() : answerView(isText));
}

async function fail(
  error: unknown,
  journal: Journal,
  shown: ShownValue | undefined,
  onError: OnRunError | undefined,
): Promise<void> {
  await shown?.end(errorEnd(toShownFailure(error, onError)));
  await recordEnd(journal, { reason: "failed", error: toRecordedError(error) });
}

/** A run that waits for a decision has not ended. */
async function finish(event: FinishEvent, journal: Journal, shown: ShownValue | undefined): Promise<void> {
  const { reason } = event;
  if (reason === "paused") {
    await shown?.catchUp();
    return;
  }
  await shown?.end({ type: "done", reason: "complete" });
  const end = { reason };
  // It waited for no tool, so another attempt may not come to this end.
  if (reason === "stop_when")
    await recordEnd(journal, { ...end, finish: event as unknown as JsonObject }, end);
  else await recordEnd(journal, end);
}

/**
 * Records that the run was stopped, so that it is not continued. An engine that finds steps by position may have
 * recorded another one here, and keeps how the run ended itself.
 */
async function stop(journal: Journal): Promise<DurableError> {
  if (journal.ordered !== true) await recordEnd(journal, { reason: "stopped" });
  return new DurableError("stopped", "The run was stopped.");
}

/** @param instead is recorded if the journal refuses the end because it is too large */
async function recordEnd(journal: Journal, end: JsonObject, instead?: JsonObject): Promise<void> {
  await journal.step(endStep, () => Promise.resolve(end), instead && (() => instead));
}
