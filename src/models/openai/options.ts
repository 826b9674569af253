import type { JsonObject, JsonValue } from "../../json/value.js";
import type { AnyExtra } from "../contract/chat-model.js";
import type { ProviderOptions } from "../contract/provider-options.js";

/** The options of `openai()`. */
export interface OpenAIOptions extends ProviderOptions {
  /**
   * Which of the two APIs is asked. `chat`, the default, is Chat Completions, which very many servers speak. `responses`
   * is OpenAI's newer one, with tools that OpenAI runs and reasoning that goes back to the model.
   */
  readonly api?: "chat" | "responses" | undefined;
  /** Default: the environment's `OPENAI_API_KEY`. A server at another `baseURL` may need none. */
  readonly apiKey?: string | undefined;
  /** Default: the environment's `OPENAI_BASE_URL`, or OpenAI's own. */
  readonly baseURL?: string | undefined;
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
}

/** Further fields of a request, as the API has them. Those not named here go through too. */
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
  /** `["text", "audio"]` with `audio: {voice, format: "pcm16"}` makes a model speak that can. */
  readonly modalities?: ("text" | "audio")[] | undefined;
  readonly audio?: (JsonObject & { readonly voice: JsonValue; readonly format: string }) | undefined;

  /** Responses: what comes before all messages. */
  readonly instructions?: string | undefined;
  /** Responses: the answer that this request goes on from, where OpenAI stored it. */
  readonly previous_response_id?: string | undefined;
  /** Responses: what the answer is to have besides, such as `reasoning.encrypted_content`. */
  readonly include?: string[] | undefined;
  /** Responses: the tools that OpenAI runs, such as `{type: "web_search"}`. They come besides the `tools` of the call. */
  readonly tools?: (JsonObject & { readonly type: string })[] | undefined;
  /** Responses: `{summary: "auto"}` shows what the model thinks. The effort of the call goes into it. */
  readonly reasoning?: (JsonObject & { readonly summary?: "auto" | "concise" | "detailed" }) | undefined;
  /** Responses: `{verbosity: "low"}`. The response format of the call goes into it. */
  readonly text?: (JsonObject & { readonly verbosity?: "low" | "medium" | "high" }) | undefined;
}
