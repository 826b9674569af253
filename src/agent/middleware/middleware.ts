import type { MessageChunk } from "../../messages/chunk.js";
import type { JsonValue } from "../../json/value.js";
import type { Message, SystemMessage } from "../../messages/message.js";
import type { Usage } from "../../messages/usage.js";
import type { CallOptions, ChatModel } from "../../models/contract/chat-model.js";
import type { AnyTool } from "../../tools/run/any-tool.js";
import type { ToolEvent } from "../../tools/run/events.js";
import type { ToolInvocation } from "../../tools/run/runtime.js";
import { quoted } from "../../text/cut.js";
import { kindName } from "../../text/kind-name.js";
import type { ApprovalDecision, Decisions } from "../decisions.js";
import { AgentError } from "../errors.js";
import type { AgentEvent } from "../events.js";
import type { AgentResponseFormat } from "../answer/response-format.js";
import type { Journal } from "../journal.js";
import type { AgentInput, AgentState } from "../state.js";

/**
 * Functions around the parts of a run. All hooks are optional. The first middleware of an agent is the outermost.
 *
 * The `around…` hooks work like operators: they call `next` and yield its items, changed or unchanged. They may also
 * call `next` again, or not at all. A hook that stops early must close the stream it reads, as `for await` does. This
 * stops the model and the tools.
 *
 * @example
 * ```ts
 * import { type AgentEvent, createAgent, tap } from "millrace";
 * import type { Middleware } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 *
 * const shortAnswers: Middleware = {
 *   aroundModel: (call, next) => next({ ...call, options: { ...call.options, maxTokens: 100 } }),
 *   aroundRun: (run, next) => tap<AgentEvent>(({ type }) => console.log(type))(next(run)),
 * };
 * const agent = createAgent({ model: scriptedModel(["Hello."]), middleware: [shortAnswers] });
 * await agent.invoke("Hi");
 * ```
 */
export interface Middleware<Context = unknown> {
  /** The name in logs. */
  readonly name?: string;
  /** Wraps the whole run. */
  readonly aroundRun?: (run: RunInfo<Context>, next: NextRun) => AsyncIterable<AgentEvent>;
  /** Wraps each model call. It may change the model, the messages, the tools or the response format, or call again. */
  readonly aroundModel?: (call: ModelCall<Context>, next: NextModelCall) => AsyncIterable<MessageChunk>;
  /** Wraps each run of a tool. The call is complete. */
  readonly aroundTool?: (run: ToolRun<Context>, next: NextToolRun) => AsyncIterable<ToolOutcome>;
  /** Called before each model call with the current state. */
  readonly beforeStep?: (state: AgentState, run: RunInfo<Context>) => StepChange | PromiseLike<StepChange>;
  /** Called after the tools of a step have run. */
  readonly afterStep?: (state: AgentState, run: RunInfo<Context>) => StepChange | PromiseLike<StepChange>;
}

/** Results of calls that the client has run, by the ids of the calls. */
export type ClientResults = Readonly<Record<string, JsonValue>>;

/** The options of one run. */
export interface RunOptions<Context = unknown> {
  /** Ends the run with the signal's reason: closes the connection to the model and stops all tools. */
  readonly signal?: AbortSignal | undefined;
  /** Data of the caller for tools and middleware: the user, connections, settings. */
  readonly context?: Context;
  /** Decisions about calls that wait, by the ids of the calls. `humanApproval()` reads them. */
  readonly decisions?: Decisions | undefined;
  /** The results of paused calls that the client has run (`clientTool()`), also of calls of nested agents. */
  readonly results?: ClientResults | undefined;
  /** Set by `agentTool()` for a run inside another one. */
  readonly outer?: OuterRun | undefined;
}

/** The run that this one is inside of. */
export interface OuterRun {
  /** The calls that lead to this run, from the outermost. */
  readonly calls: readonly { readonly id: string; readonly name: string }[];
  /** The ids of calls of outer runs. The calls of this run get others: a decision about one never applies to another. */
  readonly ids: readonly string[];
}

/**
 * Facts about a run. Each run has its own `signal`, so middleware can use that as the key of a `WeakMap`. A middleware
 * may pass on a copy with another `context`.
 */
export interface RunInfo<Context = unknown> {
  /** The name of the agent. */
  readonly agent: string | undefined;
  readonly context: Context;
  readonly store: unknown;
  /** Aborted when the run is aborted or has ended. */
  readonly signal: AbortSignal;
  /** The `decisions` of the run, by the ids of the calls. */
  readonly decisions: ReadonlyMap<string, ApprovalDecision>;
  /** Aborts the `signal`: closes the connection to the model and stops all tools. */
  readonly abort?: (reason: unknown) => void;
  /** The run that this one is inside of, through `agentTool()`. */
  readonly outer?: OuterRun;
  /** The results of calls that the client has run, by the ids of the calls. */
  readonly results?: ClientResults;
  /** How arguments of tools are read: the options of the agent. */
  readonly coercion?: { readonly coerce?: boolean; readonly locale?: string };
}

