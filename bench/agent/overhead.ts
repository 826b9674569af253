/** The overhead of the agent per token, with a model that costs nothing. */
import { counted, type Figure, flatness, highest, rounded } from "../harness/figures.js";
import { goal, type Goal } from "../harness/suite.js";
import { callChunks, textChunks } from "../model-streams.js";
import { processorTime, responseIn, schema, tokensOf } from "./answer.js";

/** Size of the answer in KB. */
const sizes = [64, 256, 1024];

const strategies = ["tool strategy", "provider strategy"] as const;

export const overheadGoals: readonly Goal[] = strategies.flatMap((strategy) => {
  const costs = sizes.map((size) => costOf(strategy, size));
  return [
    goal(`${strategy}: ns per token, highest`, highest(costs, rounded), "≤ 5000"),
    goal(`${strategy}: flat within`, flatness(costs), "≤ 1.5"),
  ];
});

/** Nanoseconds per token. */
function costOf(strategy: (typeof strategies)[number], size: number): Figure {
  return counted(`overhead, ${strategy}, ${size} KB`, async () => {
    const { createAgent, providerStrategy, toolStrategy } = await import("millrace");
    const { scriptedModel } = await import("millrace/testing");
    const tokens = tokensOf(size);
    const asTool = strategy === "tool strategy";
    const model = scriptedModel(asTool ? callChunks(tokens, "Contacts") : textChunks(tokens));
    const responseFormat = asTool ? toolStrategy(schema) : providerStrategy(schema);
    const agent = createAgent({ model, responseFormat });
    // Without this, V8 collects the chunks during the first run, regards the run's first objects as long-lived, and
    // allocates all later ones in the old generation.
    globalThis.gc?.();
    return ((await processorTime(() => responseIn(agent.stream("Who?")))) * 1e6) / tokens.length;
  });
}
