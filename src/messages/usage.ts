/**
 * What a call has cost, in tokens. Inside one stream it is cumulative: a later report takes the place of an earlier
 * one, field by field. (Providers either report once at the end, as OpenAI does, or the total so far with each chunk.)
 */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** As the provider counts it, which may be more than input and output: xAI adds the reasoning only here. */
  readonly totalTokens?: number;
  readonly details?: UsageDetails;
}

/** Parts of the counts above, as far as the provider tells them. */
export interface UsageDetails {
  /** Input tokens that came from the provider's cache. */
  readonly cacheReadTokens?: number;
  readonly reasoningTokens?: number;
  readonly inputAudioTokens?: number;
  readonly outputAudioTokens?: number;
}

export function mergeUsage(earlier: Usage | undefined, later: Usage | undefined): Usage | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier;
  const merged = { ...earlier, ...later };
  if (earlier.details === undefined || later.details === undefined) return merged;
  return { ...merged, details: { ...earlier.details, ...later.details } };
}
