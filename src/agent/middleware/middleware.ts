import type { MessageChunk } from "../../messages/chunk.js";
import type { Message, SystemMessage } from "../../messages/message.js";
import type { CallOptions, ChatModel } from "../../models/contract/chat-model.js";
import type { AnyTool } from "../../tools/define/any-tool.js";
import type { ToolEvent } from "../../tools/run/events.js";
import type { ToolInvocation } from "../../tools/run/invocation.js";
import type { AgentEvent } from "../events.js";
import type { AgentResponseFormat } from "../response/response-format.js";
import type { AgentState } from "../loop/state.js";

/**
 * What is done around the parts of a run. Each hook is a plain function, and a middleware has those that it needs. Of
 * several, the first is the outermost.
 *
 * What is around a stream is an operator in spirit: it calls `next` and hands on what comes, changed or not; or calls it
 * again, or not at all. It leaves what it reads as any consumer does, so that closing reaches the model and the tools.
 *
 * @example
 * ```ts
 * import { type AgentEvent, createAgent, tap } from "millrace";
 * import { type Middleware } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 *
 * const briefly: Middleware = {
 *   aroundModel: (call, next) => next({ ...call, options: { ...call.options, maxTokens: 100 } }),
 *   aroundRun: (run, next) => tap<AgentEvent>(({ type }) => console.log(type))(next(run)),
 * };
 * const agent = createAgent({ model: scriptedModel(["Hello."]), middleware: [briefly] });
 * await agent.invoke("Hi");
 * ```
 */
export interface Middleware<Context = unknown> {
  /** For logs. */
  readonly name?: string;
  /** Around the whole run. */
  readonly aroundRun?: (run: RunInfo<Context>, next: NextRun<Context>) => AsyncIterable<AgentEvent>;
  /** Around each call of the model: another model, other messages, tools or response format, another call. */
  readonly aroundModel?: (
    call: ModelCall<Context>,
    next: NextModelCall<Context>,
  ) => AsyncIterable<MessageChunk>;
  /** Around each run of a tool, whose call is complete. */
  readonly aroundTool?: (run: ToolRun<Context>, next: NextToolRun<Context>) => AsyncIterable<ToolOutcome>;
  /** Before the model is asked, with the state until then. */
  readonly beforeStep?: (state: AgentState, run: RunInfo<Context>) => StepChange | PromiseLike<StepChange>;
  /** After the tools of a step have run. */
  readonly afterStep?: (state: AgentState, run: RunInfo<Context>) => StepChange | PromiseLike<StepChange>;
}

/** What a run is about. One object for each run, so that a middleware can keep what it knows of it in a `WeakMap`. */
export interface RunInfo<Context = unknown> {
  /** The name of the agent. */
  readonly agent: string | undefined;
  readonly context: Context;
  readonly store: unknown;
  /** Aborted when the run is, or has ended. */
  readonly signal: AbortSignal;
}

/** What is inside of a hook around the run. */
export type NextRun<Context = unknown> = (run: RunInfo<Context>) => AsyncIterable<AgentEvent>;

/** A call of the model. */
export interface ModelCall<Context = unknown> {
  readonly run: RunInfo<Context>;
  /** From 1. */
  readonly step: number;
  readonly model: ChatModel;
  readonly systemPrompt: SystemMessage | undefined;
  /** The conversation, without the system prompt. What is changed here is changed for this call only. */
  readonly messages: readonly Message[];
  /** What the model may call. A tool that is only here can be run too. */
  readonly tools: readonly AnyTool[];
  readonly responseFormat: AgentResponseFormat | undefined;
  /** Further options, such as `temperature`. */
  readonly options: AgentCallOptions;
}

/** The options of a call that are not the agent's own business. */
export type AgentCallOptions = Omit<CallOptions, "signal" | "tools" | "responseFormat">;

/** What is inside of a hook around a call of the model. */
export type NextModelCall<Context = unknown> = (call: ModelCall<Context>) => AsyncIterable<MessageChunk>;

/** A run of a tool. */
export interface ToolRun<Context = unknown> {
  readonly run: RunInfo<Context>;
  readonly tool: AnyTool;
  readonly call: ToolInvocation;
  /** As of the beginning of the step. */
  readonly state: AgentState;
}

/** What is inside of a hook around the run of a tool. */
export type NextToolRun<Context = unknown> = (run: ToolRun<Context>) => AsyncIterable<ToolOutcome>;

/** What comes of a run of a tool; or that it waits for a decision, which pauses the agent. */
export type ToolOutcome = ToolEvent | { readonly type: "paused" };

/** What a hook of a step changes: nothing, the messages, or that the run goes on. */
export type StepChange =
  | undefined
  | {
      /** All of them: they take the place of those of the state. */
      readonly messages?: readonly Message[];
      /** Ends the run. */
      readonly end?: boolean;
    };

/** The hooks around something, and the thing itself, as one function. */
export function around<In, Out>(
  hooks: readonly (((input: In, next: (input: In) => Out) => Out) | undefined)[],
  inner: (input: In) => Out,
): (input: In) => Out {
  return hooks.reduceRight<(input: In) => Out>(
    (next, hook) => (hook === undefined ? next : (input) => hook(input, next)),
    inner,
  );
}
