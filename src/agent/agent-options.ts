import type { SystemMessage } from "../messages/message.js";
import type { TokenPrices } from "../messages/prices.js";
import type { ToolCallDialect } from "../messages/tool-call-dialect.js";
import type { ChatModel } from "../models/contract/chat-model.js";
import { agentCallOptionNames, checkCallOptions } from "../models/contract/check-call-options.js";
import { checkLocale } from "../schema/coerce/check-locale.js";
import type { InputOf, OutputOf, SchemaInput } from "../schema/schema-of.js";
import { checkOptions, type OptionNames } from "../text/check-options.js";
import type { AnyTool } from "../tools/run/any-tool.js";
import { kindName } from "../text/kind-name.js";
import { checkArray } from "./tools/check-tools.js";
import { invalidOptions } from "./errors.js";
import type { AgentCallOptions, Middleware } from "./middleware/middleware.js";
import type { AgentResponseFormat } from "./answer/response-format.js";

/** The options of `createAgent()`. */
export interface AgentOptions<
  Format extends AgentResponseFormat | undefined = AgentResponseFormat | undefined,
  ContextSchema extends SchemaInput | undefined = SchemaInput | undefined,
> {
  /**
   * The model, or its name as for `initModel()`: `"anthropic:claude-haiku-4-5"`. The first run loads the code of the
   * provider, and its first request looks up the API key in the environment.
   */
  readonly model: ChatModel | string;
  /** The tools that the model may call, made by `tool()`. */
  readonly tools?: readonly AnyTool[];
  /**
   * How the model writes tool calls into its text, for models without native calls. The prompt then describes the
   * tools, and calls and results are sent as text. Default: the `textToolCalls` of the model's profile
   */
  readonly textToolCalls?: ToolCallDialect | "auto";
  /** The schema or schemas of the structured response. Default: the agent answers with text. */
  readonly responseFormat?: Format;
  /** Instructions sent before the conversation in each model call. Not part of the state. */
  readonly system?: string | SystemMessage;
  /** Functions around the parts of a run. The first is the outermost. */
  readonly middleware?: readonly Middleware<ContextOf<ContextSchema>>[];
  /** The maximum number of model calls in a run. Default: 25, or `maxRetries` + 1 if that is more. */
  readonly maxSteps?: number;
  /**
   * The maximum number of times that a run asks again: for an invalid structured response, and after a stream that broke.
   * Default: 3.
   */
  readonly maxRetries?: number;
  /**
   * Whether to validate the structured response while it streams, and to stop the model at the first character that no
   * valid response can contain. Default: true.
   */
  readonly failFast?: boolean;
  /**
   * Read the structured response and the arguments of tools as their schemas expect them, where they do not allow them
   * as written (docs/reference/coercion.md). Default: true.
   */
  readonly coerce?: boolean;
  /**
   * The locale of numbers in strings, a BCP 47 tag such as `"de"`. It decides texts that can be read in two ways, such
   * as `"1.234"`. Default: none, and such a text is refused.
   */
  readonly locale?: string;
  /** Whether patches extend strings with `append` operations instead of `replace`. Default: false. */
  readonly append?: boolean;
  /** Whether to yield a `structured_item` event for each element of an array that is complete. Default: false. */
  readonly items?: boolean;
  /** Options for each model call, such as `temperature`. */
  readonly callOptions?: AgentCallOptions;
  /** The schema of the `context` option of each run, which is validated before the run. */
  readonly contextSchema?: ContextSchema;
  /**
   * The schema of the values of the state, which tools change (`ownState()`). They are checked at the beginning of each
   * run and after each step. Default: any values
   */
  readonly stateSchema?: SchemaInput;
  /** Data that is kept between runs. Tools and middleware get it as `store`. */
  readonly store?: unknown;
  /** The name in logs and traces. */
  readonly name?: string;
  /**
   * Prices for one million tokens, by model. Usage then has its `cost`, in events, states and threads. Default: none, and
   * usage has no cost; nor has that of a model without a price.
   */
  readonly prices?: TokenPrices;
}

// prettier-ignore
const optionNames = {
  model: true, textToolCalls: true, tools: true, responseFormat: true, system: true, middleware: true,
  maxSteps: true, maxRetries: true, failFast: true, coerce: true, locale: true, append: true, items: true,
  callOptions: true, contextSchema: true, stateSchema: true, store: true, name: true,
  prices: true,
} satisfies OptionNames<AgentOptions>;

/** The names of other libraries. */
const hints = {
  prompt: 'Write "system", and pass the task to agent.stream(prompt).',
  instructions: 'Write "system".',
  systemPrompt: 'Write "system".',
  system_prompt: 'Write "system".',
  llm: 'Write "model".',
  schema: 'Write "responseFormat".',
  output: 'Write "responseFormat".',
  messages: "Pass them to agent.stream(messages).",
  temperature: "Write callOptions: { temperature }.",
  checkpointer: "Keep the state of each step, and pass it as { resume: state }.",
};

/** @throws {AgentError} `invalid_options` if it is no array */
export function middlewareOf({ middleware = [] }: Pick<AgentOptions, "middleware">): readonly Middleware[] {
  checkArray("middleware", middleware);
  return middleware;
}

/** The type of the `context` of a run. */
export type ContextOf<S extends SchemaInput | undefined> = S extends SchemaInput ? OutputOf<S> : unknown;

/** The type of the `context` that the caller of a run passes, before transforms and defaults. */
export type GivenContextOf<S extends SchemaInput | undefined> = S extends SchemaInput ? InputOf<S> : unknown;

/**
 * @throws {TypeError} for an unknown option, also of `callOptions`
 * @throws {AgentError} `invalid_options` without a model
 * @throws {RangeError} if `locale` is not a BCP 47 tag
 */
export function checkAgentOptions(options: AgentOptions): void {
  checkOptions("createAgent()", options, optionNames, hints);
  checkCallOptions("callOptions", options.callOptions, agentCallOptionNames);
  checkLocale(options.locale);
  const model: Partial<ChatModel> | string | undefined = options.model;
  if (typeof model === "string" || typeof model?.stream === "function") return;
  throw invalidOptions(`Expected a model, such as "openai:gpt-6.1-terra", but got ${kindName(model)}.`);
}
