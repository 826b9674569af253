import type { Usage } from "./usage.js";

/** The price of a model for one million tokens, in the currency of your choice. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
  /** Input tokens read from the provider's cache. Default: the price of input. */
  readonly cacheRead?: number;
  /** Input tokens written to the provider's cache. Default: the price of input. */
  readonly cacheWrite?: number;
}

/** Prices by model. A name also stands for those that begin with it: `gpt-6.1-terra` for `gpt-6.1-terra-2026-10-26`. */
export type TokenPrices = Readonly<Record<string, TokenPrice>>;

/** The usage with its cost, if the price of the model is known. A cost that it already has is kept. */
export function withCost(usage: Usage, model: string | undefined, prices: TokenPrices): Usage {
  const { inputTokens, outputTokens, totalTokens = 0, details = {} } = usage;
  const price = model === undefined ? undefined : priceOf(model, prices);
  if (price === undefined || usage.cost !== undefined) return usage;
  if (inputTokens === undefined || outputTokens === undefined) return usage;
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  const { cacheReadTokens = 0, cacheWriteTokens = 0 } = details;
  const fresh = Math.max(inputTokens - cacheReadTokens - cacheWriteTokens, 0);
  // xAI counts reasoning only in the total.
  const written = Math.max(outputTokens, totalTokens - inputTokens);
  const millionths =
    fresh * input + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite + written * output;
  return { ...usage, cost: millionths / 1e6 };
}

function priceOf(model: string, prices: TokenPrices): TokenPrice | undefined {
  const [name] = Object.keys(prices)
    .filter((key) => model.startsWith(key))
    .sort((a, b) => b.length - a.length);
  return name === undefined ? undefined : prices[name];
}
