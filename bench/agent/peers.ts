import type { ChatModel } from "millrace";
import { keep } from "../sink.js";
import { schema } from "./answer.js";
import { responseIn } from "./response-in.js";
import { loadUntyped } from "../load-untyped.js";

/** Requests the structured answer once, reads the whole stream and returns the answer. */
export type AskOnce = () => Promise<unknown>;

/** Each is loaded only in the process that measures it and used as documented. */
export const agents = {
  /** Reads the events with their patches, but no partial values. */
  "millrace, tool strategy": async (baseURL, model) => {
    const { createAgent, toolStrategy } = await import("millrace");
    const agent = createAgent({ model: await openAI(baseURL, model), responseFormat: toolStrategy(schema) });
    return () => responseIn(agent.stream(question));
  },

  "millrace, provider strategy": async (baseURL, model) => {
    const { createAgent, providerStrategy } = await import("millrace");
    const responseFormat = providerStrategy(schema);
    const agent = createAgent({ model: await openAI(baseURL, model), responseFormat });
    return () => responseIn(agent.stream(question));
  },

  "millrace, provider strategy, partials": async (baseURL, model) => {
    const { createAgent, providerStrategy } = await import("millrace");
    const responseFormat = providerStrategy(schema);
    const agent = createAgent({ model: await openAI(baseURL, model), responseFormat });
    return () => lastOf(agent.partials(question));
  },

  /** It streams messages. The structured answer appears only at the end. */
  "LangChain.js createAgent, tool strategy": async (baseURL, model) => {
    const { createAgent, toolStrategy } = await loadUntyped<LangChain>("langchain");
    return langChainAgent(await chatOpenAI(baseURL, model), createAgent, toolStrategy(schema));
  },

  "LangChain.js createAgent, provider strategy": async (baseURL, model) => {
    const { createAgent, providerStrategy } = await loadUntyped<LangChain>("langchain");
    return langChainAgent(await chatOpenAI(baseURL, model), createAgent, providerStrategy(schema));
  },

  "AI SDK streamText with Output.object": async (baseURL, model) => {
    const { Output, streamText } = await loadUntyped<AiSdk>("ai");
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const provider = createOpenAICompatible({ name: "local", baseURL, supportsStructuredOutputs: true });
    return async () => {
      const output = Output.object({ schema });
      const result = streamText({ model: provider.chatModel(model), prompt: question, output });
      await lastOf(result.partialOutputStream);
      return result.output;
    };
  },
} satisfies Readonly<Record<string, (baseURL: string, model: string) => Promise<AskOnce>>>;

export type AgentName = keyof typeof agents;

const question = "Who is there?";

async function lastOf(source: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown;
  for await (const value of source) {
    keep(value);
    last = value;
  }
  return last;
}

async function openAI(baseURL: string, model: string): Promise<ChatModel> {
  const { openai } = await import("millrace/openai");
  return openai({ model, baseURL, apiKey: "none" });
}

async function chatOpenAI(baseURL: string, model: string): Promise<object> {
  const { ChatOpenAI } = await loadUntyped<LangChainOpenAI>("@langchain/openai");
  return new ChatOpenAI({ model, apiKey: "none", streaming: true, configuration: { baseURL } });
}

function langChainAgent(
  model: object,
  createAgent: LangChain["createAgent"],
  responseFormat: object,
): AskOnce {
  const agent = createAgent({ model, tools: [], responseFormat });
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

interface LangChain {
  readonly createAgent: (options: object) => {
    stream(
      input: object,
      options: object,
    ): Promise<AsyncIterable<readonly [mode: string, part: { readonly structuredResponse?: unknown }]>>;
  };
  readonly toolStrategy: (schema: object) => object;
  readonly providerStrategy: (schema: object) => object;
}

interface LangChainOpenAI {
  readonly ChatOpenAI: new (fields: object) => object;
}

interface AiSdk {
  readonly Output: { readonly object: (options: object) => object };
  readonly streamText: (options: object) => {
    readonly partialOutputStream: AsyncIterable<unknown>;
    readonly output: Promise<unknown>;
  };
}
