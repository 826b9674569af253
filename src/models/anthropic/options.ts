import type { JsonObject } from "../../json/value.js";
import type { AnyExtra } from "../contract/chat-model.js";
import type { ProviderOptions } from "../contract/provider-options.js";

/** The options of `anthropic()`. */
export interface AnthropicOptions extends ProviderOptions {
  /** Default: the environment's `ANTHROPIC_API_KEY`. A server at another `baseURL` may need none. */
  readonly apiKey?: string | undefined;
  /** Default: the environment's `ANTHROPIC_BASE_URL`, or Anthropic's own. With or without `/v1` at its end. */
  readonly baseURL?: string | undefined;
  /** The version of the API. Default: `2023-06-01`, the only one there is. */
  readonly version?: string | undefined;
  /** Features that are not for all yet, for the header `anthropic-beta`, such as `context-management-2025-06-27`. */
  readonly betas?: readonly string[] | undefined;
}

/** Up to here the prompt is kept for the next request. For 5 minutes, unless told otherwise. */
export type CacheControl = Readonly<{ type: "ephemeral"; ttl?: "5m" | "1h" }>;

/** How the model thinks, where `reasoning` of a call does not say enough. */
export type AnthropicThinking =
  | { readonly type: "enabled"; readonly budget_tokens: number; readonly display?: "summarized" | "omitted" }
  | { readonly type: "adaptive"; readonly display?: "summarized" | "omitted" }
  | { readonly type: "between_tools" }
  | { readonly type: "disabled" };

/** A tool that Anthropic runs or has defined, such as `{ type: "web_search_20250305", name: "web_search", max_uses: 3 }`. */
export type AnthropicServerTool = JsonObject & {
  /** With its date. */
  readonly type: string;
  readonly name?: string;
};

/** Further fields of a request, as the API has them. Those not named here go through too. */
export interface AnthropicExtra extends AnyExtra {
  /** The last block of the prompt that can be, is a place to keep it up to. */
  readonly cache_control?: CacheControl | undefined;
  /** The container of an earlier answer (`message.metadata.container`), or what a new one is to have. */
  readonly container?: string | JsonObject | undefined;
  readonly context_management?: JsonObject | undefined;
  readonly inference_geo?: string | undefined;
  readonly mcp_servers?: JsonObject[] | undefined;
  readonly metadata?: { readonly user_id: string } | undefined;
  /** Goes together with what `reasoning` and `responseFormat` ask for. */
  readonly output_config?: { readonly effort?: "low" | "medium" | "high" | "xhigh" | "max" } | undefined;
  readonly service_tier?: "auto" | "standard_only" | undefined;
  readonly speed?: "standard" | "fast" | undefined;
  readonly thinking?: AnthropicThinking | undefined;
  /** Come after the `tools` of the call. */
  readonly tools?: AnthropicServerTool[] | undefined;
  readonly top_k?: number | undefined;
}
