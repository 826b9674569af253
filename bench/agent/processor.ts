/** The processor time of a complete answer, beside other agents on the same server. */
import { isDeepStrictEqual } from "node:util";
import { quotient } from "../statistics.js";
import type { Section } from "../suite.js";
import type { CountedCase, Results } from "../suite.js";
import { ratio, table, withRange } from "../table.js";
import { answerOf } from "./answer.js";
import { withServer } from "./local-server.js";
import { type AgentName, agents } from "./peers.js";
import { processorTime } from "./processor-time.js";

/** Size of the answer in KB. */
const sizes = [4, 40] as const;
const [smallest, compared] = sizes;
const names = Object.keys(agents) as AgentName[];
const goal = 20;

/** Ours does the same work or more: LangChain.js shows no partial structured answer. */
const pairs: readonly (readonly [ours: AgentName, theirs: AgentName])[] = [
  ["millrace, tool strategy", "LangChain.js createAgent, tool strategy"],
  ["millrace, provider strategy", "LangChain.js createAgent, provider strategy"],
  ["millrace, provider strategy, partials", "AI SDK streamText with Output.object"],
];

export const processor: Section = {
  cases: names.flatMap((name) => sizes.map((size) => processorCase(name, size))),
  smoke: (id) => pairs[0]?.some((name) => id === idOf(name, smallest)) === true,
  report,
};

function processorCase(name: AgentName, size: number): CountedCase {
  return {
    id: idOf(name, size),
    count: () =>
      withServer(async (baseURL) => {
        const ask = await agents[name](baseURL, `contacts-${size}`);
        const expected: unknown = JSON.parse(answerOf(size));
        return processorTime(async () => {
          const answer = await ask();
          if (!isDeepStrictEqual(answer, expected)) throw new Error(`${name} gave another answer`);
        });
      }),
  };
}

function report(results: Results): string {
  const rows = names.map((name) => [name, ...sizes.map((size) => withRange(results.get(idOf(name, size))))]);
  const goals = pairs.map(([ours, theirs]) => {
    const [times, ...others] = [compared, smallest].map((size) =>
      quotient(results.get(idOf(theirs, size))?.median, results.get(idOf(ours, size))?.median),
    );
    const met = times === undefined ? "–" : times >= goal ? "yes" : "no";
    return [theirs, ...others.map(ratio), ratio(times), met];
  });
  return `## Processor time

A structured answer in tokens of 4 characters over HTTP from a server in another process. Milliseconds of processor time (user and
system) in a warm process.

${table(["", ...sizes.map((size) => `${size} KB`)], rows)}

Their time divided by ours with the same strategy; for the AI SDK, which shows partial answers, by ours with partials. The goal: at least ${goal} at ${compared} KB.

${table(["", `${smallest} KB`, `${compared} KB`, "met"], goals)}`;
}

function idOf(name: AgentName, size: number): string {
  return `processor, ${name}, ${size} KB`;
}
