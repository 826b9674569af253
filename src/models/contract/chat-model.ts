import type { JsonObject, JsonValue } from "../../json/value.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import type { MessagesInput } from "../../messages/to-messages.js";

/**
 * A model that can be asked: the one thing that agents, parsers and commands know of any provider.
 *
 * `stream` asks nothing before the first `next()`. Each iteration of what it returns is a request of its own. Leaving
 * the loop, or aborting the signal, closes the connection.
 */
export interface ChatModel<Extra = AnyExtra> {
  /** Such as `openai`. */
  readonly provider: string;
  /** The name of the model at its provider. */
  readonly model: string;
  readonly profile: ModelProfile;
  stream(input: MessagesInput, options?: CallOptions<Extra>): AsyncIterable<MessageChunk>;
}

/** What a model can do. Careful defaults where it is not known (docs/models.md). */
export interface ModelProfile {
  /** It can be held to a JSON Schema by its provider (`responseFormat`). */
  readonly structuredOutput: boolean;
  readonly toolCalling: boolean;
  /** Whether it can be made to call a tool (`toolChoice`: `"required"`, or a name). Default: true. */
  readonly forcedToolChoice?: boolean | undefined;
  /** It thinks before it answers. */
  readonly reasoning: boolean;
  /** What it reads. */
  readonly input: readonly Modality[];
  /** What it writes. */
  readonly output: readonly Modality[];
  /** How many tokens it can have before it, and how many of them it can write: absent where that is not known. */
  readonly contextTokens?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
}

/** A kind of content. `file` is a document, such as a PDF. */
export type Modality = "text" | "image" | "audio" | "video" | "file";

/** Any fields: a provider's own model says which it has. */
export type AnyExtra = Readonly<Record<string, JsonValue | undefined>>;

/**
 * What one call may ask for, in one form for all providers. What a provider cannot be asked for is an `invalid_request`,
 * and never left out in silence.
 */
export interface CallOptions<Extra = AnyExtra> {
  /** Ends the stream with the signal's reason, and closes the connection. */
  readonly signal?: AbortSignal | undefined;
  readonly temperature?: number | undefined;
  /** Only the likeliest tokens that together have this probability are considered. */
  readonly topP?: number | undefined;
  /** The longest answer, in tokens. */
  readonly maxTokens?: number | undefined;
  /** Texts at which the model stops. */
  readonly stop?: string | readonly string[] | undefined;
  readonly seed?: number | undefined;
  readonly tools?: readonly ToolDefinition[] | undefined;
  /** A name makes the model call that tool. */
  readonly toolChoice?: "auto" | "none" | "required" | { readonly name: string } | undefined;
  /** Whether the model may call several tools at once. Default: the provider's. */
  readonly parallelToolCalls?: boolean | undefined;
  readonly responseFormat?: ResponseFormat | undefined;
  /** How much the model thinks before it answers. Default: the provider's. */
  readonly reasoning?: ReasoningOptions | undefined;
  /** Further fields of the provider's request, in its own words. They come last, so they can also replace. */
  readonly extra?: Extra | undefined;
  /** For this call, in place of the model's. */
  readonly timeouts?: Timeouts | undefined;
}

/** How much a model thinks. A provider takes one of the two, or either. */
export interface ReasoningOptions {
  readonly effort?: "none" | "minimal" | "low" | "medium" | "high" | undefined;
  /** The most tokens that it may think. */
  readonly maxTokens?: number | undefined;
}

/** A tool as the model sees it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string | undefined;
  /** The JSON Schema of its arguments. */
  readonly parameters: JsonObject;
  /** The provider holds the model to the schema. */
  readonly strict?: boolean | undefined;
  /** What a provider knows of tools besides, under its own keys. */
  readonly metadata?: Metadata | undefined;
}

/** The answer is to be a JSON document of this schema. */
export interface ResponseFormat {
  /** What the schema describes, in letters, digits, `_` and `-`. */
  readonly name: string;
  readonly schema: JsonObject;
  /** Whether the provider holds the model to it, as far as it can. Default: true. */
  readonly strict?: boolean | undefined;
}

/** In milliseconds. Only the time that is spent waiting for the model counts. `Infinity` is none. */
export interface Timeouts {
  /** Until the first chunk, retries included. Default: 10 minutes, as some models think for long. */
  readonly firstToken?: number | undefined;
  /** Between two chunks. Default: 2 minutes. */
  readonly idle?: number | undefined;
  /** For the whole answer. Default: none. */
  readonly total?: number | undefined;
}
