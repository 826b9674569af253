/** The processor time of an agent: per token, with a model that costs nothing, and of an answer beside other agents. */
import { isDeepStrictEqual } from "node:util";
import type { AgentEvent } from "millrace";
import { z } from "zod";
import { blocks } from "../../test/support/pieces.js";
import { counted, type Figure, flatness, highest, ranged, tokensASecond } from "../harness/figures.js";
import { compared, goal, type Goal, type Suite } from "../harness/suite.js";
import { namesOf } from "../harness/tables.js";
import { inputs } from "../inputs.js";
import { callChunks, callEventsOf, textChunks, textEventsOf } from "../model-streams.js";
import { readsOf, responseOf } from "../../test/support/provider-events.js";
import { drain, keep } from "../reading.js";
import { loadPeer } from "../../test/support/peers.js";

/** The schema of all answers. */
export const schema = z
  .object({
    contacts: z.array(
      z.object({
        id: z.number().int(),
        name: z.string(),
        email: z.string(),
        age: z.number().int().min(0).max(150),
        active: z.boolean(),
        address: z.object({ street: z.string(), city: z.string(), zip: z.string().nullable() }),
        tags: z.array(z.string()),
      }),
    ),
  })
  .meta({ title: "Contacts" });

const strategies = { "tool strategy": "toolStrategy", "provider strategy": "providerStrategy" } as const;
type Strategy = keyof typeof strategies;

/** Requests the structured answer once, reads the whole stream and returns the answer. */
type AskOnce = () => Promise<unknown>;

type Fetch = typeof globalThis.fetch;

const baseURL = "http://localhost/v1";
const question = "Who is there?";

/** Reads the events with their patches, or the partial values. */
async function millrace(fetch: Fetch, strategy: Strategy, partials = false): Promise<AskOnce> {
  const { createAgent } = await import("millrace");
  const { [strategies[strategy]]: responseFormat } = await import("millrace/agent");
  const { openai } = await import("millrace/openai");
  const model = openai({ model: "m", baseURL, apiKey: "none", fetch });
  const agent = createAgent({ model, responseFormat: responseFormat(schema) });
  return () => (partials ? drain(agent.partials(question)) : responseIn(agent.stream(question)));
}

/** It streams messages. The structured answer appears only at the end. */
async function langChain(fetch: Fetch, strategy: Strategy): Promise<AskOnce> {
  const langchain = await loadPeer("langchain");
  const { ChatOpenAI } = await loadPeer("@langchain/openai");
  const configuration = { baseURL, fetch };
  const model = new ChatOpenAI({ model: "m", apiKey: "none", streaming: true, configuration });
  const responseFormat = langchain[strategies[strategy]](schema);
  const agent = langchain.createAgent({ model, tools: [], responseFormat });
  return async () => {
    let answer: unknown;
    const messages = [{ role: "user", content: question }];
    const stream = await agent.stream({ messages }, { streamMode: ["messages", "values"] });
    for await (const [mode, part] of stream) {
      keep(part);
      if (mode === "values") answer = part.structuredResponse;
    }
    return answer;
  };
}

async function aiSdk(fetch: Fetch): Promise<AskOnce> {
  const { Output, streamText } = await loadPeer("ai");
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({ name: "peer", baseURL, fetch, supportsStructuredOutputs: true });
  return async () => {
    const output = Output.object({ schema });
    const result = streamText({ model: provider.chatModel("m"), prompt: question, output });
    await drain(result.partialOutputStream);
    return result.output;
  };
}

const overheadGoals = namesOf(strategies).flatMap((strategy) => {
  const costs = [64, 256, 1024].map((kilobytes) => overheadOf(strategy, kilobytes));
  return [
    goal(`${strategy}: ns per token, highest`, highest(costs, ranged), "≤ 5000"),
    goal(`${strategy}: flat within`, flatness(costs), "≤ 1.5"),
  ];
});

/** Ours does the same work or more: LangChain.js shows no partial structured answer. */
const answerGoals = [
  ...namesOf(strategies).map((strategy) =>
    faster(
      timeOf(`millrace, ${strategy}`, (fetch) => millrace(fetch, strategy)),
      `LangChain.js createAgent, ${strategy}`,
      (fetch) => langChain(fetch, strategy),
    ),
  ),
  faster(
    timeOf("millrace, provider strategy, partials", (fetch) => millrace(fetch, "provider strategy", true)),
    "AI SDK streamText with Output.object",
    aiSdk,
  ),
];

