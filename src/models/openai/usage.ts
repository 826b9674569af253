import type { Usage, UsageDetails } from "../../messages/usage.js";
import { asNumber, type Loose, asRecord, fieldsOrUndefined } from "../loose.js";

/** Maps the `usage` of either API, which use different names. `undefined` if it contains no counts. */
export function mapOpenAIUsage(usage: Loose): Usage | undefined {
  const inputTokens = asNumber(usage["prompt_tokens"]) ?? asNumber(usage["input_tokens"]);
  const outputTokens = asNumber(usage["completion_tokens"]) ?? asNumber(usage["output_tokens"]);
  const sum =
    inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
  const totalTokens = asNumber(usage["total_tokens"]) ?? sum;
  const details = detailsOf(usage);
  return fieldsOrUndefined({ inputTokens, outputTokens, totalTokens, details });
}

function detailsOf(usage: Loose): UsageDetails | undefined {
  const input = asRecord(usage["prompt_tokens_details"] ?? usage["input_tokens_details"]);
  const output = asRecord(usage["completion_tokens_details"] ?? usage["output_tokens_details"]);
  return fieldsOrUndefined({
    cacheReadTokens: asNumber(input["cached_tokens"]) ?? asNumber(usage["prompt_cache_hit_tokens"]),
    reasoningTokens: asNumber(output["reasoning_tokens"]),
    inputAudioTokens: asNumber(input["audio_tokens"]),
    outputAudioTokens: asNumber(output["audio_tokens"]),
  });
}
