import { loadUntyped } from "./load-untyped.js";

/** Loads a library, typed as far as the benchmarks use it. */
export function loadPeer<Name extends keyof Peers>(name: Name): Promise<Peers[Name]> {
  return loadUntyped<Peers[Name]>(name);
}

/** Libraries whose declarations do not compile with our options (`exactOptionalPropertyTypes`, `skipLibCheck: false`). */
interface Peers {
  readonly "@streamparser/json": {
    readonly JSONParser: new (options: { emitPartialTokens: boolean; emitPartialValues: boolean }) => {
      onValue: (info: { readonly value?: unknown }) => void;
      write(text: string): void;
    };
  };
  readonly ai: {
    readonly parsePartialJson: (text: string) => Promise<{ readonly value: unknown }>;
    readonly isDeepEqualData: (a: unknown, b: unknown) => boolean;
    readonly Output: { readonly object: (options: object) => object };
    readonly streamText: (options: object) => {
      readonly partialOutputStream: AsyncIterable<unknown>;
      readonly output: Promise<unknown>;
    };
  };
  readonly langchain: {
    readonly createAgent: (options: object) => LangChainAgent;
    readonly toolStrategy: (schema: object) => object;
    readonly providerStrategy: (schema: object) => object;
  };
  readonly "@langchain/core/messages": {
    readonly AIMessageChunk: new (fields: object) => LangChainChunk;
  };
  readonly "@langchain/core/output_parsers": {
    readonly JsonOutputParser: new (fields: { readonly diff: boolean }) => LangChainParser;
    readonly CommaSeparatedListOutputParser: new () => LangChainParser;
    readonly MarkdownListOutputParser: new () => LangChainParser;
    readonly NumberedListOutputParser: new () => LangChainParser;
    readonly XMLOutputParser: new () => LangChainParser;
  };
  readonly "@langchain/core/output_parsers/openai_tools": {
    readonly JsonOutputToolsParser: new () => LangChainParser;
  };
  readonly "@langchain/openai": {
    readonly ChatOpenAI: new (fields: object) => object;
  };
}

interface LangChainAgent {
  stream(
    input: object,
    options: object,
  ): Promise<AsyncIterable<readonly [mode: string, part: { readonly structuredResponse?: unknown }]>>;
}

interface LangChainChunk {
  concat(chunk: LangChainChunk): LangChainChunk;
}

interface LangChainParser {
  transform(source: AsyncIterable<unknown>, config: object): AsyncIterable<unknown>;
}
