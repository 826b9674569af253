import { wordSet } from "../../../text/words-in.js";
import type { Usage } from "../../../messages/usage.js";
import { asNumber, type Loose, asRecord, fieldsOrUndefined, sumOf } from "../../loose.js";

/**
 * Converts the `usage` of a message. Anthropic counts cache reads and writes beside `input_tokens`. Here, as for all
 * providers, `inputTokens` is the whole input, and the details are parts of it.
 */
export function mapAnthropicUsage(counts: Loose): Usage | undefined {
  const cacheReadTokens = asNumber(counts["cache_read_input_tokens"]);
  const cacheWriteTokens = asNumber(counts["cache_creation_input_tokens"]);
  const inputTokens = sumOf(asNumber(counts["input_tokens"]), cacheReadTokens, cacheWriteTokens);
  const outputTokens = asNumber(counts["output_tokens"]);
  const reasoningTokens = asNumber(asRecord(counts["output_tokens_details"])["thinking_tokens"]);
  return fieldsOrUndefined({
    inputTokens,
    outputTokens,
    totalTokens: sumOf(inputTokens, outputTokens),
    details: fieldsOrUndefined({ cacheReadTokens, cacheWriteTokens, reasoningTokens }),
  });
}

export const usageFields = wordSet(
  "input_tokens output_tokens cache_read_input_tokens cache_creation_input_tokens output_tokens_details",
);
