import { checkTools } from "./tools/check-tools.js";
import { withoutUndefined } from "../json/value.js";
import type { JsonPatch } from "../json/patch/patch.js";
import { system } from "../messages/constructors.js";
import type { Message } from "../messages/message.js";
import type { ToolCallDialect } from "../messages/tool-call-dialect.js";
import type { ChatModel } from "../models/contract/chat-model.js";
import { modelLoader } from "../models/init-model.js";
import { schemaOf, type SchemaInput } from "../schema/schema-of.js";
import { stage } from "../stream/core/stage.js";
import { wholeNumber } from "../text/check-number.js";
import { type AgentOptions, checkAgentOptions, type GivenContextOf, middlewareOf } from "./agent-options.js";
import { AgentError } from "./errors.js";
import type { AgentEvent, FinishEvent } from "./events.js";
import type { RunOptions } from "./middleware/middleware.js";
import { toPartials, patchIn } from "./answer/partials.js";
import { Planner } from "./answer/plan.js";
import { checkNames } from "./answer/request.js";
import type { AgentResponseFormat, PartialOf, StructuredOf } from "./answer/response-format.js";
import { openRun } from "./loop/run.js";
import type { AgentSetup } from "./loop/setup.js";
import type { AgentInput, AgentState } from "./state.js";

/** The result of `invoke()`. */
export interface AgentResult<Structured = unknown> {
  /** The whole conversation, without the system prompt. */
  readonly messages: readonly Message[];
  /** The structured response, as its schema returns it; `undefined` without a `responseFormat`. */
  readonly structuredResponse: Structured;
  /** The state to pass as `resume`. A paused run has one too. */
  readonly state: AgentState;
}

/**
 * A model that works on a task in steps. An agent keeps no data between runs.
 *
 * @typeParam Structured the structured response
 * @typeParam Partial a partial structured response
 */
export interface Agent<Structured = unknown, Partial = unknown, Context = unknown> {
  readonly name: string | undefined;
  /** The options that it was made with, to make another one: `createAgent({ ...agent.options, middleware: [] })`. */
  readonly options: AgentOptions;
  /**
   * Yields the events of a run as they happen. Each iteration is a separate run, which starts with the first `next()`.
   * Leaving the loop stops the model and the tools.
   */
  stream(input: AgentInput, options?: RunOptions<Context>): AsyncIterable<AgentEvent<Structured>>;
  /**
   * Runs to the end and returns the result. Rejects with `ended` if the agent has a `responseFormat` and the run ends
   * or pauses without a structured response.
   */
  invoke(input: AgentInput, options?: RunOptions<Context>): Promise<AgentResult<Structured>>;
  /** Yields partial structured responses. They start again from the beginning when the agent asks the model again. */
  partials(input: AgentInput, options?: RunOptions<Context>): AsyncIterable<Partial>;
  /**
   * Yields the changes of the structured response as JSON Patches (RFC 6902). The first applies to `null`. When the
   * agent asks the model again, a patch replaces the root with `null`.
   */
  patches(input: AgentInput, options?: RunOptions<Context>): AsyncIterable<JsonPatch>;
}

/**
 * Makes an agent. It calls the model, runs the tools that the model calls, and calls the model again with their
 * results, until the model answers with text, or with the structured response of `responseFormat`.
 *
 * Everything streams. The structured response is parsed and validated while the model writes it, and yielded as patches
 * and partial values. An invalid one stops the model at once, and the agent asks again. A tool starts as soon as its
 * call is complete, while the model writes the next call. The `onError` of each tool decides whether its errors go to
 * the model.
 *
 * A run ends with an error if the model fails (its `ModelError`), if a tool throws an error that its `onError` does not
 * handle, if the structured response remains invalid, is cut or refused, or if `maxSteps` is reached (an `AgentError`
 * with the state).
 *
 * @throws {AgentError} `invalid_options` if two tools have the same name, or if the response format is not supported
 * @throws {ModelError} `unknown_provider` if `model` is a name that does not show its provider
 * @throws {SchemaError} if a schema is invalid
 *
 * @example
 * ```ts
 * import { createAgent, tool } from "millrace";
 * import { scriptedModel } from "millrace/testing";
 * import { z } from "zod";
 *
 * const weather = tool({
 *   name: "weather",
 *   schema: z.object({ city: z.string() }),
 *   run: ({ city }) => `${city}: -4 °C`,
 * });
 * // A scripted model instead of a paid one.
 * const model = scriptedModel(({ index }) =>
 *   index === 0
 *     ? [{ content: [{ type: "tool_call", id: "1", name: "weather", args: { city: "Oslo" } }] }]
 *     : ['{"city": "Os', 'lo", "celsius": -4}'],
 * );
 * const agent = createAgent({
 *   model,
 *   tools: [weather],
 *   responseFormat: z.object({ city: z.string(), celsius: z.number() }),
 * });
 * for await (const partial of agent.partials("How warm is it in Oslo?")) console.log(partial);
 * ```
 */
