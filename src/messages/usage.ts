/** What a call has cost, in tokens. */
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
  /** Input tokens that went into the provider's cache. */
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
  readonly inputAudioTokens?: number;
  readonly outputAudioTokens?: number;
}

/** What a chunk says of its stream's usage: the count so far, and what is to be added to it. */
export interface UsageNews {
  readonly usage?: Usage | undefined;
  readonly usageDelta?: Usage | undefined;
}

/**
 * The news of two chunks as one. A count so far takes the place of what was counted and added before, field by field.
 * (Providers report once at the end, as OpenAI does, or the count so far with each chunk, or what each chunk adds.)
 */
export function mergeUsageNews(a: UsageNews, b: UsageNews): UsageNews {
  if (b.usage === undefined && b.usageDelta === undefined) return a;
  return {
    usage: mergeUsage(a.usage, b.usage),
    usageDelta: addUsage(withoutCounts(a.usageDelta, b.usage), b.usageDelta),
  };
}

/** The sum, field by field: of what is added in one stream, or of several calls. */
export function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (a === undefined || b === undefined) return b ?? a;
  const details = addCounts(a.details, b.details);
  return { ...addCounts(a, b), ...(details === undefined ? undefined : { details }) };
}

function mergeUsage(earlier: Usage | undefined, later: Usage | undefined): Usage | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier;
  const merged = { ...earlier, ...later };
  if (earlier.details === undefined || later.details === undefined) return merged;
  return { ...merged, details: { ...earlier.details, ...later.details } };
}

type Counts = Readonly<Record<string, unknown>>;

function addCounts<C extends object>(a: C | undefined, b: C | undefined): C | undefined {
  if (a === undefined || b === undefined) return b ?? a;
  const sum: Record<string, unknown> = { ...(a as Counts) };
  for (const [key, count] of Object.entries(b)) {
    if (typeof count === "number") sum[key] = ((sum[key] as number | undefined) ?? 0) + count;
  }
  return sum as C;
}

/** Without the fields that are counted anew. */
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
