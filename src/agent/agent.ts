import type { JsonPatch } from "../json/patch/patch.js";
import { system } from "../messages/constructors.js";
import type { Message, SystemMessage } from "../messages/message.js";
import type { ChatModel } from "../models/contract/chat-model.js";
import { type OutputOf, schemaOf, type SchemaInput } from "../schema/schema-of.js";
import { wholeNumber } from "../stream/numbers.js";
import type { AnyTool } from "../tools/define/any-tool.js";
import { AgentError } from "./errors.js";
import type { AgentEvent, FinishEvent } from "./events.js";
import { type AgentCallOptions, around, type Middleware } from "./middleware/middleware.js";
import { Planner } from "./loop/plan.js";
import { checkNames } from "./loop/model-call.js";
import { partialsOf, patchesOf } from "./response/projections.js";
import type { AgentResponseFormat, PartialOf, StructuredOf } from "./response/response-format.js";
import { openRun, type RunOptions } from "./loop/run.js";
import type { Setup } from "./loop/setup.js";
import type { AgentInput, AgentState } from "./loop/state.js";
import { runDirectly } from "./loop/tool-runs.js";

/** The options of `createAgent()`. */
export interface AgentOptions<
  Format extends AgentResponseFormat | undefined = AgentResponseFormat | undefined,
  ContextSchema extends SchemaInput | undefined = SchemaInput | undefined,
> {
  readonly model: ChatModel;
  /** What the model may call, made by `tool()`. */
  readonly tools?: readonly AnyTool[];
  /** What the answer is to be. Default: text. */
  readonly responseFormat?: Format;
  /** What the model is told before the conversation, in each call. It is no part of the state. */
  readonly systemPrompt?: string | SystemMessage;
  /** What is done around the parts of a run. The first is the outermost. */
  readonly middleware?: readonly Middleware<ContextOf<ContextSchema>>[];
  /** How often the model may be asked in a run. Default: 25. */
  readonly maxSteps?: number;
  /** How often a structured response that is wrong is asked for again in a run. Default: 3. */
  readonly maxRetries?: number;
  /**
   * Whether the schema watches the structured response while it is written, and the model is stopped at the first
   * character that makes it impossible. Default: true.
   */
  readonly failFast?: boolean;
  /** Whether strings grow by `append` in the patches, and not by `replace`. Default: false. */
  readonly append?: boolean;
  /** Further options for each call of the model, such as `temperature`. */
  readonly callOptions?: AgentCallOptions;
  /** What the `context` of each run is: checked before the run. */
  readonly contextSchema?: ContextSchema;
  /** What tools and middleware get as `store`: what outlasts a run. */
  readonly store?: unknown;
  /** For logs and traces. */
  readonly name?: string;
}

/** The type of the `context` of a run. */
export type ContextOf<S extends SchemaInput | undefined> = S extends SchemaInput ? OutputOf<S> : unknown;

/** What came of a run. */
export interface AgentResult<Structured = unknown> {
  /** The whole conversation, without the system prompt. */
  readonly messages: readonly Message[];
  /** The structured response, as its schema makes it; `undefined` if none was asked for. */
  readonly structuredResponse: Structured;
  /** What `resume` takes, also of a run that was paused. */
  readonly state: AgentState;
}

/**
 * A model that works on a task in steps. It keeps nothing between two runs.
 *
 * @typeParam Structured the structured response
 * @typeParam Partial the same while it grows
 */
export interface Agent<Structured = unknown, Partial = unknown, Context = unknown> {
  readonly name: string | undefined;
  /**
   * All that happens, as it happens. Each iteration is a run of its own, which begins with the first `next()`. Leaving
   * the loop stops the model and the tools.
   */
  stream(input: AgentInput, options?: RunOptions<Context>): AsyncIterable<AgentEvent<Structured, Partial>>;
  /** A run to its end. Rejects with `ended` if a structured response was asked for, and the run ended without one. */
  invoke(input: AgentInput, options?: RunOptions<Context>): Promise<AgentResult<Structured>>;
  /** The structured response as it grows. When the model is asked again, it begins anew. */
  partials(input: AgentInput, options?: RunOptions<Context>): AsyncIterable<Partial>;
  /** The same as patches, to be applied to `null` first. When the model is asked again, one puts `null` in place of the root. */
  patches(input: AgentInput, options?: RunOptions<Context>): AsyncIterable<JsonPatch>;
}

