/** The processor time of a complete answer, beside other agents. */
import { isDeepStrictEqual } from "node:util";
import { counted, type Figure, quotient, ranged } from "../harness/figures.js";
import { goal, type Goal } from "../harness/suite.js";
import { callEventsOf, readsOf, responseOf, textEventsOf } from "../model-streams.js";
import { drain, keep } from "../reading.js";
import { loadPeer } from "../untyped-peers.js";
import { answerOf, processorTime, responseIn, schema, tokensOf } from "./answer.js";

/** Requests the structured answer once, reads the whole stream and returns the answer. */
type AskOnce = () => Promise<unknown>;

type Strategy = "toolStrategy" | "providerStrategy";

const agents = {
  "millrace, tool strategy": (fetch) => millrace("toolStrategy", fetch),
  "millrace, provider strategy": (fetch) => millrace("providerStrategy", fetch),
  "millrace, provider strategy, partials": (fetch) => millrace("providerStrategy", fetch, true),
  "LangChain.js createAgent, tool strategy": (fetch) => langChain("toolStrategy", fetch),
  "LangChain.js createAgent, provider strategy": (fetch) => langChain("providerStrategy", fetch),
  "AI SDK streamText with Output.object": async (fetch) => {
    const { Output, streamText } = await loadPeer("ai");
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const options = { name: "peer", baseURL, fetch, supportsStructuredOutputs: true };
    const provider = createOpenAICompatible(options);
    return async () => {
      const output = Output.object({ schema });
      const result = streamText({ model: provider.chatModel("m"), prompt: question, output });
      await drain(result.partialOutputStream);
      return result.output;
    };
  },
} satisfies Readonly<Record<string, (fetch: Fetch) => Promise<AskOnce>>>;

type AgentName = keyof typeof agents;

type Fetch = typeof globalThis.fetch;

/** Size of the answer in KB. */
const size = 40;

const baseURL = "http://localhost/v1";
const question = "Who is there?";

/** Reads the events with their patches, or the partial values. */
async function millrace(strategy: Strategy, fetch: Fetch, partials = false): Promise<AskOnce> {
  const { createAgent, [strategy]: responseFormat } = await import("millrace");
  const { openai } = await import("millrace/openai");
  const model = openai({ model: "m", baseURL, apiKey: "none", fetch });
  const agent = createAgent({ model, responseFormat: responseFormat(schema) });
  return () => (partials ? drain(agent.partials(question)) : responseIn(agent.stream(question)));
}

/** It streams messages. The structured answer appears only at the end. */
async function langChain(strategy: Strategy, fetch: Fetch): Promise<AskOnce> {
  const langchain = await loadPeer("langchain");
  const { ChatOpenAI } = await loadPeer("@langchain/openai");
  const configuration = { baseURL, fetch };
  const model = new ChatOpenAI({ model: "m", apiKey: "none", streaming: true, configuration });
  const agent = langchain.createAgent({ model, tools: [], responseFormat: langchain[strategy](schema) });
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

/** Answers with the contacts at once, as the arguments of a call if there is a tool, else as text. */
function answering(): Fetch {
  const tokens = tokensOf(size);
  const asText = readsOf(textEventsOf(tokens), 16 * 1024);
  let asCall: typeof asText | undefined;
  return (_, init) => {
    const { tools } = JSON.parse(init?.body as string) as { tools?: { function: { name: string } }[] };
    const tool = tools?.at(-1)?.function.name;
    if (tool !== undefined) asCall ??= readsOf(callEventsOf(tool, tokens), 16 * 1024);
    return Promise.resolve(responseOf(asCall ?? asText));
  };
}

/** Ours does the same work or more: LangChain.js shows no partial structured answer. */
const pairs: readonly (readonly [theirs: AgentName, ours: AgentName])[] = [
  ["LangChain.js createAgent, tool strategy", "millrace, tool strategy"],
  ["LangChain.js createAgent, provider strategy", "millrace, provider strategy"],
  ["AI SDK streamText with Output.object", "millrace, provider strategy, partials"],
];

export const processorGoals: readonly Goal[] = pairs.map(([theirs, ours]) => {
  const [our, their] = [timeOf(ours), timeOf(theirs)];
  const name = `an answer of 40 KB: processor time of ${theirs} divided by ours`;
  return goal(name, quotient(their, our), "≥ 20", { times: [our, their] });
});

/** Milliseconds. */
function timeOf(name: AgentName): Figure {
  const count = async (): Promise<number> => {
    const ask = await agents[name](answering());
    const expected: unknown = JSON.parse(answerOf(size));
    return processorTime(async () => {
      if (!isDeepStrictEqual(await ask(), expected)) throw new Error(`${name} gave another answer`);
    });
  };
  return counted(`processor, ${name}`, count, ranged);
}
