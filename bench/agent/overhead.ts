/** The overhead of the agent per token, with a model that costs nothing. */
import { counted, type Figure, flatness, highest, rounded } from "../harness/figures.js";
import { goal, type Goal, type Part } from "../harness/suite.js";
import { grid, withFlatness } from "../harness/tables.js";
import { callChunks, textChunks } from "../model-streams.js";
import { drain } from "../reading.js";
import { responseIn, schema, tokensOf } from "./answer.js";
import { processorTime } from "./processor-time.js";

/** Size of the answer in KB. */
const sizes = [64, 256, 1024];

const strategies = ["tool strategy", "provider strategy"] as const;

/** `events` reads the events only, `partials` also each partial value. */
const cases = strategies.flatMap((it) => [`${it}, events`, `${it}, partials`] as const);
type CaseName = (typeof cases)[number];

export const overhead: Part = withFlatness(
  grid({
    text: `## Overhead per token

A structured answer in tokens of 4 characters from a model that has them ready. Nanoseconds of processor time per token
for merging, parsing, the schema's guard, patches and events; \`partials\` also creates an immutable value per token.`,
    rows: cases,
    columns: sizes,
    heading: (size) => `${size} KB`,
    cell: costOf,
  }),
);

export const overheadGoals: readonly Goal[] = strategies.flatMap((strategy) => {
  const costs = sizes.map((size) => costOf(`${strategy}, events`, size));
  return [
    goal(`${strategy}, events: ns per token, highest`, highest(costs, rounded), "≤ 5000"),
    goal(`${strategy}, events: flat within`, flatness(costs), "≤ 1.5"),
  ];
});

function costOf(name: CaseName, size: number): Figure {
  return counted(`overhead, ${name}, ${size} KB`, async () => {
    const { createAgent, providerStrategy, toolStrategy } = await import("millrace");
    const { scriptedModel } = await import("millrace/testing");
    const tokens = tokensOf(size);
    const asTool = name.startsWith("tool strategy");
    const model = scriptedModel(asTool ? callChunks(tokens, "Contacts") : textChunks(tokens));
    const responseFormat = asTool ? toolStrategy(schema) : providerStrategy(schema);
    const agent = createAgent({ model, responseFormat });
    // Without this, V8 collects the chunks during the first run, regards the run's first objects as long-lived, and
    // allocates all later ones in the old generation.
    globalThis.gc?.();
    const run = async (): Promise<unknown> =>
      name.endsWith("partials") ? drain(agent.partials("Who?")) : responseIn(agent.stream("Who?"));
    return ((await processorTime(run)) * 1e6) / tokens.length;
  });
}
