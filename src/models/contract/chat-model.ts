import type { JsonObject, JsonValue } from "../../json/value.js";
import type { MessageChunk } from "../../messages/chunk.js";
import type { Metadata } from "../../messages/blocks/metadata.js";
import type { AssistantMessage } from "../../messages/message.js";
import type { ToolCallDialect } from "../../messages/tool-call-dialect.js";
import type { MessagesInput } from "../../messages/to-messages.js";

/**
 * A chat model, whatever its provider. Agents, parsers and commands depend only on this interface.
 *
 * `stream` sends no request before the first `next()`. Each iteration of the returned iterable sends a new request.
 * Leaving the loop, or aborting the signal, closes the connection.
 */
export interface ChatModel<Extra = AnyExtra> {
  /** The name of the provider, such as `openai`. */
  readonly provider: string;
  /** The name of the model at its provider. */
  readonly model: string;
  readonly profile: ModelProfile;
  stream(input: MessagesInput, options?: CallOptions<Extra>): AsyncIterable<MessageChunk>;
  /** Sends a request and returns the whole message. `chatModel()` makes it from `stream`. */
  invoke(input: MessagesInput, options?: CallOptions<Extra>): Promise<AssistantMessage>;
}

/** The abilities of a model. Unknown models are assumed to support only text and tools (docs/reference/models.md). */
export interface ModelProfile {
  /** Whether the provider can enforce a JSON Schema (`responseFormat`). */
  readonly structuredOutput: boolean;
  /** Whether it also does so in a request with tools. Default: not known; agents assume that it does not. */
  readonly structuredOutputWithTools?: boolean | undefined;
  readonly toolCalling: boolean;
  /**
   * How the model writes tool calls into its text, if it has no native ones. Agents then describe the tools in the
   * prompt, and read the calls with `textToolCalls()`. Default: native calls
   */
  readonly textToolCalls?: ToolCallDialect | "auto" | undefined;
  /** Whether `toolChoice` can force a tool call (`"required"`, or a name). Default: true */
  readonly forcedToolChoice?: boolean | undefined;
  /** Whether the model reasons before it answers. */
  readonly reasoning: boolean;
  /**
   * Whether the chat template ends with `<think>`, as those of DeepSeek-R1 and QwQ do. Then agents skip the text before
   * `</think>`, unless the server sends the reasoning apart from the text. Default: false
   */
  readonly openThinking?: boolean | undefined;
  /** The kinds of content that the model accepts. */
  readonly input: readonly Modality[];
  /** The kinds of content that the model produces. */
  readonly output: readonly Modality[];
  /**
   * Whether requests wait for others to be sent as a batch, so an answer may take a day (`providerBatch()`). Default:
   * false
   */
  readonly batch?: boolean | undefined;
  /** Size of the context window in tokens, if known. */
  readonly contextTokens?: number | undefined;
  /** Maximum number of tokens in an answer, if known. */
  readonly maxOutputTokens?: number | undefined;
}

/** A kind of content. `file` is a document, such as a PDF. */
export type Modality = "text" | "image" | "audio" | "video" | "file";

/** Any fields. Each provider defines a more specific type. */
export type AnyExtra = Readonly<Record<string, JsonValue | undefined>>;

/**
 * The options of one call, in the same form for all providers. An option that a provider does not support raises
 * `invalid_request`; it is never silently ignored.
 */
export interface CallOptions<Extra = AnyExtra> {
  /** Ends the stream with the signal's reason, and closes the connection. */
  readonly signal?: AbortSignal | undefined;
  readonly temperature?: number | undefined;
  /** Nucleus sampling: consider only the most likely tokens whose probabilities add up to this value. */
  readonly topP?: number | undefined;
  /** Maximum length of the answer in tokens. */
  readonly maxTokens?: number | undefined;
  /** Stop sequences: the model stops when it produces one. */
  readonly stop?: string | readonly string[] | undefined;
  readonly seed?: number | undefined;
  readonly tools?: readonly ToolDefinition[] | undefined;
  /** Whether the model may or must call a tool. `{ name }` forces a call of that tool. */
  readonly toolChoice?: "auto" | "none" | "required" | { readonly name: string } | undefined;
  /** Whether the model may call several tools at once. Default: the provider's default */
  readonly parallelToolCalls?: boolean | undefined;
  readonly responseFormat?: ResponseFormat | undefined;
  /** How much the model reasons before it answers. Default: the provider's default */
  readonly reasoning?: ReasoningOptions | undefined;
  /** Additional fields of the provider's request, under its own names. They override fields set by other options. */
  readonly extra?: Extra | undefined;
  /** Timeouts of this call. They override the timeouts of the model. */
  readonly timeouts?: Timeouts | undefined;
  /** Maximum number of retries of this call before its first chunk. Overrides that of the model. */
  readonly maxRetries?: number | undefined;
}

/** How much a model reasons. Some providers accept only one of the two options. */
export interface ReasoningOptions {
  readonly effort?: "none" | "minimal" | "low" | "medium" | "high" | undefined;
  /** Maximum number of reasoning tokens. */
  readonly maxTokens?: number | undefined;
}

/** A tool as the model sees it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string | undefined;
  /** The JSON Schema of the arguments. */
  readonly parameters: JsonObject;
  /** Whether the provider enforces the schema. */
  readonly strict?: boolean | undefined;
  /**
   * For a tool that the provider runs (`serverTool()`): the tool in the form of each provider, by the provider's name.
   * Nothing else of it is sent.
   */
  readonly forms?: Readonly<Record<string, JsonObject>> | undefined;
  /** Additional fields for specific providers, under their own keys. */
  readonly metadata?: Metadata | undefined;
  /** The same, as `tool()` calls them. `metadata` takes precedence. */
  readonly extras?: Metadata | undefined;
}

/** Asks for an answer that is a JSON document of this schema. */
export interface ResponseFormat {
  /** The name of the schema. Allowed characters: letters, digits, `_` and `-`. */
  readonly name: string;
  readonly schema: JsonObject;
  /** Whether the provider enforces the schema, as far as it can. Default: true */
  readonly strict?: boolean | undefined;
}

/**
 * Timeouts in milliseconds. Only time spent waiting for the model counts. `Infinity` disables a timeout.
 *
 * `firstToken` and `idle` limit silence: they start again when bytes arrive, also bytes that add nothing to the message,
 * such as a ping or a comment.
 */
export interface Timeouts {
  /**
   * The longest silence before the first chunk, retries included. Default: 600,000 (10 minutes), because some models
   * reason for minutes. Node's `fetch` waits only 300 seconds for headers: with a server that sends them with the first
   * token, a longer time needs a `fetch` with a longer `headersTimeout`
   */
  readonly firstToken?: number | undefined;
  /** The longest silence after the first chunk. Default: 120,000 (2 minutes) */
  readonly idle?: number | undefined;
  /** Time for the whole answer, from the request to its end. Default: `Infinity` */
  readonly total?: number | undefined;
}
