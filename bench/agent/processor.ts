/** The processor time of a complete answer, beside other agents on the same server. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { isDeepStrictEqual } from "node:util";
import { counted, type Figure, quotient, ranged } from "../figures.js";
import { atLeast, met } from "../goals.js";
import type { Part } from "../suite.js";
import { answerOf } from "./answer.js";
import { type AgentName, agents } from "./peers.js";
import { processorTime } from "./processor-time.js";

/** Size of the answer in KB. The goal is for the second. */
const sizes = [4, 40] as const;
const goal = 20;

/** Ours does the same work or more: LangChain.js shows no partial structured answer. */
const pairs: readonly (readonly [ours: AgentName, theirs: AgentName])[] = [
  ["millrace, tool strategy", "LangChain.js createAgent, tool strategy"],
  ["millrace, provider strategy", "LangChain.js createAgent, provider strategy"],
  ["millrace, provider strategy, partials", "AI SDK streamText with Output.object"],
];

export const processor: readonly Part[] = [
  {
    text: `## Processor time

A structured answer in tokens of 4 characters over HTTP from a server in another process. Milliseconds of processor time (user and
system) in a warm process.`,
    head: ["", ...sizes.map((size) => `${size} KB`)],
    rows: Object.keys(agents).map((name) => [name, ...sizes.map((size) => timeOf(name as AgentName, size))]),
  },
  {
    text: `Their time divided by ours with the same strategy; for the AI SDK, which shows partial answers, by ours with partials. The goal: at least ${goal} at ${sizes[1]} KB.`,
    head: ["", ...sizes.map((size) => `${size} KB`), "met"],
    rows: pairs.map(([ours, theirs]) => {
      const timesAt = (size: number): Figure => quotient(timeOf(theirs, size), timeOf(ours, size));
      return [theirs, ...sizes.map(timesAt), met(timesAt(sizes[1]), atLeast(goal))];
    }),
  },
];

function timeOf(name: AgentName, size: number): Figure {
  const count = (): Promise<number> =>
    withServer(async (baseURL) => {
      const ask = await agents[name](baseURL, `contacts-${size}`);
      const expected: unknown = JSON.parse(answerOf(size));
      return processorTime(async () => {
        if (!isDeepStrictEqual(await ask(), expected)) throw new Error(`${name} gave another answer`);
      });
    });
  return counted(`processor, ${name}, ${size} KB`, count, ranged);
}

/** Runs `work` with a server in a separate process. */
async function withServer<T>(work: (baseURL: string) => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, ["--import", "tsx", "bench/agent/server.ts"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const [port] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
    return await work(`http://127.0.0.1:${port.trim()}/v1`);
  } finally {
    child.stdin.end();
  }
}
