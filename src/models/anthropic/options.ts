import type { JsonObject } from "../../json/value.js";
import type { AnyExtra } from "../contract/chat-model.js";
import type { ProviderOptions } from "../contract/provider-options.js";

/** The options of `anthropic()`. */
export interface AnthropicOptions extends ProviderOptions {
  /** Default: the environment variable `ANTHROPIC_API_KEY`. Optional for a server at another `baseURL`. */
  readonly apiKey?: string | undefined;
  /** Default: the environment variable `ANTHROPIC_BASE_URL`, or Anthropic's API. A trailing `/v1` is optional. */
  readonly baseURL?: string | undefined;
  /** The API version. Default: `2023-06-01`, the only version. */
  readonly version?: string | undefined;
  /** Beta features for the header `anthropic-beta`, such as `context-management-2025-06-27`. */
  readonly betas?: readonly string[] | undefined;
}

/** Caches the prompt up to this point for the next request. Default lifetime: 5 minutes. */
export type CacheControl = Readonly<{ type: "ephemeral"; ttl?: "5m" | "1h" }>;

/** Thinking settings that the option `reasoning` of a call does not cover. */
export type AnthropicThinking =
  | { readonly type: "enabled"; readonly budget_tokens: number; readonly display?: "summarized" | "omitted" }
  | { readonly type: "adaptive"; readonly display?: "summarized" | "omitted" }
  | { readonly type: "between_tools" }
  | { readonly type: "disabled" };

/** Additional request fields in the format of the API. Unlisted fields are sent too. */
export interface AnthropicExtra extends AnyExtra {
  /** Sets a cache breakpoint at the last block of the prompt that allows one. */
  readonly cache_control?: CacheControl | undefined;
  /** The container of an earlier response (`message.metadata.container`), or settings for a new one. */
  readonly container?: string | JsonObject | undefined;
  readonly context_management?: JsonObject | undefined;
  readonly inference_geo?: string | undefined;
  readonly mcp_servers?: JsonObject[] | undefined;
  readonly metadata?: { readonly user_id: string } | undefined;
  /** Merged with the settings of `reasoning` and `responseFormat`. */
  readonly output_config?: { readonly effort?: "low" | "medium" | "high" | "xhigh" | "max" } | undefined;
  readonly service_tier?: "auto" | "standard_only" | undefined;
  readonly speed?: "standard" | "fast" | undefined;
  readonly thinking?: AnthropicThinking | undefined;
  readonly top_k?: number | undefined;
}
