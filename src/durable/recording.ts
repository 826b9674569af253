import { type Agent, createAgent } from "../agent/agent.js";
import type { AgentOptions } from "../agent/agent-options.js";
import type { Journal } from "../agent/journal.js";
import type {
  Middleware,
  ModelCall,
  NestedAgent,
  NextModelCall,
  NextToolRun,
  ToolOutcome,
  ToolRun,
} from "../agent/middleware/middleware.js";
import { checkChunk } from "../messages/check-chunk.js";
import type { MessageChunk } from "../messages/chunk.js";
import { JoinedChunks } from "../messages/merge/joined-chunks.js";
import type { JsonObject, JsonValue } from "../json/value.js";
import type { Failure } from "../stream/core/inlet.js";
import { beginRun } from "./begin-run.js";
import { fromRecordedError, toRecordedError } from "./recorded-error.js";
import { recordedStream } from "./recorded-stream.js";
import { modelStepName, NumberingJournal, toolStepName } from "./step-names.js";
import { type TurnPlace, StepTurn } from "./step-turn.js";

/** A run whose calls are steps. */
export interface RecordedRun {
  readonly journal: NumberingJournal;
  /** Its id, which is the beginning of the idempotency keys. */
  readonly id: string;
  /** The version of the agent, as in `DurableOptions`. */
  readonly version: string | undefined;
  /** Called before each call that is not read from the journal. */
  readonly begins: CallBegins;
}

/** The agent for one run, with each call of a model or tool recorded as a step. */
export function recordedAgent(options: AgentOptions, run: RecordedRun): Agent {
  const { outer, inner } = recording(run);
  const { middleware = [] } = options;
  return createAgent({ ...options, middleware: [outer, ...middleware, inner] });
}

/**
 * The middleware that makes steps of the model calls and tool calls of one run. `outer` goes around all middleware of
 * the agent, and `inner` inside: so each attempt of a middleware that tries again is a step of its own, and a decision
 * is made once.
 */
function recording(recorded: RecordedRun): { readonly outer: Middleware; readonly inner: Middleware } {
  const { journal, id, begins } = recorded;
  /** The latest model step. Before it, a resumed run has the open calls of the step before. */
  let turn: StepTurn | undefined;
  const calls = new WeakMap<object, RecordedCall>();
  return {
    outer: {
      name: "durable",
      aroundModel(call, next) {
        const current = new StepTurn(call.step, journal.ordered);
        turn = current;
        const name = modelStepName(call.step);
        return endingTurn(current, { ...call, journal: journal.within(name) }, next);
      },
      async *aroundTool(run, next) {
        turn ??= resumedTurn(run.state.step, journal.ordered);
        const { tool, call } = run;
        const name = toolStepName(turn.step, call);
        const open: RecordedCall = { turn, place: turn.takePlace(), name };
        try {
          if (tool.repeatable !== true) await turn.recorded;
          const scoped = journal.within(name, (start) => open.place.create(start));
          calls.set(scoped, open);
          yield* next({ ...run, journal: scoped, idempotencyKey: `${id} ${name}` });
        } finally {
          open.place.leave();
        }
      },
    },
    inner: {
      name: "durable",
      aroundModel: (call, next) =>
        recordModel(call, next, journal, async () => {
          begins.check();
          if (turn !== undefined) turn.live = true;
          await begins.model();
        }),
      aroundTool(run, next) {
        const open = run.journal && calls.get(run.journal);
        // A middleware that makes a call of its own has not come through `outer`.
        if (open === undefined) return next(run);
        return run.tool.outcomes === undefined
          ? recordTool(run, open, () => next(run), journal, begins)
          : withOwnSteps(run, open, next, recorded);
      },
    },
  };
}

/** Called before calls that really run. */
export interface CallBegins {
  /** Throws if `stopWhen()` has ended the run: what it did not wait for must not run again. */
  check(): void;
  model(): Promise<void>;
  tool(id: string): void;
}

/** A call on its way from `outer` to `inner`. */
interface RecordedCall {
  readonly turn: StepTurn;
  readonly place: TurnPlace;
  readonly name: string;
}

function resumedTurn(step: number, ordered: boolean): StepTurn {
  const turn = new StepTurn(step, ordered);
  turn.end();
  return turn;
}

/** The output of a model call. When it has ended, it is recorded, and the tools may begin. */
async function* endingTurn(
  turn: StepTurn,
  call: ModelCall,
  next: NextModelCall,
): AsyncGenerator<MessageChunk, undefined, undefined> {
  let failed = false;
  try {
    yield* next(call);
  } catch (error) {
    failed = true;
    throw error;
  } finally {
    if (!failed && !call.run.signal.aborted) turn.end();
  }
}

