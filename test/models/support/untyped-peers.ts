import { loadUntyped } from "../../support/load-untyped.js";

/**
 * Types of packages whose declarations do not compile with our flags. They are loaded by a name that the compiler does
 * not resolve.
 */
export async function loadLangChain(): Promise<LangChain> {
  const [messages, testing] = await Promise.all([
    loadUntyped<Pick<LangChain, "AIMessageChunk" | "AIMessage">>("@langchain/core/messages"),
    loadUntyped<Pick<LangChain, "FakeStreamingChatModel" | "FakeListChatModel">>(
      "@langchain/core/utils/testing",
    ),
  ]);
  return { ...messages, ...testing };
}

export async function loadAiSdk(): Promise<AiSdk> {
  const [ai, testing] = await Promise.all([
    loadUntyped<Omit<AiSdk, "MockLanguageModelV3">>("ai"),
    loadUntyped<Pick<AiSdk, "MockLanguageModelV3">>("ai/test"),
  ]);
  return { ...ai, ...testing };
}

interface LangChainMessage {
  readonly content: unknown;
  readonly tool_calls?: unknown;
  readonly usage_metadata?: unknown;
  concat(other: LangChainMessage): LangChainMessage;
}

interface LangChainModel {
  stream(input: string): Promise<AsyncIterable<LangChainMessage>>;
}

interface LangChain {
  readonly AIMessageChunk: new (fields: object | string) => LangChainMessage;
  readonly AIMessage: new (fields: object | string) => LangChainMessage;
  readonly FakeStreamingChatModel: new (fields: object) => LangChainModel;
  readonly FakeListChatModel: new (fields: object) => LangChainModel;
}

interface AiSdk {
  readonly streamText: (options: object) => { readonly fullStream: AsyncIterable<{ readonly type: string }> };
  readonly simulateReadableStream: (options: { chunks: readonly unknown[] }) => ReadableStream;
  readonly tool: (definition: object) => object;
  readonly jsonSchema: (schema: object) => object;
  readonly stepCountIs: (steps: number) => object;
  readonly MockLanguageModelV3: new (options: object) => object;
}
