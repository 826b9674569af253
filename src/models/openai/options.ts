import type { JsonObject, JsonValue } from "../../json/value.js";
import type { AnyExtra } from "../contract/chat-model.js";
import type { ProviderOptions } from "../contract/provider-options.js";
import type { OpenAIServer } from "./request/servers.js";

/** The options of `openai()`. */
export interface OpenAIOptions extends ProviderOptions {
  /**
   * The API to use. `chat`, the default, is Chat Completions, which many servers support. `responses` is OpenAI's newer
   * API, with tools that OpenAI runs and reasoning that is sent back to the model.
   */
  readonly api?: "chat" | "responses" | undefined;
  /**
   * The kind of server. A local one (`llama.cpp`, `lmstudio`, `ollama`, `vllm`) enforces schemas by a grammar, not by
   * OpenAI's strict rules. Default: found by the host of `baseURL`; a server that is not OpenAI or Azure is `other`
   */
  readonly server?: OpenAIServer | undefined;
  /**
   * The model behind a name that does not show it, such as a deployment of Azure or an alias: `gpt-6.1-terra`. Its
   * abilities and rules apply. Default: `model`
   */
  readonly family?: string | undefined;
  /** The version of the API of Azure, as its parameter `api-version`. The v1 API of Azure needs none. */
  readonly apiVersion?: string | undefined;
  /**
   * Default: the environment variable `OPENAI_API_KEY`, at Azure `AZURE_OPENAI_API_KEY`. Servers at another `baseURL` may
   * not need a key.
   */
  readonly apiKey?: string | undefined;
  /**
   * Default: the environment variable `OPENAI_BASE_URL`, the address at which a local `server` listens, or the URL of
   * OpenAI. At Azure also the address of the resource, without a path
   */
  readonly baseURL?: string | undefined;
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
}

/** Additional fields of a request, under the names of the API. Fields not listed here are also sent. */
export interface OpenAIExtra extends AnyExtra {
  readonly service_tier?: "auto" | "default" | "flex" | "priority" | undefined;
  readonly store?: boolean | undefined;
  readonly user?: string | undefined;
  readonly prompt_cache_key?: string | undefined;
  readonly top_logprobs?: number | undefined;

  /** Chat Completions. */
  readonly frequency_penalty?: number | undefined;
  readonly presence_penalty?: number | undefined;
  readonly verbosity?: "low" | "medium" | "high" | undefined;
  readonly logprobs?: boolean | undefined;
  /** Requests speech from models that support it: `["text", "audio"]`, with `audio: {voice, format: "pcm16"}`. */
  readonly modalities?: ("text" | "audio")[] | undefined;
  readonly audio?: (JsonObject & { readonly voice: JsonValue; readonly format: string }) | undefined;

  /** Responses: instructions before all messages. */
  readonly instructions?: string | undefined;
  /** Responses: id of the stored response that this request continues. */
  readonly previous_response_id?: string | undefined;
  /** Responses: additional output, such as `reasoning.encrypted_content`. */
  readonly include?: string[] | undefined;
  /** Responses: `{summary: "auto"}` requests reasoning summaries. Merged with the effort of the call. */
  readonly reasoning?: (JsonObject & { readonly summary?: "auto" | "concise" | "detailed" }) | undefined;
  /** Responses: `{verbosity: "low"}`. Merged with the response format of the call. */
  readonly text?: (JsonObject & { readonly verbosity?: "low" | "medium" | "high" }) | undefined;
}
