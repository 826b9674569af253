import type { Agent } from "../agent/agent.js";
import type { ApprovalDecision } from "../agent/decisions.js";
import type { AgentEvent } from "../agent/events.js";
import { checkRunOptions, closeReason } from "../agent/loop/run.js";
import { notes, withAnswers } from "../agent/open-answer.js";
import type { AgentInput } from "../agent/state.js";
import { toState } from "../agent/loop/to-state.js";
import type { ThreadProblem, ThreadStatus } from "../agent/views.js";
import type { JsonObject, JsonValue } from "../json/value.js";
import type { ToolCallBlock } from "../messages/blocks/blocks.js";
import type { Message } from "../messages/message.js";
import { openCalls, type PausedCalls, waitingCalls, waitingInside } from "../messages/open-calls.js";
import { type MessagesInput, toMessages } from "../messages/to-messages.js";
import type { Usage } from "../messages/usage.js";
import { report } from "../serve/report.js";
import { toShownFailure } from "../serve/shown-error.js";
import { abortedWhenLeft } from "../stream/core/forwarding-iterator.js";
import { attempt } from "../stream/time/attempts.js";
import { systemClock } from "../stream/time/clock.js";
import { checkOptions, type OptionNames } from "../text/check-options.js";
import { milliseconds } from "../text/check-number.js";
import { kindName } from "../text/kind-name.js";
import { hasMethod } from "../text/thrown.js";
import { hasCode, ThreadError } from "./errors.js";
import { responseCalls } from "./response-calls.js";
import { type CallDecisions, savedTurn } from "./saved-turn.js";
import type { StoredThread, ThreadKey } from "./stores/thread-store.js";
import { allMessages, type ThreadRecord, type ThreadTurn, defaultTitle } from "./thread-record.js";
import { besideSaves, type SavedThread, stopReason, type ThreadContents, TurnSaves } from "./turn-saves.js";
import type { RunTurn, Thread, ThreadOptions, TurnOptions } from "./thread.js";

const optionNames = {
  store: true,
  id: true,
  owner: true,
  title: true,
  lease: true,
  run: true,
  onError: true,
  now: true,
  clock: true,
} satisfies OptionNames<ThreadOptions>;

/**
 * Loads a conversation with an agent, or begins one.
 *
 * It is saved when the message of the user comes, before the model is asked; after each step; when calls wait for a
 * decision; and when the turn stops or fails, with what the model had written. So an error or a stop loses nothing.
 * Saving compares versions: of two tabs that write at once, one gets a `conflict`.
 *
 * @throws {TypeError} for an unknown option, and without an agent or a store
 * @throws {ThreadError} `unavailable`, `corrupt`, `invalid_id`
 *
 * @example
 * ```ts
 * import { createAgent, textOf } from "millrace";
 * import { memoryThreads, thread } from "millrace/thread";
 * import { scriptedModel } from "millrace/testing";
 *
 * const agent = createAgent({
 *   model: scriptedModel(({ messages }) => [`You wrote ${messages.filter(({ role }) => role === "user").length} messages.`]),
 * });
 * const store = memoryThreads();
 * const chat = await thread(agent, { store, id: "1" });
 * for await (const _ of chat.stream("Hello."));
 *
 * // Another request loads it again.
 * const later = await thread(agent, { store, id: "1" });
 * for await (const _ of later.stream("Hello again."));
 * console.log(later.messages.map(textOf).at(-1)); // You wrote 2 messages.
 * ```
 */
export async function thread<Structured, Partial, Context>(
  agent: Agent<Structured, Partial, Context>,
  options: ThreadOptions,
): Promise<Thread<Structured, Context>> {
  checkOptions("thread()", options, optionNames);
  milliseconds("lease of thread()", options.lease ?? 15_000);
  if (!hasMethod(agent, "stream"))
    throw new TypeError("thread() expects an agent that createAgent() has made.");
  if (!hasMethod(options.store, "load"))
    throw new TypeError("thread() needs a store, such as memoryThreads().");
  const key: ThreadKey = { owner: options.owner ?? "", id: options.id };
  const own = new OpenThread(agent, options, key);
  await own.refresh();
  return own as Thread<Structured, Context>;
}

