/** The overhead of the agent per token, with a model that costs nothing. */
import { computed, counted, type Figure, flatness } from "../figures.js";
import { lessThan, met } from "../goals.js";
import { callChunks, textChunks } from "../message-chunks.js";
import { drain } from "../source-and-sink.js";
import type { Part } from "../suite.js";
import { responseIn, schema, tokensOf } from "./answer.js";
import { processorTime } from "./processor-time.js";

/** Size of the answer in KB. */
const sizes = [64, 256, 1024];
/** Nanoseconds per token. */
const goal = 5_000;
const flatGoal = 1.5;

const strategies = ["tool strategy", "provider strategy"] as const;
type Strategy = (typeof strategies)[number];

/** `events` reads the events only, `partials` also each partial value. */
const readings = ["events", "partials"] as const;
type Reading = (typeof readings)[number];

export const overhead: Part = {
  text: `## Overhead per token

A structured answer in tokens of 4 characters from a model that has them ready. Nanoseconds of processor time per token
for merging, parsing, the schema's guard, patches and events; \`partials\` also creates an immutable value per token.
The goal for events: less than ${goal.toLocaleString("en")} ns per token, flat within ${flatGoal}.`,
  head: ["", ...sizes.map((size) => `${size} KB`), "flat within", "met"],
  rows: strategies.flatMap((strategy) =>
    readings.map((reading) => {
      const costs = sizes.map((size) => costOf(strategy, reading, size));
      const flat = flatness(costs);
      const ofGoals = computed([flat, ...costs], (factor = NaN, ...all) =>
        Math.max(factor / flatGoal, ...all.map((cost) => cost / goal)),
      );
      const isMet = reading === "events" ? met(ofGoals, lessThan(1)) : "–";
      return [`${strategy}, ${reading}`, ...costs, flat, isMet];
    }),
  ),
};

function costOf(strategy: Strategy, reading: Reading, size: number): Figure {
  return counted(`overhead, ${strategy}, ${reading}, ${size} KB`, async () => {
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
    const run = async (): Promise<unknown> =>
      reading === "partials" ? drain(agent.partials("Who?")) : responseIn(agent.stream("Who?"));
    return ((await processorTime(run)) * 1e6) / tokens.length;
  });
}
