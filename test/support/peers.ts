import { loadUntyped } from "./load-untyped.js";

/** Loads a library that tests and benchmarks compare with ours, typed as far as they use it. */
export function loadPeer<Name extends keyof Peers>(name: Name): Promise<Peers[Name]> {
  return loadUntyped<Peers[Name]>(name);
}

/** What is used of each. Their own declarations are long, and some need other options of the compiler than ours. */
export interface Peers {
  readonly "@streamparser/json": {
    readonly JSONParser: Constructor<{
      onValue: (info: {
        readonly value?: unknown;
        readonly stack: readonly { readonly value?: unknown }[];
      }) => void;
      readonly isEnded: boolean;
      write(text: string): void;
      end(): void;
    }>;
  };
  readonly ai: {
    readonly parsePartialJson: (text: string) => Promise<{ readonly value: unknown }>;
    readonly isDeepEqualData: (a: unknown, b: unknown) => boolean;
    readonly tool: (options: object) => object;
    readonly Output: { readonly object: (options: object) => object; readonly json: () => object };
    readonly streamText: (options: object) => {
      readonly partialOutputStream: AsyncIterable<unknown>;
      readonly fullStream: AsyncIterable<{
        readonly type: string;
        readonly toolName?: string;
        readonly input?: unknown;
      }>;
      readonly output: Promise<unknown>;
    };
  };
  readonly "ai/test": {
    readonly MockLanguageModelV3: new (options: {
      readonly doStream: (options: {
        readonly abortSignal?: AbortSignal;
      }) => Promise<{ readonly stream: ReadableStream }>;
    }) => object;
  };
  readonly "ai-7": {
    readonly Output: { readonly array: (options: object) => object };
    readonly streamText: (options: object) => { readonly elementStream: AsyncIterable<unknown> };
  };
  readonly "ai-7/test": { readonly MockLanguageModelV4: Constructor<object> };
  readonly langchain: {
    readonly createAgent: (options: object) => {
      stream(
        input: object,
        options: object,
      ): Promise<AsyncIterable<readonly [mode: string, part: { readonly structuredResponse?: unknown }]>>;
    };
    readonly toolStrategy: (schema: object) => object;
    readonly providerStrategy: (schema: object) => object;
  };
  readonly "@langchain/core/messages": { readonly AIMessageChunk: Constructor<LangChainChunk> };
  readonly "@langchain/core/output_parsers": Readonly<
    Record<LangChainParserName, Constructor<LangChainParser>>
  > & {
    readonly StructuredOutputParser: { fromZodSchema(schema: object): LangChainParser };
  };
  readonly "@langchain/core/output_parsers/openai_tools": {
    readonly JsonOutputToolsParser: Constructor<LangChainParser>;
  };
  readonly "@langchain/openai": {
    readonly ChatOpenAI: Constructor<{ stream(input: string): Promise<AsyncIterable<LangChainChunk>> }>;
  };
}

type Constructor<Instance> = new (fields?: object) => Instance;

export type LangChainParserName =
  `${"Json" | "CommaSeparatedList" | "MarkdownList" | "NumberedList" | "XML"}OutputParser`;

export interface LangChainChunk {
  readonly response_metadata: Readonly<Record<string, unknown>>;
  readonly tool_calls?: readonly LangChainCall[];
  readonly invalid_tool_calls?: readonly LangChainCall[];
  concat(chunk: LangChainChunk): LangChainChunk;
}

interface LangChainCall {
  readonly name: string;
  readonly args: unknown;
}

interface LangChainParser {
  parse(text: string): Promise<unknown>;
  transform(source: AsyncIterable<unknown>, config: object): AsyncIterable<unknown>;
}