class OpenThread implements Thread, SavedThread {
  private readonly agent: Agent;
  private readonly options: ThreadOptions;
  private readonly key: ThreadKey;
  private stored: StoredThread | undefined;
  private turn: OpenTurn | undefined;

  constructor(agent: Agent, options: ThreadOptions, key: ThreadKey) {
    this.agent = agent;
    this.options = options;
    this.key = key;
  }

  get id(): string {
    return this.key.id;
  }

  get owner(): string {
    return this.key.owner;
  }

  get record(): ThreadRecord | undefined {
    const record = this.stored?.record;
    const hasDied = record?.status === "running" && !this.isOwned;
    return hasDied && this.options.run === undefined ? interrupted(record) : record;
  }

  get status(): ThreadStatus {
    return this.record?.status ?? "idle";
  }

  get messages(): readonly Message[] {
    return this.record === undefined ? [] : allMessages(this.record);
  }

  get pending(): readonly ToolCallBlock[] {
    if (this.record?.status !== "paused") return [];
    const known = { ...this.record.decisions, ...this.record.results };
    return waitingCalls(this.record.state).flatMap(({ call }) => (Object.hasOwn(known, call.id) ? [] : call));
  }

  get problem(): ThreadProblem | undefined {
    return this.record?.problem;
  }

  get usage(): Usage | undefined {
    return this.record?.state.usage;
  }

  get responseCalls(): ReadonlySet<string> {
    return responseCalls(this.agent);
  }

  stream(input: MessagesInput, options: TurnOptions = {}): AsyncIterable<AgentEvent> {
    const added = toMessages(input);
    return this.events(options, (before) => {
      const resume = before && {
        ...before.state,
        messages: withAnswers(allMessages(before), () => notDecided),
      };
      const state = toState(resume === undefined ? added : { resume, messages: added });
      return { state, turn: { id: crypto.randomUUID(), from: state.messages.length } };
    });
  }

  resume(options: TurnOptions = {}): AsyncIterable<AgentEvent> {
    return this.events(options, (before) => {
      if (before?.turn === undefined) {
        throw new ThreadError("no_turn", "There is no answer to continue. Send a message.");
      }
      const { state, turn, partial = [], decisions, results } = before;
      const common = { answers: { decisions, results } };
      if (!partial.some(({ role }) => role === "tool")) return { state, turn, ...common };
      // A run of one's own knows which calls have a result, as it has recorded them.
      if (this.options.run !== undefined) return { state, turn: { ...turn, begun: true }, ...common };
      return { state: { ...state, messages: [...state.messages, ...partial] }, turn, ...common };
    });
  }

  approve(call: string, args?: JsonObject): Promise<void> {
    return this.decide(call, args === undefined ? { type: "approve" } : { type: "edit", args });
  }

  reject(call: string, message?: string): Promise<void> {
    return this.decide(call, { type: "reject", ...(message !== undefined && { message }) });
  }

  async answer(call: string, result: JsonValue): Promise<void> {
    const { record, calls } = this.waiting(call, true);
    const [id = call, ...others] = calls;
    if (others.length > 0)
      throw new ThreadError("no_turn", "Several calls wait inside the call. Answer each by its own id.");
    await this.write({ ...record, results: { ...record.results, [id]: result } });
  }

  async stop(): Promise<void> {
    if (this.turn !== undefined) {
      this.turn.controller.abort(stopReason);
      await this.turn.close();
      return;
    }
    await attempt(async () => {
      await this.refresh();
      const stopped = this.record && stoppedRecord(this.record, this.isOwned);
      if (stopped !== undefined) await this.write(stopped);
    }, besideSaves);
  }

