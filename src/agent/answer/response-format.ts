import { checkOptions, type OptionNames } from "../../text/check-options.js";
import type { DeepPartial } from "../../json/deep-partial.js";
import type { InputOf, OutputOf, SchemaInput } from "../../schema/schema-of.js";
import { checkInstructions, type SchemaInstructions } from "../../schema/in-prompt.js";
import { excerpt } from "../../text/excerpt.js";
import { invalidOptions, type AgentError } from "../errors.js";
import { fieldOf, isInstance } from "../../text/thrown.js";

/**
 * The format of the structured response: a schema, an array of schemas of which one must match, or a strategy that also
 * says how to ask the model. An array of tool strategies is one tool strategy for all their schemas.
 *
 * Without a strategy, a single schema uses the provider's structured output if the model's profile has it, also beside
 * tools if there are any; otherwise a tool. Several schemas, and the members of a union, are one tool each. If
 * the model does not support tools, the prompt asks for the response.
 */
export type AgentResponseFormat =
  | SchemaInput
  | readonly SchemaInput[]
  | AutoStrategy
  | ToolStrategy
  | readonly ToolStrategy[]
  | ProviderStrategy
  | PromptStrategy;

/**
 * How an invalid structured response is handled:
 *
 * - `true`: the agent tells the model what is wrong and asks again;
 * - a string: the agent sends this text and asks again;
 * - a class of errors, or an array of classes: like `true` if the error or one of its causes is an instance. Otherwise
 *   the run ends with the error;
 * - a function: the agent sends the text that it returns or resolves to. An error that it throws ends the run;
 * - `false`: the run ends with the error.
 *
 * The causes are a `SchemaViolation`, a `JsonParseError`, and errors that the schema's own check throws.
 */
export type HandleError =
  | boolean
  | string
  | ErrorClass
  | readonly ErrorClass[]
  | ((error: AgentError) => string | PromiseLike<string>);

/** A class of errors, such as `RangeError`. */
export type ErrorClass = abstract new (...args: never) => Error;

/** Asks for the structured response in the way that suits the model, as a schema without a strategy does. */
export interface AutoStrategy<S extends SchemaInput = SchemaInput> extends AutoStrategyOptions {
  readonly [strategy]: "auto";
  readonly schemas: readonly S[];
}

/** The options of `autoStrategy()`. */
export interface AutoStrategyOptions {
  /** Default: true. */
  readonly handleError?: HandleError | undefined;
}

/** Asks for the structured response as the arguments of a tool, with one tool for each schema. */
export interface ToolStrategy<S extends SchemaInput = SchemaInput> extends ToolStrategyOptions {
  readonly [strategy]: "tool";
  readonly schemas: readonly S[];
}

/** The options of `toolStrategy()`. */
export interface ToolStrategyOptions {
  /** The text of the tool message for a valid response. Default: `Returning structured response: {…}`. */
  readonly toolMessageContent?: string | undefined;
  /** Default: true. */
  readonly handleError?: HandleError | undefined;
}

/** Asks the provider to enforce the schema. The structured response is the text of the answer. */
export interface ProviderStrategy<S extends SchemaInput = SchemaInput> extends ProviderStrategyOptions {
  readonly [strategy]: "provider";
  readonly schemas: readonly [S];
}

/** The options of `providerStrategy()`. */
export interface ProviderStrategyOptions {
  /** Whether the provider enforces the schema strictly, if it supports this. Default: true. */
  readonly strict?: boolean | undefined;
  /**
   * Whether a tool asks for the response where the model, its tools or the schema do not allow this strategy. An event
   * says so (`structured_strategy`). With `false`, the run ends with the error. Default: true.
   */
  readonly fallback?: boolean | undefined;
  /** Default: true. */
  readonly handleError?: HandleError | undefined;
}

/** Asks for the structured response in the prompt. It is the text of the answer. */
export interface PromptStrategy<S extends SchemaInput = SchemaInput> extends PromptStrategyOptions {
  readonly [strategy]: "prompt";
  readonly schemas: readonly S[];
}

/** The options of `promptStrategy()`. */
export interface PromptStrategyOptions {
  /**
   * How the prompt contains the schema: as JSON Schema, or as type definitions, which take fewer tokens
   * (docs/reference/prompts.md). Default: `json-schema`.
   */
  readonly instructions?: SchemaInstructions | undefined;
  /** Default: true. */
  readonly handleError?: HandleError | undefined;
}