function recordModel(
  call: ModelCall,
  next: NextModelCall,
  journal: NumberingJournal,
  begin: () => Promise<void>,
): AsyncIterable<MessageChunk> {
  const chunks = new JoinedChunks();
  const name = modelStepName(call.step);
  return recordedStream<MessageChunk>({
    name,
    open: () => next(call),
    step: (...work) => journal.step(name, ...work),
    early: false,
    begin,
    note: (chunk) => {
      chunks.add(chunk);
    },
    noted: () => chunks.all as readonly unknown[] as readonly JsonValue[],
    read: (json: unknown) => {
      checkChunk(json);
      return json;
    },
    waits: () => false,
    keepWhenLeft: true, // the response can no longer become valid
    signal: call.run.signal,
  });
}

function recordTool(
  { tool, run, call }: ToolRun,
  { turn, place, name }: RecordedCall,
  open: () => AsyncIterable<ToolOutcome>,
  journal: NumberingJournal,
  begins: CallBegins,
): AsyncIterable<ToolOutcome> {
  const noted: JsonValue[] = [];
  return recordedStream<ToolOutcome>({
    name,
    open: () => {
      begins.tool(call.id);
      return open();
    },
    step: (...work) => place.create(() => journal.step(name, ...work)),
    begin: async () => {
      begins.check();
    },
    // While the model is read from the journal, the result of its tool may be there too.
    early: tool.repeatable === true && turn.live,
    note: (outcome) => {
      if (outcome.type === "result" || outcome.type === "error") noted.push(toRecorded(outcome));
    },
    noted: () => noted,
    read: (json) => fromRecorded(json as JsonObject),
    waits: ({ type }) => type === "result" || type === "error",
    keepWhenLeft: false,
    signal: run.signal,
  });
}

/**
 * Runs a tool that is not one step: each call of an agent inside it is a step. An error of the journal ends the attempt,
 * and is not an error of the tool.
 */
async function* withOwnSteps(
  run: ToolRun,
  { name }: RecordedCall,
  next: NextToolRun,
  { journal: { ordered }, id, version, begins }: RecordedRun,
): AsyncGenerator<ToolOutcome, undefined, undefined> {
  const { call, journal: own } = run;
  if (own === undefined) throw new TypeError("A recorded call has a journal.");
  let failure: Failure | undefined;
  const note = (error: unknown): void => {
    failure ??= { error };
  };
  const honest = { ...honestJournal(own, note), ordered };
  const journal = new NumberingJournal(honest);
  const isLive = (): void => {
    begins.tool(call.id);
  };
  const recorded: RecordedRun = {
    ...{ journal, id: `${id} ${name}`, version },
    begins: {
      ...begins,
      model: async () => {
        isLive();
      },
      tool: isLive,
    },
  };
  const nested = ({ options }: NestedAgent): NestedAgent => ({
    options,
    async *stream(input, runOptions) {
      const agent = options as AgentOptions;
      const state = await beginRun(journal, agent, input, version).catch((error: unknown) => {
        note(error);
        throw error;
      });
      yield* recordedAgent(agent, recorded).stream({ resume: state }, runOptions);
    },
  });
  for await (const outcome of next({ ...run, journal: honest, nested })) {
    if (failure !== undefined) throw failure.error;
    yield outcome;
  }
}

/** The same journal, which tells its own errors from those of the work. */
export function honestJournal(journal: Journal, onError: (error: unknown) => void): Journal {
  const fail = (error: unknown): never => {
    onError(error);
    throw error;
  };
  return {
    async step(name, work, instead) {
      let thrown: Failure | undefined;
      const run = (attempt: number): ReturnType<typeof work> =>
        work(attempt).catch((error: unknown) => {
          thrown = { error };
          throw error;
        });
      try {
        return await journal.step(name, run, instead);
      } catch (error) {
        return thrown === undefined ? fail(error) : Promise.reject(thrown.error);
      }
    },
    ...(journal.receive !== undefined && {
      receive: (message: string) => (journal as Required<Journal>).receive(message).catch(fail),
    }),
    ordered: journal.ordered === true,
  };
}

function toRecorded(outcome: ToolOutcome & { readonly type: "result" | "error" }): JsonValue {
  const json: unknown =
    outcome.type === "error" ? { ...outcome, error: toRecordedError(outcome.error) } : outcome;
  return json as JsonValue;
}

function fromRecorded(json: JsonObject): ToolOutcome {
  const outcome = json as unknown as ToolOutcome & { readonly type: "result" | "error" };
  if (outcome.type === "error") return { ...outcome, error: fromRecordedError(json["error"] ?? null) };
  return { ...outcome, value: outcome.value };
}