  async fork(at = this.messages.length, { id = crypto.randomUUID() }: { id?: string } = {}): Promise<Thread> {
    const messages = this.messages.slice(0, at);
    if (!Number.isInteger(at) || at < 0 || at > this.messages.length || openCalls(messages).length > 0) {
      throw new ThreadError(
        "invalid_fork",
        `A fork begins with 0 to ${this.messages.length} messages of the conversation, and not between a tool call and its result.`,
      );
    }
    const fork = new OpenThread(this.agent, { ...this.options, id }, { ...this.key, id });
    if (messages.length > 0)
      await fork.save({ status: "idle", state: { ...toState(messages), status: "finished" } });
    return fork;
  }

  async refresh(): Promise<void> {
    const { store, now = Date.now } = this.options;
    this.stored = await store.load(this.key);
    const again = this.record && renewedLease(this.record, now());
    if (again === undefined) return;
    await this.write(again).catch(async (error: unknown) => {
      if (!hasCode(error, "conflict")) throw error;
      this.stored = await store.load(this.key);
    });
  }

  private async decide(call: string, decision: ApprovalDecision): Promise<void> {
    const { record, calls } = this.waiting(call, false);
    const decided = Object.fromEntries(calls.map((id) => [id, decision]));
    await this.write({ ...record, decisions: { ...record.decisions, ...decided } });
  }

  /** The record, and the calls that wait for a result of the page, or for a decision: the call, or those inside it. */
  private waiting(
    call: string,
    isForClient: boolean,
  ): { readonly record: ThreadRecord; readonly calls: readonly string[] } {
    const { record } = this;
    const state: PausedCalls = record?.status === "paused" ? record.state : { messages: [] };
    const open = openCalls(state.messages).find(({ id }) => id === call);
    const waiting =
      open === undefined
        ? waitingCalls(state).filter((it) => it.call.id === call)
        : waitingInside(open, state);
    const calls = waiting.filter((it) => it.isForClient === isForClient).map((it) => it.call.id);
    if (record !== undefined && calls.length > 0) return { record, calls };
    const [expected, other] = isForClient ? ["result", "decision"] : ["decision", "result of the page"];
    const why = waiting.length > 0 ? `It waits for a ${other}.` : "Perhaps it was answered in another tab.";
    throw new ThreadError("no_turn", `The call does not wait for a ${expected}. ${why}`);
  }

  save(contents: ThreadContents): Promise<void> {
    const { title = defaultTitle, now = Date.now } = this.options;
    const updatedAt = now();
    const { createdAt = updatedAt, title: before = "" } = this.record ?? {};
    const named = before === "" ? title(contents.state.messages) : before;
    if (typeof named !== "string")
      throw new TypeError(`The title() of a thread returns a text, and not ${kindName(named)}.`);
    return this.write({ ...contents, title: named, createdAt, updatedAt });
  }

  private async write(record: ThreadRecord): Promise<void> {
    const version = await this.options.store.save(this.key, record, this.stored?.version);
    this.stored = { version, record };
  }

  get isOwned(): boolean {
    const { now = Date.now } = this.options;
    return (this.stored?.record.turn?.until ?? 0) > now();
  }

  /** The events of a turn. Closing them aborts it first, so it also ends while the model is silent. */
  private events(options: TurnOptions, begin: BeginTurn): AsyncIterable<AgentEvent> {
    checkRunOptions(options);
    let isRead = false;
    const read = (controller: AbortController): AsyncIterator<AgentEvent> => {
      if (isRead)
        throw new TypeError("The events of a turn can be read once. Read them once, and keep them.");
      isRead = true;
      const turn: OpenTurn = { controller, close: () => run.return(undefined) };
      const run = this.runTurn(turn, options, begin);
      return run;
    };
    return abortedWhenLeft(read, () => closeReason);
  }

