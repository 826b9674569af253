import type { Usage } from "../../messages/usage.js";
import { known } from "../../models/loose.js";
import type { OpenTelemetryAttributes } from "./api.js";

/** What a call or a run has cost, as far as it is known. */
export function usageAttributes({ inputTokens, outputTokens, details = {} }: Usage): OpenTelemetryAttributes {
  return known({
    "gen_ai.usage.input_tokens": inputTokens,
    "gen_ai.usage.output_tokens": outputTokens,
    "gen_ai.usage.cache_read.input_tokens": details.cacheReadTokens,
    "gen_ai.usage.cache_creation.input_tokens": details.cacheWriteTokens,
    "gen_ai.usage.reasoning.output_tokens": details.reasoningTokens,
  });
}
