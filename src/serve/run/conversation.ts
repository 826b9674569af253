import type { ApprovalDecision, Decisions } from "../../agent/decisions.js";
import type { AgentEvent } from "../../agent/events.js";
import type { AgentInput } from "../../agent/state.js";
import type { JsonObject, JsonValue } from "../../json/value.js";
import { abortedWhenLeft } from "../../stream/core/forwarding-iterator.js";
import type { OnRunError } from "../shown-error.js";
import { boundNames, type RequestBounds } from "../http/bounded-handler.js";
import { RequestError } from "../http/request-error.js";
import type { TextResponseOptions } from "../http/text-response.js";
import type { OptionNames } from "../../text/check-options.js";
import { textOf } from "../../messages/blocks/read.js";
import type { Message } from "../../messages/message.js";
import { type InputMessage, isCorrection } from "./page-messages.js";
import { withoutOpenCalls } from "./without-open-calls.js";

/** The options of a run that a handler passes on. */
export interface HandledRunOptions<Context = unknown> {
  readonly signal?: AbortSignal | undefined;
  readonly context?: Context;
}

/** The part of an agent that a handler uses. The client owns the conversation. */
export interface StreamingAgent<Context = unknown> {
  stream(
    input: AgentInput,
    options?: HandledRunOptions<Context> & { readonly decisions?: Decisions },
  ): AsyncIterable<AgentEvent>;
}

/** The part of a thread that a handler uses. The server owns the conversation. */
export interface StreamingThread<Context = unknown> {
  readonly messages: readonly Message[];
  /** `idle`: the last answer is complete. */
  readonly status: string;
  /** The calls that wait for a decision or a result. */
  readonly pending: readonly { readonly id: string }[];
  /** The names of the calls that are structured responses. */
  readonly responseCalls: ReadonlySet<string>;
  stream(input: readonly InputMessage[], options?: HandledRunOptions<Context>): AsyncIterable<AgentEvent>;
  resume(options?: HandledRunOptions<Context>): AsyncIterable<AgentEvent>;
  approve(call: string, args?: JsonObject): Promise<void>;
  reject(call: string, message?: string): Promise<void>;
  answer(call: string, result: JsonValue): Promise<void>;
}

/** A request of a page. All of it is client input. */
export interface PageInput {
  /** The conversation, as the page has it. It may end with unanswered calls. */
  readonly messages: readonly InputMessage[];
  /** By the ids of the calls. */
  readonly decisions: Decisions;
  /** The results of the calls of the last answer, by their ids. */
  readonly results: Readonly<Record<string, JsonValue>>;
}

export function isThread<Context>(runner: Runner<Context>): runner is StreamingThread<Context> {
  return "resume" in runner;
}

/** An agent, or a function that returns an agent or a thread for a request. */
export type RunnerOf<Input, Context, Info> =
  | StreamingAgent<Context>
  | ((input: Input, request: Request, info: Info) => Runner<Context> | PromiseLike<Runner<Context>>);

/** An agent, whose conversation the client owns, or a thread. */
export type Runner<Context = unknown> = StreamingAgent<Context> | StreamingThread<Context>;

/** The options of handlers that answer pages. */
export interface HandlerOptions<Input, Context, Info> {
  /** Returns the `context` of the run for a request. */
  readonly context?: (input: Input, request: Request, info: Info) => Context | PromiseLike<Context>;
  /**
   * Whether the conversation of an agent may end with unanswered calls, as when calls wait for approval. They run with the
   * arguments that the client sent, so use it only if middleware decides about each call. A thread needs no permission:
   * its calls are those of the server. Default: false.
   */
  readonly openCalls?: boolean;
  /**
   * Receives all errors, of runs and of requests. For an error of a run it may return what the client sees. Default: words
   * for users by the kind of the error, such as `rate_limited`; otherwise `{ code: "run_failed", message: "The run failed." }`.
   */
  readonly onError?: OnRunError;
}