  private async *runTurn(
    turn: OpenTurn,
    options: TurnOptions,
    begin: BeginTurn,
  ): AsyncGenerator<AgentEvent, undefined, undefined> {
    const { lease = 15_000, clock = systemClock, now = Date.now, run = runAgent, onError } = this.options;
    if (this.turn !== undefined || (this.status === "running" && this.isOwned)) {
      throw new ThreadError("busy", "An answer is being written. Wait for its end, or stop it.");
    }
    const { controller } = turn;
    const outer = options.signal === undefined ? [] : [options.signal];
    const signal = AbortSignal.any([controller.signal, ...outer]);
    const { state, turn: about, answers } = begin(this.record);
    const saves = new TurnSaves(this, { lease, clock, now, controller });
    const saved = savedTurn(saves, state, { ...about, attempt: (about.attempt ?? 0) + 1 });
    let failure: { readonly error: unknown } | undefined;
    this.turn = turn;
    try {
      await saved.begin(answers);
      const input = about.begun === true && run !== runAgent ? undefined : { resume: state };
      for await (const event of run(this.agent, input, { ...options, ...answers, signal, turn: about.id })) {
        await saved.add(event);
        yield event;
      }
    } catch (error) {
      failure = { error };
      throw saves.lost ?? error;
    } finally {
      const problem =
        failure === undefined || signal.aborted ? undefined : toShownFailure(failure.error, onError);
      // The turn has ended with another error, or its reader has left.
      await saved.end(problem).catch((error: unknown) => report(onError, error));
      this.turn = undefined;
    }
  }
}

type BeginTurn = (
  before: ThreadRecord | undefined,
) => Pick<ThreadRecord, "state"> & { readonly turn: ThreadTurn; readonly answers?: CallDecisions };

/** A turn that runs in this object. */
interface OpenTurn {
  readonly controller: AbortController;
  /** Ends it also while nobody asks for its next event. */
  readonly close: () => Promise<unknown>;
}

const runAgent: RunTurn = (agent, input, { turn: _turn, ...options }) =>
  agent.stream(input as AgentInput, options);

const notDecided =
  "Nobody has decided about the call, so it was not run. The user has written a message instead.";

/**
 * The record with a whole lease, if the clock has gone back, so that a dead turn does not own the thread until the old
 * time. The clocks of two machines may differ by a lease.
 */
function renewedLease(record: ThreadRecord, now: number): ThreadRecord | undefined {
  const { turn, updatedAt } = record;
  if (turn?.until === undefined) return undefined;
  const lease = turn.until - updatedAt;
  if (turn.until - now <= Math.max(2 * lease, 0)) return undefined;
  return { ...record, updatedAt: now, turn: { ...turn, until: now + lease } };
}

/** The record of a turn that ends, or that another process ends when it reads the record. */
function stoppedRecord(record: ThreadRecord, isOwned: boolean): ThreadRecord | undefined {
  const { status, turn } = record;
  if (status === "paused") return { ...record, status: "stopped" };
  if (status !== "running" || turn === undefined) return undefined;
  return isOwned
    ? { ...record, turn: { ...turn, stop: true } }
    : { ...record, status: "stopped", turn: withoutLease(turn) };
}

/**
 * The record of a turn whose process has died. Its approved calls may have begun. They were approved for one run, so they
 * have an error now. A durable run needs none: it knows the calls that have a result.
 */
function interrupted(record: ThreadRecord): ThreadRecord {
  const { state, decisions } = record;
  if (decisions === undefined) return record;
  const started = Object.entries(decisions).flatMap(([id, { type }]) => (type === "reject" ? [] : id));
  const answerOf = (id: string): string | undefined => (started.includes(id) ? notes.started : undefined);
  // Calls inside an agent of a tool are answered by it.
  const inside = started.map((id) => [id, { type: "reject", message: notes.started }] as const);
  return {
    ...record,
    partial: withAnswers(state.messages, answerOf).slice(state.messages.length),
    decisions: { ...decisions, ...Object.fromEntries(inside) },
  };
}

function withoutLease({ until: _until, stop: _stop, ...turn }: ThreadTurn): ThreadTurn {
  return turn;
}