export function createAgent<
  const Format extends AgentResponseFormat | undefined = undefined,
  ContextSchema extends SchemaInput | undefined = undefined,
>(
  options: AgentOptions<Format, ContextSchema>,
): Agent<StructuredOf<Format>, PartialOf<Format>, GivenContextOf<ContextSchema>> {
  const setup = toSetup(options);
  type Event = AgentEvent<StructuredOf<Format>>;
  const agent: Agent<StructuredOf<Format>, PartialOf<Format>, GivenContextOf<ContextSchema>> = {
    name: options.name,
    options,
    // The schemas guarantee these types.
    stream: (input, runOptions) => openRun(setup, input, runOptions) as AsyncIterable<Event>,
    invoke: async (input, runOptions) =>
      collectResult(options.responseFormat, agent.stream(input, runOptions)),
    partials: (input, runOptions) =>
      partialsOf(agent.stream(input, runOptions)) as AsyncIterable<PartialOf<Format>>,
    patches: (input, runOptions) => patchesOf(agent.stream(input, runOptions)),
  };
  return agent;
}

function toSetup(options: AgentOptions): AgentSetup {
  checkAgentOptions(options);
  const { model, tools = [], responseFormat, textToolCalls } = options;
  const maxRetries = wholeNumber("maxRetries", options.maxRetries ?? 3, 0);
  checkTools(tools);
  // Each hook gets the context of its own agent, so a run need not know its type.
  const middleware = middlewareOf(options);
  const planner = new Planner(options);
  const withDialect = (it: ChatModel): ChatModel =>
    textToolCalls === undefined ? it : withTextToolCalls(it, textToolCalls);
  const loadedModel = typeof model === "string" ? undefined : withDialect(model);
  const load = modelLoader(model);
  checkNames(planner.plan({ model: loadedModel, tools, responseFormat }), tools); // reports wrong options now instead of in the first run
  return {
    name: options.name,
    loadModel: loadedModel === undefined ? async () => withDialect(await load()) : () => loadedModel,
    tools,
    responseFormat,
    system: typeof options.system === "string" ? system(options.system) : options.system,
    middleware,
    callOptions: options.callOptions ?? {},
    maxSteps: wholeNumber("maxSteps", options.maxSteps ?? Math.max(25, maxRetries + 1), 1),
    maxRetries,
    contextSchema: options.contextSchema && schemaOf(options.contextSchema),
    stateSchema: options.stateSchema && schemaOf(options.stateSchema),
    store: options.store,
    planner,
    prices: options.prices ?? {},
    coercion: withoutUndefined({ coerce: options.coerce, locale: options.locale }),
  };
}

function withTextToolCalls(model: ChatModel, textToolCalls: ToolCallDialect | "auto"): ChatModel {
  return {
    provider: model.provider,
    model: model.model,
    profile: { ...model.profile, textToolCalls },
    stream: (input, options) => model.stream(input, options),
    invoke: (input, options) => model.invoke(input, options),
  };
}

/**
 * The result of a run.
 *
 * @throws {AgentError} `ended` without a structured response that the format asks for
 */
export async function collectResult<Structured>(
  format: AgentResponseFormat | undefined,
  events: AsyncIterable<AgentEvent<Structured>>,
): Promise<AgentResult<Structured>> {
  let finish: FinishEvent<Structured> | undefined;
  for await (const event of events) if (event.type === "finish") finish = event;
  if (finish === undefined) {
    throw new AgentError(
      "ended",
      "The run ended without a finish event. A middleware (aroundRun) must yield all events of the run.",
    );
  }
  const { state, reason } = finish;
  if (format !== undefined && !("structuredResponse" in finish)) {
    const what = reason === "paused" ? "was paused" : `ended (${reason})`;
    throw new AgentError("ended", `The run ${what} without a structured response.`, { state });
  }
  return { messages: state.messages, structuredResponse: finish.structuredResponse as Structured, state };
}

const partialsOf = stage<AgentEvent, unknown>(toPartials);

const patchesOf = stage<AgentEvent, JsonPatch>((emit) => ({
  next: (event) => {
    const patch = patchIn(event);
    if (patch !== undefined) emit(patch);
  },
}));