/** The rest of the run, inside an `aroundRun` hook. It takes any context, so middleware for any fits each agent. */
export type NextRun = (run: RunInfo) => AsyncIterable<AgentEvent>;

/** A model call. */
export interface ModelCall<Context = unknown> {
  readonly run: RunInfo<Context>;
  /** From 1. */
  readonly step: number;
  readonly model: ChatModel;
  readonly system: SystemMessage | undefined;
  /** The conversation without the system prompt. Changes apply to this call only. */
  readonly messages: readonly Message[];
  /** The tools that the model may call. Hooks may add tools that the agent does not have. */
  readonly tools: readonly AnyTool[];
  readonly responseFormat: AgentResponseFormat | undefined;
  /** Options of the model, such as `temperature`. */
  readonly options: AgentCallOptions;
  /** The journal of a durable run, for work that must not be repeated. Names need only be unique in this call. */
  readonly journal?: Journal;
}

/** The options of a model call, without those that the agent sets itself. */
export type AgentCallOptions = Omit<CallOptions, "signal" | "tools" | "responseFormat">;

/** The rest of the model call, inside an `aroundModel` hook. */
export type NextModelCall = (call: ModelCall) => AsyncIterable<MessageChunk>;

/** A run of a tool. */
export interface ToolRun<Context = unknown> {
  readonly run: RunInfo<Context>;
  readonly tool: AnyTool;
  readonly call: ToolInvocation;
  /** The state at the beginning of the step. */
  readonly state: AgentState;
  /** The journal of a durable run, for work that must not be repeated. Names need only be unique in this call. */
  readonly journal?: Journal;
  /** The key that the tool gets as `runtime.idempotencyKey`. */
  readonly idempotencyKey?: string;
  /** Makes steps of the run of an agent inside this call, in a durable run. */
  readonly nested?: (agent: NestedAgent) => NestedAgent;
}

/** The rest of the tool run, inside an `aroundTool` hook. */
export type NextToolRun = (run: ToolRun) => AsyncIterable<ToolOutcome>;

/** An event of a tool run. */
export type ToolOutcome = ToolEvent | ToolPause | ToolUsage;

/** The call waits. If nothing follows, the run pauses at the end of the step. */
export interface ToolPause {
  readonly type: "paused";
  /**
   * - `client`: for its result, which the program passes as `results` when it resumes the run
   * - `agent`: for a call of the agent that runs inside it
   *
   * Default: for a decision.
   */
  readonly waitsFor?: "client" | "agent";
  /** What the call needs to continue. It is part of the state to resume, as `saved`. */
  readonly saved?: JsonValue;
  /** Whether the call has its approval, if it needs one. It is part of the state to resume. */
  readonly approved?: boolean;
}

/** Tokens that the call has used. They are added to those of the run. */
export interface ToolUsage {
  readonly type: "usage";
  readonly usage: Usage;
  readonly model?: string | undefined;
}

/** The part of an agent that runs inside a call of another one. */
export interface NestedAgent {
  /** Those of `createAgent()`. */
  readonly options: unknown;
  stream(input: AgentInput, options?: RunOptions): AsyncIterable<AgentEvent>;
}

/** The changes that `beforeStep` or `afterStep` makes. `undefined` changes nothing. */
export type StepChange =
  | undefined
  | {
      /** The new messages. They replace all messages of the state. */
      readonly messages?: readonly Message[];
      /** Whether to end the run. */
      readonly end?: boolean;
      /** The tokens that the hook used. They are added to those of the run. */
      readonly usage?: Usage;
      /** The model that used them, for their cost. */
      readonly model?: string;
    };

type AroundHook = "aroundRun" | "aroundModel" | "aroundTool";

/**
 * Wraps a function in the hooks of one kind. The first hook is the outermost.
 *
 * @throws {AgentError} from the returned function: `invalid_middleware` if a hook returns no stream
 */
export function around<In, Item>(
  middleware: readonly Middleware[],
  hook: AroundHook,
  inner: (input: In) => AsyncIterable<Item>,
): (input: In) => AsyncIterable<Item> {
  return middleware.reduceRight<(input: In) => AsyncIterable<Item>>((next, it) => {
    const wrap = it[hook] as ((input: In, inside: typeof next) => unknown) | undefined;
    if (wrap === undefined) return next;
    return (input) => {
      const stream = wrap.call(it, input, next);
      if (isStream(stream)) return stream as AsyncIterable<Item>;
      throw new AgentError(
        "invalid_middleware",
        `${hookName(hook, it)} must return a stream, such as next(…), but returned ${kindName(stream)}.`,
      );
    };
  }, inner);
}

/** The hook of a middleware, for a message. */
export function hookName(hook: keyof Middleware, { name }: { readonly name?: string }): string {
  return `${hook}() of ${name === undefined ? "a middleware" : `the middleware ${quoted(name)}`}`;
}

function isStream(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === "function"
  );
}
