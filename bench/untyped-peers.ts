import type { MessageChunk } from "millrace";
import { loadUntyped } from "../test/support/load-untyped.js";
import { arriving, drain } from "./reading.js";

/** Loads a library, typed as far as the benchmarks use it. */
export function loadPeer<Name extends keyof Peers>(name: Name): Promise<Peers[Name]> {
  return loadUntyped<Peers[Name]>(name);
}

/** Reads text with a parser of LangChain.js: a new one for each run, because a parser remembers its runs. */
export async function langChainReader(
  name: LangChainParserName,
  fields: object = {},
): Promise<(chunks: readonly string[]) => Promise<unknown>> {
  const parsers = await loadPeer("@langchain/core/output_parsers");
  return (chunks) => drain(new parsers[name](fields).transform(arriving(chunks), {}));
}

/** The chunks of a message for LangChain.js. */
export async function langChainChunks(chunks: readonly MessageChunk[]): Promise<LangChainChunk[]> {
  const { AIMessageChunk } = await loadPeer("@langchain/core/messages");
  return chunks.map(({ content: [block] }) => {
    const fields =
      block?.type === "text" ? { content: block.text } : { content: "", tool_call_chunks: [block] };
    return new AIMessageChunk(fields);
  });
}

/** Their declarations do not compile with our options (`exactOptionalPropertyTypes`, `skipLibCheck: false`). */
interface Peers {
  readonly "@streamparser/json": {
    readonly JSONParser: Constructor<{
      onValue: (info: { readonly value?: unknown }) => void;
      write(text: string): void;
    }>;
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
      ): Promise<AsyncIterable<readonly [mode: string, part: AgentState]>>;
    };
    readonly toolStrategy: (schema: object) => object;
    readonly providerStrategy: (schema: object) => object;
  };
  readonly "@langchain/core/messages": { readonly AIMessageChunk: Constructor<LangChainChunk> };
  readonly "@langchain/core/output_parsers": Readonly<
    Record<LangChainParserName, Constructor<LangChainParser>>
  >;
  readonly "@langchain/core/output_parsers/openai_tools": {
    readonly JsonOutputToolsParser: Constructor<LangChainParser>;
  };
  readonly "@langchain/openai": { readonly ChatOpenAI: Constructor<object> };
}

type Constructor<Instance> = new (fields?: object) => Instance;

type LangChainParserName =
  `${"Json" | "CommaSeparatedList" | "MarkdownList" | "NumberedList" | "XML"}OutputParser`;

interface AgentState {
  readonly structuredResponse?: unknown;
}

interface LangChainChunk {
  concat(chunk: LangChainChunk): LangChainChunk;
}

interface LangChainParser {
  transform(source: AsyncIterable<unknown>, config: object): AsyncIterable<unknown>;
}
