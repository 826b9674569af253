import type { AnyExtra } from "../chat-model.js";
import type { ProviderOptions } from "../provider-options.js";

/** The options of `openai()`. */
export interface OpenAIOptions extends ProviderOptions {
  /** Default: the environment's `OPENAI_API_KEY`. A server at another `baseURL` may need none. */
  readonly apiKey?: string | undefined;
  /** Default: the environment's `OPENAI_BASE_URL`, or OpenAI's own. */
  readonly baseURL?: string | undefined;
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
}

/** Further fields of a request, as the API has them. Those not named here go through too. */
export interface OpenAIExtra extends AnyExtra {
  readonly frequency_penalty?: number | undefined;
  readonly presence_penalty?: number | undefined;
  readonly service_tier?: "auto" | "default" | "flex" | "priority" | undefined;
  readonly store?: boolean | undefined;
  readonly user?: string | undefined;
  readonly verbosity?: "low" | "medium" | "high" | undefined;
  readonly prompt_cache_key?: string | undefined;
}
