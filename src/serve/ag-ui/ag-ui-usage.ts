import { addUsage } from "../../text/add-usage.js";
import type { UsagePart } from "../run/run-parts.js";
import type { AgUiSpent, AgUiUsage } from "./events.js";
import { withoutUndefined } from "../../json/value.js";

/** The usage of a run, one entry per model. */
export class AgUiUsages {
  private readonly byModel = new Map<string | undefined, UsagePart["usage"]>();
  private total: UsagePart["usage"] | undefined;

  add({ model, usage }: UsagePart): void {
    this.total = addUsage(this.total, usage);
    this.byModel.set(model, addUsage(this.byModel.get(model), usage) as UsagePart["usage"]);
  }

  /** The fields of the last event, or none if nothing is known. */
  get fields(): AgUiSpent {
    if (this.total === undefined) return {};
    const { cost } = this.total;
    const usage = Array.from(this.byModel, ([model, counts]) => toAgUiUsage(model, counts));
    return { usage, ...(cost !== undefined && { metadata: { cost } }) };
  }
}

function toAgUiUsage(model: string | undefined, usage: UsagePart["usage"]): AgUiUsage {
  const { inputTokens, outputTokens, totalTokens, details } = usage;
  return withoutUndefined({
    model,
    inputTokens,
    outputTokens,
    totalTokens,
    reasoningTokens: details?.reasoningTokens,
    cachedInputTokens: details?.cacheReadTokens,
    cacheWriteInputTokens: details?.cacheWriteTokens,
  });
}