const autoNames = { handleError: true } satisfies OptionNames<AutoStrategyOptions>;
const toolNames: OptionNames<ToolStrategyOptions> = { ...autoNames, toolMessageContent: true };
const providerNames: OptionNames<ProviderStrategyOptions> = { ...autoNames, strict: true, fallback: true };
const promptNames: OptionNames<PromptStrategyOptions> = { ...autoNames, instructions: true };

const strategy: unique symbol = Symbol("strategy");

/**
 * Asks for the structured response in the way that suits the model, as a schema without a strategy does, and says how
 * errors are handled.
 *
 * @param schemas one schema, or several of which the response must match one
 * @throws {AgentError} `invalid_options` if an option has the wrong type
 *
 * @example
 * ```ts
 * import { createAgent } from "millrace";
 * import { autoStrategy } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 * import { z } from "zod";
 *
 * const agent = createAgent({
 *   model: scriptedModel(['{"name": "Ada"}']),
 *   responseFormat: autoStrategy(z.object({ name: z.string() }), { handleError: "Answer with a name." }),
 * });
 * const { structuredResponse } = await agent.invoke("Who wrote the first program?");
 * console.log(structuredResponse.name); // "Ada"
 * ```
 */
export function autoStrategy<S extends SchemaInput>(
  schemas: S | readonly S[],
  options: AutoStrategyOptions = {},
): AutoStrategy<S> {
  checkStrategy("autoStrategy()", options, autoNames);
  return { [strategy]: "auto", schemas: listOf(schemas), ...options };
}

/**
 * Asks for the structured response as a tool call. This works with every model that supports tools. Each schema becomes
 * a tool with the title of the schema as its name, and so does each member of a union. The call requires the model to
 * call a tool (`toolChoice: "required"`) if the model's profile allows it, and asks once more without that if it is
 * refused, as by models that think. A text that satisfies a schema counts as a response too.
 *
 * @param schemas one schema, or several of which the model chooses one
 * @throws {AgentError} `invalid_options` if an option has the wrong type
 *
 * @example
 * ```ts
 * import { createAgent } from "millrace";
 * import { toolStrategy } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 * import { z } from "zod";
 *
 * const action = z.object({ task: z.string(), assignee: z.string() }).meta({ title: "MeetingAction" });
 * const model = scriptedModel([
 *   { content: [{ type: "tool_call_chunk", id: "1", name: "MeetingAction", args: '{"task": "Call Ada", "as' }] },
 *   { content: [{ type: "tool_call_chunk", args: 'signee": "Bo"}' }] },
 * ]);
 * const agent = createAgent({
 *   model,
 *   responseFormat: toolStrategy(action, { toolMessageContent: "Action item captured." }),
 * });
 * const { structuredResponse } = await agent.invoke("Bo should call Ada.");
 * console.log(structuredResponse.assignee); // "Bo"
 * ```
 */
export function toolStrategy<S extends SchemaInput>(
  schemas: S | readonly S[],
  options: ToolStrategyOptions = {},
): ToolStrategy<S> {
  checkStrategy("toolStrategy()", options, toolNames);
  return { [strategy]: "tool", schemas: listOf(schemas), ...options };
}

/**
 * Asks for the structured response with the provider's own structured output. The answer is parsed as by `jsonParser`,
 * which ignores prose and code fences around the JSON. If the profile of the model says that it does not support tools
 * beside it, or the provider cannot express the schema, a tool asks for the response instead.
 *
 * @example
 * ```ts
 * import { createAgent } from "millrace";
 * import { providerStrategy } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 * import { z } from "zod";
 *
 * const agent = createAgent({
 *   model: scriptedModel(['{"name": "A', 'da"}']),
 *   responseFormat: providerStrategy(z.object({ name: z.string() }), { strict: true }),
 * });
 * for await (const partial of agent.partials("Who wrote the first program?")) console.log(partial.name);
 * ```
 */
export function providerStrategy<S extends SchemaInput>(
  schema: S,
  options: ProviderStrategyOptions = {},
): ProviderStrategy<S> {
  checkStrategy("providerStrategy()", options, providerNames);
  return { [strategy]: "provider", schemas: [schema], ...options };
}

