import { addUsage } from "../text/add-usage.js";

/** Token counts of a model call. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** The total as the provider counts it. It may exceed input plus output: xAI counts reasoning only here. */
  readonly totalTokens?: number;
  readonly details?: UsageDetails;
  /** The cost by the `prices` of the agent. Absent unless the price of each model that was called is known. */
  readonly cost?: number;
}

/** Parts of the counts above, if the provider reports them. */
export interface UsageDetails {
  /** Input tokens read from the provider's cache. */
  readonly cacheReadTokens?: number;
  /** Input tokens written to the provider's cache. */
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
  readonly inputAudioTokens?: number;
  readonly outputAudioTokens?: number;
}

export interface UsageUpdate {
  readonly usage?: Usage | undefined;
  readonly usageDelta?: Usage | undefined;
}

/**
 * Merges the usage of two chunks. A count replaces all earlier counts and additions of the same field. Providers report
 * once at the end (OpenAI), the count so far with each chunk, or the amount that each chunk adds.
 */
export function mergeUsageUpdates(a: UsageUpdate, b: UsageUpdate): UsageUpdate {
  if (b.usage === undefined && b.usageDelta === undefined) return a;
  return {
    usage: mergeUsage(a.usage, b.usage),
    usageDelta: addUsage(withoutCounts(a.usageDelta, b.usage), b.usageDelta),
  };
}

function mergeUsage(earlier: Usage | undefined, later: Usage | undefined): Usage | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier;
  const merged = { ...earlier, ...later };
  if (earlier.details === undefined || later.details === undefined) return merged;
  return { ...merged, details: { ...earlier.details, ...later.details } };
}

function withoutCounts(delta: Usage | undefined, counted: Usage | undefined): Usage | undefined {
  if (delta === undefined || counted === undefined) return delta;
  const details = without(delta.details, counted.details);
  const { details: _, ...others } = delta;
  return { ...without(others, counted), ...(details === undefined ? undefined : { details }) };
}

function without<C extends object>(fields: C | undefined, other: object | undefined): C | undefined {
  if (fields === undefined || other === undefined) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !Object.hasOwn(other, key))) as C;
}
