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
