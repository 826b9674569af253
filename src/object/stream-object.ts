import type { AgentOptions } from "../agent/agent-options.js";
import { type Agent, createAgent } from "../agent/agent.js";
import { AgentError } from "../agent/errors.js";
import type { StructuredOf, WrittenOf } from "../agent/answer/response-format.js";
import type { SystemMessage } from "../messages/message.js";
import type { TextInput } from "../models/stream-text.js";
import { listOf } from "../schema/list-of.js";
import type { Schema } from "../schema/schema.js";
import { schemaOf, type SchemaInput } from "../schema/schema-of.js";
import { unionOf } from "../schema/union-of.js";
import { pipe } from "../stream/pipe.js";
import { checkOptions, type OptionNames } from "../text/check-options.js";
import { elementsOnly } from "./elements.js";
import { type ObjectStream, objectStream } from "./object-stream.js";

/** One schema, or several of which the object must match one. */
export type ObjectSchema = SchemaInput | readonly SchemaInput[];

/** The options of `streamObject()` and `generateObject()`. */
export type StreamObjectOptions<
  Schema extends ObjectSchema = ObjectSchema,
  Elements extends boolean = boolean,
> = ObjectOptions<Schema, Elements> & ObjectInput;

/** The options of `streamObject()` and `generateObject()`, without the input. */
export interface ObjectOptions<
  Schema extends ObjectSchema = ObjectSchema,
  Elements extends boolean = boolean,
> extends Pick<
  AgentOptions,
  | "model"
  | "maxRetries"
  | "failFast"
  | "coerce"
  | "locale"
  | "append"
  | "callOptions"
  | "middleware"
  | "name"
  | "prices"
> {
  /** The schema of the object, or several schemas of which it must match one. */
  readonly schema: Schema;
  /** Whether to ask for a list of objects. The schema is then that of one element. Default: false. */
  readonly elements?: Elements;
  /** Instructions sent before the messages. */
  readonly system?: string | SystemMessage;
  /** Ends the call with the signal's reason, and closes the connection to the model. */
  readonly signal?: AbortSignal | undefined;
}

/** The options that `extractAll()` has too. */
// prettier-ignore
export const objectOptionNames = {
  model: true, schema: true, elements: true, system: true, prompt: true, maxRetries: true, failFast: true,
  coerce: true, locale: true, callOptions: true, middleware: true, name: true, signal: true, prices: true,
} as const;

const optionNames = {
  ...objectOptionNames,
  messages: true,
  append: true,
} satisfies OptionNames<StreamObjectOptions>;

/** The names of agents and other libraries. */
const hints = {
  systemPrompt: 'Write "system".',
  abortSignal: 'Write "signal".',
};

/** @throws {TypeError} for an unknown option */
export function checkObjectOptions(subject: string, options: StreamObjectOptions): void {
  checkOptions(subject, options, optionNames, hints);
}

/** The input of the model: a prompt or messages. */
export type ObjectInput = TextInput;

/** The type of the object: after transforms and defaults. */
export type ObjectOf<Schema, Elements> = Elements extends true
  ? StructuredOf<Schema>[]
  : StructuredOf<Schema>;

/** The type of the object as the model writes it: before transforms and defaults. */
export type WrittenObjectOf<Schema, Elements> = Elements extends true
  ? WrittenOf<Schema>[]
  : WrittenOf<Schema>;

/**
 * Asks a model for an object and yields it while the model writes it: `for await (const partial of streamObject({ …
 * }))`.
 *
 * It is an agent without tools whose structured response has several views. The call uses the structured output
 * of the model, otherwise a tool, otherwise the prompt. The JSON is repaired, and the schema checks it while it
 * arrives: at the first character that no valid object can contain, the model is stopped and asked again, up to
 * `maxRetries` times.
 *
 * Nothing is sent before something reads the call: a view, `final` or `usage`. All of them share one request. Leaving
 * the last open view early stops the model.
 *
 * Errors are those of an agent: the `ModelError` of the model, or an `AgentError` if the object remains invalid, is cut
 * or refused.
 *
 * @throws {TypeError} for an unknown option
 * @throws {AgentError} `invalid_options` if neither `prompt` nor `messages` is set, or both
 * @throws {SchemaError} if a schema is invalid
 *
 * @example
 * ```ts
 * import { streamObject } from "millrace";
 * import { scriptedModel } from "millrace/testing";
 * import { z } from "zod";
 *
 * const recipe = streamObject({
 *   model: scriptedModel(['{"title": "Green', ' tea", "minutes": 1', "0}"]), // or "openai:gpt-6.1-terra"
 *   schema: z.object({ title: z.string(), minutes: z.int() }),
 *   prompt: "A recipe for green tea.",
 * });
 * for await (const partial of recipe) console.log(partial);
 * console.log((await recipe.final).minutes * 60, "seconds");
 * ```
 *
 * ```text prints
 * { title: 'Green' }
 * { title: 'Green tea' }
 * { title: 'Green tea', minutes: 10 }
 * 600 seconds
 * ```
 */
export function streamObject<const Schema extends ObjectSchema, const Elements extends boolean = false>(
  options: StreamObjectOptions<Schema, Elements>,
): ObjectStream<ObjectOf<Schema, Elements>, WrittenObjectOf<Schema, Elements>> {
  checkObjectOptions("streamObject()", options);
  const { prompt, messages, signal, append = false, ...others } = options;
  const input = prompt ?? messages;
  if (input === undefined || (prompt !== undefined && messages !== undefined)) {
    throw new AgentError("invalid_options", "Expected either prompt or messages. Set one of the two.");
  }
  const { agent, whole } = objectAgent({ ...others, append: true, items: true });
  const { elements = false } = options;
  const events = agent.stream(input, { signal });
  return objectStream(elements ? pipe(events, elementsOnly()) : events, whole, append, elements);
}

/** The agent behind a call, and the schema of the whole response. */
export function objectAgent({
  schema,
  elements = false,
  system,
  ...others
}: Omit<ObjectOptions, "signal"> & Pick<AgentOptions, "items">): {
  readonly agent: Agent;
  readonly whole: Schema<unknown>;
} {
  const schemas = [schema].flat().map((each) => schemaOf(each));
  if (schemas.length === 0) {
    throw new AgentError(
      "invalid_options",
      "Expected schema to be a schema or an array of them, but it is empty.",
    );
  }
  const whole = elements ? listOf(unionOf(schemas)) : unionOf(schemas);
  const agent = createAgent({
    ...others,
    ...(system !== undefined && { system }),
    // A schema made of others is accepted too, but it is not part of the public type.
    responseFormat: elements ? (whole as unknown as SchemaInput) : (schema as SchemaInput),
  });
  return { agent, whole };
}
