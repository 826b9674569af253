import type { UsagePart } from "../run/run-parts.js";
import type { AgUiUsage } from "./events.js";

/** The usage of a run, one entry per model. */
export class AgUiUsages {
  private readonly byModel = new Map<string | undefined, Sums>();

  add({ model, usage }: UsagePart): void {
    const { inputTokens, outputTokens, totalTokens, details } = usage;
    const counts: AgUiCounts = {
      inputTokens,
      outputTokens,
      totalTokens,
      reasoningTokens: details?.reasoningTokens,
      cachedInputTokens: details?.cacheReadTokens,
      cacheWriteInputTokens: details?.cacheWriteTokens,
    };
    const sums: Sums = this.byModel.get(model) ?? {};
    for (const [name, count] of Object.entries(counts) as [keyof AgUiCounts, number | undefined][]) {
      if (count !== undefined) sums[name] = (sums[name] ?? 0) + count;
    }
    this.byModel.set(model, sums);
  }

  /** The `usage` field of the last event, or no field if nothing is known. */
  get field(): { readonly usage?: readonly AgUiUsage[] } {
    if (this.byModel.size === 0) return {};
    const entries = [...this.byModel];
    return { usage: entries.map(([model, counts]) => (model === undefined ? counts : { model, ...counts })) };
  }
}

type AgUiCounts = Readonly<Record<Exclude<keyof AgUiUsage, "model">, number | undefined>>;
type Sums = { -readonly [Name in keyof AgUiCounts]?: number };
