import { loadUntyped } from "./load-untyped.js";

/** Libraries whose declarations do not compile with our options (`exactOptionalPropertyTypes`, `skipLibCheck: false`). */
export function loadStreamParser(): Promise<StreamParser> {
  return loadUntyped("@streamparser/json");
}

export function loadAiSdk(): Promise<AiSdk> {
  return loadUntyped("ai");
}

/** The parsers of LangChain.js. */
export function loadLangChain(): Promise<LangChain> {
  return loadUntyped("@langchain/core/output_parsers");
}

/** Its parser of tool calls. */
export function loadLangChainTools(): Promise<LangChainTools> {
  return loadUntyped("@langchain/core/output_parsers/openai_tools");
}

export function loadLangChainMessages(): Promise<LangChainMessages> {
  return loadUntyped("@langchain/core/messages");
}

interface StreamParser {
  readonly JSONParser: new (options: { emitPartialTokens: boolean; emitPartialValues: boolean }) => {
    onValue: (info: { readonly value?: unknown }) => void;
    write(text: string): void;
  };
}

interface AiSdk {
  readonly parsePartialJson: (text: string) => Promise<{ readonly value: unknown }>;
  readonly isDeepEqualData: (a: unknown, b: unknown) => boolean;
}

interface LangChain {
  readonly JsonOutputParser: new (fields: { readonly diff: boolean }) => LangChainParser;
  readonly CommaSeparatedListOutputParser: new () => LangChainParser;
  readonly MarkdownListOutputParser: new () => LangChainParser;
  readonly NumberedListOutputParser: new () => LangChainParser;
  readonly XMLOutputParser: new () => LangChainParser;
}

interface LangChainParser {
  transform(source: AsyncIterable<string>, config: object): AsyncIterable<unknown>;
}

interface LangChainTools {
  readonly JsonOutputToolsParser: new () => {
    transform(source: AsyncIterable<object>, config: object): AsyncIterable<unknown>;
  };
}

interface LangChainMessages {
  readonly AIMessageChunk: new (fields: object) => LangChainChunk;
}

interface LangChainChunk {
  concat(chunk: LangChainChunk): LangChainChunk;
}
