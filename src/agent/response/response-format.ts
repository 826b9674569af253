import type { DeepPartial } from "../../json/deep-partial.js";
import type { InputOf, OutputOf, SchemaInput } from "../../schema/schema-of.js";
import type { AgentError } from "../errors.js";

/**
 * What the structured response of a run is to be: a schema, an array of schemas (any one of them), or either with the
 * strategy by which the model is asked for it.
 *
 * A schema by itself goes to the provider where the model's profile says that it has structured output, and is a tool
 * elsewhere; several schemas are tools.
 */
export type AgentResponseFormat = SchemaInput | readonly SchemaInput[] | ToolStrategy | ProviderStrategy;

/**
 * What becomes of a structured response that is wrong:
 *
 * - `true`: the model is told what is wrong, and asked again;
 * - a text: it is told that, and asked again;
 * - a function: it is told what that returns or promises; what it throws ends the run;
 * - `false`: the run ends with the error.
 */
export type HandleError = boolean | string | ((error: AgentError) => string | PromiseLike<string>);

/** The structured response is the arguments of a tool, one for each schema. */
export interface ToolStrategy<S extends SchemaInput = SchemaInput> extends ToolStrategyOptions {
  readonly [strategy]: "tool";
  readonly schemas: readonly S[];
}

/** The options of `toolStrategy()`. */
export interface ToolStrategyOptions {
  /** What the conversation shows as the result of the tool. Default: `Returning structured response: {…}`. */
  readonly toolMessageContent?: string | undefined;
  /** Default: true. */
  readonly handleError?: HandleError | undefined;
}

/** The provider holds the model to the schema, and the structured response is its text. */
export interface ProviderStrategy<S extends SchemaInput = SchemaInput> extends ProviderStrategyOptions {
  readonly [strategy]: "provider";
  readonly schemas: readonly [S];
}

/** The options of `providerStrategy()`. */
export interface ProviderStrategyOptions {
  /** Whether the provider is to hold the model to the schema exactly, as far as it can. Default: true. */
  readonly strict?: boolean | undefined;
  /** Default: true. */
  readonly handleError?: HandleError | undefined;
}

const strategy: unique symbol = Symbol("strategy");

/**
 * Asks for the structured response as the call of a tool, which works with every model that calls tools: one tool for
 * each schema, named after its title. The model must call a tool (`toolChoice: "required"`), as far as it can be made to.
 *
 * @param schemas one, or several of which the model takes one
 *
 * @example
 * ```ts
 * import { createAgent, toolStrategy } from "millrace";
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
  return { [strategy]: "tool", schemas: Array.isArray(schemas) ? schemas : [schemas as S], ...options };
}

/**
 * Asks for the structured response in the provider's own form. What the model writes is taken as `jsonParser` takes it:
 * prose and fences around it do no harm.
 *
 * @example
 * ```ts
 * import { createAgent, providerStrategy } from "millrace";
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
  return { [strategy]: "provider", schemas: [schema], ...options };
}

/** Which strategy a format asks for, and for which schemas. */
export function partsOf(format: AgentResponseFormat): FormatParts {
  if (strategy in format) return { ...format, kind: format[strategy] };
  if (Array.isArray(format)) return { kind: "tool", schemas: format as readonly SchemaInput[] };
  return { kind: "auto", schemas: [format as SchemaInput] };
}

export interface FormatParts extends ToolStrategyOptions, ProviderStrategyOptions {
  readonly kind: "auto" | "tool" | "provider";
  readonly schemas: readonly SchemaInput[];
}

/** The type of the structured response. */
export type StructuredOf<Format> = [Format] extends [undefined] ? undefined : OutputOf<SchemaIn<Format>>;

/** The same while it grows. */
export type PartialOf<Format> = [Format] extends [undefined] ? never : DeepPartial<InputOf<SchemaIn<Format>>>;

type SchemaIn<Format> =
  Format extends ToolStrategy<infer S>
    ? S
    : Format extends ProviderStrategy<infer S>
      ? S
      : Format extends readonly (infer S extends SchemaInput)[]
        ? S
        : Format extends SchemaInput
          ? Format
          : never;
