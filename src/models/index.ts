// A model of your own: the contract, wire formats, and the streams of other libraries
export type {
  AnyExtra,
  Modality,
  ModelProfile,
  ReasoningOptions,
  ResponseFormat,
  Timeouts,
  ToolDefinition,
} from "./contract/chat-model.js";
export { chatModel } from "./contract/create-chat-model.js";
export type { DecodeOptions } from "./wire/text-reader.js";
export type { Fetch, ProviderOptions } from "./contract/provider-options.js";
export {
  fromLanguageModel,
  type FromLanguageModelOptions,
  type SdkLanguageModel,
  type SdkProviderOptions,
} from "./bridge/from-language-model.js";
export { fromChatModel, type LangChainChatModel } from "./bridge/from-chat-model.js";
export type { BridgeOptions } from "./bridge/bridge.js";
export { fromAiSdk, type AiSdkPart } from "./adapters/from-ai-sdk.js";
export { fromLangChain, type LangChainChunk } from "./adapters/from-langchain.js";
export { generate, GenerateError, type FinishedGeneration, type GenerateOptions } from "./generate.js";
export type { GeneratedText } from "./stream-text.js";
export type { StreamTextOptions, TextInput, TextStream } from "./stream-text.js";
export { decodeNdjson } from "./wire/ndjson.js";
export { decodeSse, type SseEvent } from "./wire/sse.js";
export { record, type RecordOptions, type TranscriptSink } from "./record.js";

// The parts of messages and chunks
export type { NonStandardAnnotation } from "../messages/blocks/annotations.js";
export type { NonStandardBlock, ServerToolCallChunkBlock } from "../messages/blocks/blocks.js";
export type { BlockBase, Metadata, MetadataDelta } from "../messages/blocks/metadata.js";
export type { RoleName } from "../messages/input/role.js";
export type { FinishedCall } from "../messages/blocks/read.js";
export type {
  LangChainStyleMessage,
  LangChainStyleToolCall,
  MessageTuple,
  OpenAIStyleMessage,
  OpenAIStyleToolCall,
} from "../messages/to-messages.js";
export type { ToolCallDialect } from "../messages/tool-call-dialect.js";

// Candidates that a model returned
export {
  type ChatGeneration,
  chatGeneration,
  type ChatGenerationChunk,
  chatGenerationChunk,
} from "../outputs/chat-generation.js";
export type { ChatResult, ProviderOutput } from "../outputs/chat-result.js";
export type { Generation, GenerationChunk } from "../outputs/generation.js";
export { LLMResult, type LLMResultData } from "../outputs/llm-result.js";
export { mergeGenerationChunks } from "../outputs/merge-generation-chunks.js";
