import { usageReader } from "../wire/usage-reader.js";

export const mapOpenAIUsage = usageReader({
  inputTokens: "prompt_tokens input_tokens",
  outputTokens: "completion_tokens output_tokens",
  totalTokens: "total_tokens",
  cacheReadTokens: `
      prompt_tokens_details.cached_tokens input_tokens_details.cached_tokens prompt_cache_hit_tokens
    `,
  reasoningTokens: "completion_tokens_details.reasoning_tokens output_tokens_details.reasoning_tokens",
  inputAudioTokens: "prompt_tokens_details.audio_tokens input_tokens_details.audio_tokens",
  outputAudioTokens: "completion_tokens_details.audio_tokens output_tokens_details.audio_tokens",
});
