import type { UsagePart } from "../run-parts.js";
import type { AgUiUsage } from "./events.js";

/** What a run has cost, one entry for each model. */
export class AgUiUsages {
  private readonly byModel = new Map<string | undefined, AgUiUsage>();

  add({ model, usage }: UsagePart): void {
    const { inputTokens, outputTokens, totalTokens, details } = usage;
    const counts = {
      inputTokens,
      outputTokens,
      totalTokens,
      reasoningTokens: details?.reasoningTokens,
      cachedInputTokens: details?.cacheReadTokens,
      cacheWriteInputTokens: details?.cacheWriteTokens,
    };
    const before: AgUiUsage = this.byModel.get(model) ?? (model === undefined ? {} : { model });
    const sums = Object.entries(counts).flatMap(([name, count]) =>
      count === undefined ? [] : [[name, (before[name as keyof typeof counts] ?? 0) + count]],
    );
    this.byModel.set(model, { ...before, ...Object.fromEntries(sums) });
  }

  /** The field of the last event; none if nothing is known. */
  get field(): { readonly usage?: readonly AgUiUsage[] } {
    return this.byModel.size === 0 ? {} : { usage: [...this.byModel.values()] };
  }
}
