import type { Usage, UsageDetails } from "../../messages/usage.js";
import { count, type Loose, record, someOf } from "../loose.js";

/** The `usage` of either API, which call the same by different names. `undefined` if there are no counts in it. */
export function usageOf(usage: Loose): Usage | undefined {
  const inputTokens = count(usage["prompt_tokens"]) ?? count(usage["input_tokens"]);
  const outputTokens = count(usage["completion_tokens"]) ?? count(usage["output_tokens"]);
  const sum =
    inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
  const totalTokens = count(usage["total_tokens"]) ?? sum;
  const details = detailsOf(usage);
  return someOf({ inputTokens, outputTokens, totalTokens, details });
}

function detailsOf(usage: Loose): UsageDetails | undefined {
  const input = record(usage["prompt_tokens_details"] ?? usage["input_tokens_details"]);
  const output = record(usage["completion_tokens_details"] ?? usage["output_tokens_details"]);
  return someOf({
    cacheReadTokens: count(input["cached_tokens"]) ?? count(usage["prompt_cache_hit_tokens"]),
    reasoningTokens: count(output["reasoning_tokens"]),
    inputAudioTokens: count(input["audio_tokens"]),
    outputAudioTokens: count(output["audio_tokens"]),
  });
}
