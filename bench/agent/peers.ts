import { drain, keep } from "../source-and-sink.js";
import { loadPeer } from "../untyped-peers.js";
import { responseIn, schema } from "./answer.js";

/** Requests the structured answer once, reads the whole stream and returns the answer. */
export type AskOnce = () => Promise<unknown>;

type Strategy = "toolStrategy" | "providerStrategy";

/** Each is loaded only in the process that measures it and used as documented. */
export const agents = {
  "millrace, tool strategy": millrace("toolStrategy"),
  "millrace, provider strategy": millrace("providerStrategy"),
  "millrace, provider strategy, partials": millrace("providerStrategy", true),
  "LangChain.js createAgent, tool strategy": langChain("toolStrategy"),
  "LangChain.js createAgent, provider strategy": langChain("providerStrategy"),
  "AI SDK streamText with Output.object": async (baseURL, model) => {
    const { Output, streamText } = await loadPeer("ai");
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const provider = createOpenAICompatible({ name: "local", baseURL, supportsStructuredOutputs: true });
    return async () => {
      const output = Output.object({ schema });
      const result = streamText({ model: provider.chatModel(model), prompt: question, output });
      await drain(result.partialOutputStream);
      return result.output;
    };
  },
} satisfies Readonly<Record<string, Prepare>>;

export type AgentName = keyof typeof agents;

type Prepare = (baseURL: string, model: string) => Promise<AskOnce>;

const question = "Who is there?";

/** Reads the events with their patches, or the partial values. */
function millrace(strategy: Strategy, partials = false): Prepare {
  return async (baseURL, model) => {
    const { createAgent, providerStrategy, toolStrategy } = await import("millrace");
    const { openai } = await import("millrace/openai");
    const agent = createAgent({
      model: openai({ model, baseURL, apiKey: "none" }),
      responseFormat: strategy === "toolStrategy" ? toolStrategy(schema) : providerStrategy(schema),
    });
    return () => (partials ? drain(agent.partials(question)) : responseIn(agent.stream(question)));
  };
}

/** It streams messages. The structured answer appears only at the end. */
function langChain(strategy: Strategy): Prepare {
  return async (baseURL, model) => {
    const langchain = await loadPeer("langchain");
    const { ChatOpenAI } = await loadPeer("@langchain/openai");
    const chat = new ChatOpenAI({ model, apiKey: "none", streaming: true, configuration: { baseURL } });
    const responseFormat = langchain[strategy](schema);
    const agent = langchain.createAgent({ model: chat, tools: [], responseFormat });
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
  };
}
