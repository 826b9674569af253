import { expect, it } from "vitest";
import { runCost, type TokenPrices } from "#src/client/devtools/prices.js";
import { emptyReport } from "#src/client/devtools/run-report.js";

const prices: TokenPrices = {
  "gpt-5": { input: 10, output: 100 },
  "gpt-5-mini": { input: 1, output: 10, cacheRead: 0.1 },
};
const tokens = { inputTokens: 3_000_000, outputTokens: 1_000_000, details: { cacheReadTokens: 2_000_000 } };

it("is that of the longest name with which the model begins", () => {
  expect(runCost({ ...emptyReport, model: "gpt-5-mini-2025-08-07", tokens }, prices)).toBeCloseTo(
    1 + 0.2 + 10,
  );
  expect(runCost({ ...emptyReport, model: "gpt-5", tokens }, prices)).toBeCloseTo(30 + 100);
});

it("is unknown without tokens, and without a price for the model", () => {
  expect(runCost({ ...emptyReport, model: "gpt-5" }, prices)).toBeUndefined();
  expect(runCost({ ...emptyReport, tokens }, prices)).toBeUndefined();
  expect(runCost({ ...emptyReport, model: "claude-haiku-4-5", tokens }, prices)).toBeUndefined();
});