function faster(ours: Figure, theirs: string, load: (fetch: Fetch) => Promise<AskOnce>): Goal {
  const name = `an answer of 40 KB: processor time of ${theirs} divided by ours`;
  return compared(name, ours, timeOf(theirs, load), "≥ 20");
}

export const agent: Suite = {
  name: "agent",
  smoke: /^overhead, tool strategy, 64 KB|^processor, .*tool strategy/,
  intro: `Processor time, user and system, in a warm process. A structured answer in tokens of 4 characters. The time per
token is that for merging, parsing, the schema's guard, patches and events, from a model that has its tokens ready. The
answer of 40 KB, in milliseconds, comes from a \`fetch\` that has its bytes ready, in reads of 16 KB. The AI SDK shows
partial answers, so ours yields partial values there.`,
  goals: [...overheadGoals, ...answerGoals],
};

/** Nanoseconds per token. */
function overheadOf(strategy: Strategy, kilobytes: number): Figure {
  return counted(`overhead, ${strategy}, ${kilobytes} KB`, async () => {
    const { createAgent } = await import("millrace");
    const { [strategies[strategy]]: responseFormat } = await import("millrace/agent");
    const { scriptedModel } = await import("millrace/testing");
    const tokens = tokensOf(kilobytes);
    const chunks = strategy === "tool strategy" ? callChunks(tokens, "Contacts") : textChunks(tokens);
    const agent = createAgent({ model: scriptedModel(chunks), responseFormat: responseFormat(schema) });
    // Without this, V8 collects the chunks during the first run, regards the run's first objects as long-lived, and
    // allocates all later ones in the old generation.
    globalThis.gc?.();
    return ((await processorTime(() => responseIn(agent.stream("Who?")))) * 1e6) / tokens.length;
  });
}

/** Milliseconds. */
function timeOf(name: string, load: (fetch: Fetch) => Promise<AskOnce>): Figure {
  const time = counted(`processor, ${name}`, async () => {
    const tokens = tokensOf(40);
    const ask = await load(answering(tokens));
    const expected: unknown = JSON.parse(tokens.join(""));
    return processorTime(async () => {
      if (!isDeepStrictEqual(await ask(), expected)) throw new Error(`${name} gave another answer`);
    });
  });
  return { ...time, unit: (ms) => `ms, ${tokensASecond(10 * 1024, ms * 1e6)}` };
}

/** The answer in tokens of four characters. */
function tokensOf(kilobytes: number): string[] {
  return blocks(inputs.contacts(kilobytes * 1024), 4);
}

/** Answers with the tokens at once, as the arguments of a call if there is a tool, else as text. */
function answering(tokens: readonly string[]): Fetch {
  const asText = readsOf(textEventsOf(tokens), 16 * 1024);
  let asCall: typeof asText | undefined;
  return (_, init) => {
    const { tools } = JSON.parse(init?.body as string) as { tools?: { function: { name: string } }[] };
    const tool = tools?.at(-1)?.function.name;
    if (tool !== undefined) asCall ??= readsOf(callEventsOf(tool, tokens), 16 * 1024);
    return Promise.resolve(responseOf(asCall ?? asText));
  };
}

/** Reads all events of a run and returns its structured response. */
async function responseIn(events: AsyncIterable<AgentEvent>): Promise<unknown> {
  let response: unknown;
  for await (const event of events) {
    keep(event);
    if (event.type === "structured") response = event.value;
  }
  if (response === undefined) throw new Error("The run has ended without its structured response");
  return response;
}

/**
 * Milliseconds of processor time (user and system) of a pass, after a warm-up of 3 s: the mean of the passes of a
 * second, or of one that takes longer. Unlike wall-clock time, it does not depend on other work on the machine.
 */
async function processorTime(pass: () => Promise<unknown>): Promise<number> {
  const once = async (): Promise<number> => {
    const before = process.cpuUsage();
    await pass();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  for (let spent = 0; spent < 3_000;) spent += await once();
  let [spent, runs] = [0, 0];
  for (; spent < 1_000; runs++) spent += await once();
  return spent / runs;
}
