import type { RunReport } from "./run-report.js";

/** The price of a model for one million tokens. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  /** Input tokens from the provider's cache. Default: the price of input. */
  readonly cacheRead?: number;
}

/** Prices by model. A name also stands for those that begin with it: `gpt-6.1-terra` for `gpt-6.1-terra-2026-10-26`. */
export type TokenPrices = Readonly<Record<string, TokenPrice>>;

/** The cost of a run; `undefined` without its tokens, or without a price for its model. */
export function runCost({ model, tokens }: RunReport, prices: TokenPrices): number | undefined {
  if (tokens === undefined || model === undefined) return undefined;
  const [name] = Object.keys(prices)
    .filter((key) => model.startsWith(key))
    .sort((a, b) => b.length - a.length);
  if (name === undefined) return undefined;
  const { input, output, cacheRead = input } = prices[name] as TokenPrice;
  const cached = tokens.details?.cacheReadTokens ?? 0;
  const fresh = (tokens.inputTokens ?? 0) - cached;
  return (fresh * input + cached * cacheRead + (tokens.outputTokens ?? 0) * output) / 1e6;
}