/**
 * Makes an agent: the model is asked, the tools that it calls are run, and it is asked again with their results, until it
 * answers: with text, or with the structured response that `responseFormat` wants.
 *
 * All of it streams. The structured response is read while the model writes it, watched by its schema, and shown as
 * patches and partial values; a wrong one stops the model at once and is asked for again. A tool runs as soon as its own
 * call is complete, while the model still writes the next. Errors of tools go to the model, as each tool wants it.
 *
 * A run ends with an error if the model fails (the `ModelError` as it came), if a tool throws what is not to be handled, if
 * the structured response stays wrong or is cut or refused, or if `maxSteps` is reached (`AgentError`, with the state).
 *
 * @throws {AgentError} `invalid_options` for two tools of one name, and for a response format that cannot be asked for
 * @throws {SchemaError} if a schema is none
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
 * // In place of a model that is paid for.
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
): Agent<StructuredOf<Format>, PartialOf<Format>, ContextOf<ContextSchema>> {
  const setup = setupOf(options);
  type Event = AgentEvent<StructuredOf<Format>, PartialOf<Format>>;
  const agent: Agent<StructuredOf<Format>, PartialOf<Format>, ContextOf<ContextSchema>> = {
    name: options.name,
    // That the values have these types is what the schemas are for.
    stream: (input, runOptions) => openRun(setup, input, runOptions) as AsyncIterable<Event>,
    invoke: async (input, runOptions) => resultOf(options.responseFormat, agent.stream(input, runOptions)),
    partials: (input, runOptions) => partialsOf(agent.stream(input, runOptions)),
    patches: (input, runOptions) => patchesOf(agent.stream(input, runOptions)),
  };
  return agent;
}

function setupOf(options: AgentOptions): Setup {
  const { model, tools = [], responseFormat, systemPrompt, failFast = true, append = false } = options;
  // What the types keep apart, a run does not: each hook gets the context of its own agent.
  const middleware: readonly Middleware[] = options.middleware ?? [];
  const planner = new Planner({ failFast, append });
  checkNames(planner.plan(responseFormat, model.profile), tools); // so that what is wrong is known at once
  return {
    name: options.name,
    model,
    tools,
    responseFormat,
    systemPrompt: typeof systemPrompt === "string" ? system(systemPrompt) : systemPrompt,
    middleware,
    callOptions: options.callOptions ?? {},
    maxSteps: wholeNumber("maxSteps", options.maxSteps ?? 25, 1),
    maxRetries: wholeNumber("maxRetries", options.maxRetries ?? 3, 0),
    contextSchema: options.contextSchema && schemaOf(options.contextSchema),
    store: options.store,
    planner,
    runTool: around(
      middleware.map((it) => it.aroundTool),
      runDirectly,
    ),
  };
}

async function resultOf<Structured>(
  format: AgentResponseFormat | undefined,
  events: AsyncIterable<AgentEvent<Structured>>,
): Promise<AgentResult<Structured>> {
  let finish: FinishEvent<Structured> | undefined;
  for await (const event of events) if (event.type === "finish") finish = event;
  if (finish === undefined) {
    throw new AgentError(
      "ended",
      "The run has ended without its finish event: a middleware around the run left it out.",
    );
  }
  const { state, reason } = finish;
  if (format !== undefined && !("structuredResponse" in finish)) {
    const why = reason === "paused" ? "was paused" : `has ended (${reason})`;
    throw new AgentError("ended", `The run ${why} before there was a structured response.`, { state });
  }
  return { messages: state.messages, structuredResponse: finish.structuredResponse as Structured, state };
}