/**
 * Asks for the structured response in the prompt, for models with neither structured output nor tools. The instructions
 * of `jsonParser(schema)` follow the system prompt. The answer is parsed as by `jsonParser`.
 *
 * @param schemas one schema, or several of which the response must match one
 *
 * @example
 * ```ts
 * import { createAgent } from "millrace";
 * import { promptStrategy } from "millrace/agent";
 * import { scriptedModel } from "millrace/testing";
 * import { z } from "zod";
 *
 * const agent = createAgent({
 *   model: scriptedModel(["Here you are: ", '{"name": "Ada"}']),
 *   responseFormat: promptStrategy(z.object({ name: z.string() })),
 * });
 * const { structuredResponse } = await agent.invoke("Who wrote the first program?");
 * console.log(structuredResponse.name); // "Ada"
 * ```
 */
export function promptStrategy<S extends SchemaInput>(
  schemas: S | readonly S[],
  options: PromptStrategyOptions = {},
): PromptStrategy<S> {
  checkStrategy("promptStrategy()", options, promptNames);
  checkInstructions(options.instructions);
  return { [strategy]: "prompt", schemas: listOf(schemas), ...options };
}

function checkStrategy(
  subject: string,
  options: ToolStrategyOptions & ProviderStrategyOptions & PromptStrategyOptions,
  names: Readonly<Record<string, true>>,
): void {
  checkOptions(subject, options, names);
  const { handleError, toolMessageContent } = options;
  if (toolMessageContent !== undefined && typeof toolMessageContent !== "string") {
    throw invalidOptions(`toolMessageContent must be a string, but is ${excerpt(toolMessageContent, 80)}.`);
  }
  if (handleError !== undefined && !isHandleError(handleError)) {
    throw invalidOptions(
      `handleError must be true, false, a string, a class of errors, an array of such classes, or a function that returns a string, but is ${excerpt(handleError, 80)}.`,
    );
  }
}

function isHandleError(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isErrorClass);
  return typeof value === "boolean" || typeof value === "string" || typeof value === "function";
}

/** Whether the value is `Error` or a class that extends it. */
export function isErrorClass(value: unknown): value is ErrorClass {
  return typeof value === "function" && (value === Error || isInstance(value.prototype, Error));
}

function listOf<S>(schemas: S | readonly S[]): readonly S[] {
  return Array.isArray(schemas) ? (schemas as readonly S[]) : [schemas as S];
}

/**
 * Splits a format into its strategy, schemas and options.
 *
 * @throws {AgentError} `invalid_options` for an array of strategies that are not those of one tool strategy
 */
export function parseFormat(format: AgentResponseFormat): FormatParts {
  if (isStrategy(format)) return { ...format, kind: format[strategy] };
  const all = listOf(format as SchemaInput | ToolStrategy | readonly (SchemaInput | ToolStrategy)[]);
  const first = all.find(isStrategy);
  if (first === undefined) return { kind: "auto", schemas: all as readonly SchemaInput[] };
  const { schemas: _, ...options } = first;
  const isAlike = (it: SchemaInput | ToolStrategy): it is ToolStrategy =>
    isStrategy(it) &&
    it[strategy] === "tool" &&
    it.handleError === options.handleError &&
    it.toolMessageContent === options.toolMessageContent;
  if (!all.every(isAlike)) {
    throw invalidOptions(
      "An array in responseFormat has schemas only, or only results of toolStrategy() with the same options. Write toolStrategy([a, b], options).",
    );
  }
  return { ...options, kind: "tool", schemas: all.flatMap(({ schemas }) => schemas) };
}

function isStrategy<F extends AgentResponseFormat>(
  format: F,
): format is Extract<F, { readonly [strategy]: string }> {
  return fieldOf(format, strategy) !== undefined;
}

export interface FormatParts extends ToolStrategyOptions, ProviderStrategyOptions, PromptStrategyOptions {
  readonly kind: "auto" | "tool" | "provider" | "prompt";
  readonly schemas: readonly SchemaInput[];
}

/** The type of the structured response. */
export type StructuredOf<Format> = Format extends undefined ? undefined : OutputOf<SchemaIn<Format>>;

/** The type of a partial structured response. */
export type PartialOf<Format> = [Format] extends [undefined] ? never : DeepPartial<WrittenOf<Format>>;

/** The type of the response as the model writes it, before transforms and defaults. */
export type WrittenOf<Format> = InputOf<SchemaIn<Format>>;

type SchemaIn<Format> = Format extends readonly (infer Member)[]
  ? SchemaIn<Member>
  : Format extends { readonly [strategy]: string; readonly schemas: readonly (infer S extends SchemaInput)[] }
    ? S
    : Format extends SchemaInput
      ? Format
      : never;