/** The names of the options that they all have. */
export const handlerNames: OptionNames<
  HandlerOptions<never, never, never> & RequestBounds & TextResponseOptions
> = { ...boundNames, context: true, openCalls: true, heartbeat: true, headers: true };

/**
 * The events of the answer to a page, and what answers. An agent gets the whole conversation of the page. Of a thread,
 * only what it does not know yet counts: new messages of the user, or decisions and results for calls that wait.
 *
 * @throws {RequestError} `invalid_input` for unanswered calls
 */
export async function answerPage<Input extends PageInput, Context, Info>(
  runner: RunnerOf<Input, Context, Info>,
  input: Input,
  { context, openCalls = false }: HandlerOptions<Input, Context, Info>,
  request: Request,
  info: Info,
): Promise<{ readonly chat: Runner<Context>; readonly events: AsyncIterable<AgentEvent> }> {
  const { messages, decisions } = input;
  const chat = typeof runner === "function" ? await runner(input, request, info) : runner;
  const { signal } = request;
  const given = context === undefined ? undefined : { context: await context(input, request, info) };
  const events = isThread(chat)
    ? abortedWhenLeft(
        ({ signal: left }) => turnOf(chat, input, { signal: AbortSignal.any([left, signal]), ...given }),
        () => leftReason,
      )
    : chat.stream(withoutOpenCalls(messages, openCalls), { signal, ...given, decisions });
  return { chat, events };
}

/** Begins a turn when it is read. */
async function* turnOf<Context>(
  chat: StreamingThread<Context>,
  { messages, decisions, results }: PageInput,
  options: HandledRunOptions<Context>,
): AsyncGenerator<AgentEvent, undefined, undefined> {
  const added = newMessages(chat, messages);
  if (added.length > 0) {
    yield* chat.stream(added, options);
    return;
  }
  const waiting = new Set(chat.pending.map(({ id }) => id));
  for (const [call, decision] of Object.entries(decisions))
    if (waiting.has(call)) await decide(chat, call, decision);
  for (const [call, result] of Object.entries(results))
    if (waiting.has(call)) await chat.answer(call, result);
  yield* chat.resume(options);
}

const leftReason: DOMException = new DOMException("The reader of the answer has left.", "AbortError");

/** The name of a message without an id: conversations grow at their end. */
export function idOfMessage({ id }: { readonly id?: string }, index: number): string {
  return id ?? `m${index}`;
}

/**
 * The messages of the user that the thread does not have.
 *
 * A page may send only its last message, but not while calls wait: it may never have shown them.
 *
 * @throws {RequestError} `conflict` if the thread has one that the page does not show, or in other words
 */
function newMessages(
  { messages: kept, pending }: StreamingThread,
  messages: readonly InputMessage[],
): readonly InputMessage[] {
  // A client of AG-UI has the corrections, too.
  const corrections = new Set(kept.filter(isCorrection).map(textOf));
  const known = new Map(
    kept.flatMap((message, index) =>
      message.role === "user" && !isCorrection(message)
        ? [[idOfMessage(message, index), textOf(message)] as const]
        : [],
    ),
  );
  const users = (messages as readonly Message[]).filter(
    (message) => message.role === "user" && !corrections.has(textOf(message)),
  );
  const at = users.findLastIndex(({ id }) => id !== undefined && known.has(id));
  const last = users[at];
  const [id, text] = [...known].at(-1) ?? [];
  const isCurrent =
    last === undefined ? pending.length === 0 || users.length === 0 : last.id === id && textOf(last) === text;
  if (isCurrent) return users.slice(at + 1);
  throw new RequestError(
    "conflict",
    "The conversation was changed in another tab. Look at it, and send again.",
  );
}

function decide(chat: StreamingThread, call: string, decision: ApprovalDecision): Promise<void> {
  if (decision.type === "reject") return chat.reject(call, decision.message);
  return chat.approve(call, decision.type === "edit" ? decision.args : undefined);
}
