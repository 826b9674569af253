/** The overhead of the agent per token, with a model that costs nothing. */
import type { MessageChunk } from "millrace";
import type { CountedCase, Results } from "../suite.js";
import { flatness } from "../statistics.js";
import type { Section } from "../suite.js";
import { drain } from "../sink.js";
import { figure, ratio, table } from "../table.js";
import { answerOf, schema, tokensOf } from "./answer.js";
import { processorTime } from "./processor-time.js";
import { responseIn } from "./response-in.js";

const strategies = ["tool strategy", "provider strategy"] as const;
type Strategy = (typeof strategies)[number];

/** `events` reads the events only, `partials` also each partial value. */
const readings = ["events", "partials"] as const;
type Reading = (typeof readings)[number];

/** Size of the answer in KB. */
const sizes = [64, 256, 1024] as const;
const smallest = sizes[0];

/** Nanoseconds per token. */
const goal = 5_000;
const flatGoal = 1.5;

const rows = strategies.flatMap((strategy) => readings.map((reading) => ({ strategy, reading })));

export const overhead: Section = {
  cases: rows.flatMap(({ strategy, reading }) => sizes.map((size) => overheadCase(strategy, reading, size))),
  smoke: (id) => id === idOf("tool strategy", "events", smallest),
  report,
};

function overheadCase(strategy: Strategy, reading: Reading, size: number): CountedCase {
  return {
    id: idOf(strategy, reading, size),
    count: async () => {
      const { createAgent, providerStrategy, toolStrategy } = await import("millrace");
      const { scriptedModel } = await import("millrace/testing");
      const tokens = tokensOf(answerOf(size));
      const asTool = strategy === "tool strategy";
      const model = scriptedModel(tokens.map(asTool ? toCallChunk : toTextChunk));
      const responseFormat = asTool ? toolStrategy(schema) : providerStrategy(schema);
      const agent = createAgent({ model, responseFormat });
      // Without this, V8 collects the chunks during the first run, regards the run's first objects as long-lived, and
      // allocates all later ones in the old generation.
      globalThis.gc?.();
      const milliseconds = await processorTime(async () => {
        if (reading === "partials") return drain(agent.partials("Who?"));
        const structured = await responseIn(agent.stream("Who?"));
        if (structured === undefined) throw new Error("The run has ended without its structured response");
      });
      return (milliseconds * 1e6) / tokens.length;
    },
  };
}

function toTextChunk(text: string): MessageChunk {
  return { content: [{ type: "text", text }] };
}

function toCallChunk(args: string, index: number): MessageChunk {
  const beginning = index === 0 ? { id: "call_1", name: "Contacts" } : undefined;
  return { content: [{ type: "tool_call_chunk", index: 0, args, ...beginning }] };
}

function report(results: Results): string {
  const lines = rows.map(({ strategy, reading }) => {
    const costs = sizes.map((size) => results.get(idOf(strategy, reading, size))?.median);
    const flat = flatness(costs);
    const highest = Math.max(...costs.map((cost) => cost ?? Infinity));
    const met =
      flat === undefined || reading === "partials" ? "–" : highest < goal && flat < flatGoal ? "yes" : "no";
    return [`${strategy}, ${reading}`, ...costs.map(figure), ratio(flat), met];
  });
  return `## Overhead per token

A structured answer in tokens of 4 characters from a model that has them ready. Nanoseconds of processor time per token for
merging, parsing, the schema's guard, patches and events; \`partials\` also creates an immutable value per token. The goal for
events: less than ${goal.toLocaleString("en")} ns per token, flat within ${flatGoal}.

${table(["", ...sizes.map((size) => `${size} KB`), "flat within", "met"], lines)}`;
}

function idOf(strategy: Strategy, reading: Reading, size: number): string {
  return `overhead, ${strategy}, ${reading}, ${size} KB`;
}
