export { MillraceError } from "./errors.js";

// stream: operators for any async iterable
export { abortable } from "./stream/operators/abortable.js";
export { batch } from "./stream/operators/batch.js";
export { systemClock, type Clock } from "./stream/time/clock.js";
export { collect, last } from "./stream/collect.js";
export { compose } from "./stream/compose.js";
export { conflate } from "./stream/operators/conflate.js";
export { dropLast } from "./stream/operators/drop-last.js";
export { StreamError, TimeoutError, type StreamErrorCode, type TimeoutLimit } from "./stream/errors.js";
export { filter } from "./stream/operators/filter.js";
export { from, type StreamInput } from "./stream/sources/from.js";
export { batchInvoke, type BatchInvokeOptions, invoke } from "./stream/invoke.js";
export { map } from "./stream/operators/map.js";
export { mapAsync } from "./stream/operators/map-async.js";
export { merge } from "./stream/operators/merge.js";
export type { Operator } from "./stream/operator.js";
export { pipe } from "./stream/pipe.js";
export { scan } from "./stream/operators/scan.js";
export { share, type ShareOptions } from "./stream/operators/share.js";
export { stage } from "./stream/core/stage.js";
export type { CreateStep, Step } from "./stream/core/step.js";
export { take } from "./stream/operators/take.js";
export { tap } from "./stream/operators/tap.js";
export { throttle, type ThrottleOptions } from "./stream/operators/throttle.js";
export { timeout, type TimeoutLimits, type TimeoutOptions } from "./stream/operators/timeout.js";

// json: the incremental parser
export { Allow } from "./json/allow.js";
export { applyPatch } from "./json/patch/apply-patch.js";
export type { AnyPatchOperation } from "./json/patch/patch.js";
export { JsonParseError, type JsonParseErrorCode, type JsonParseErrorDetails } from "./json/errors.js";
export type { JsonCoercion, JsonCoercionKind } from "./json/coercion.js";
export type { DeepPartial } from "./json/deep-partial.js";
export { diff } from "./json/patch/diff.js";
export { expandAppends, type StandardPatchOperation } from "./json/patch/expand-appends.js";
export type { JsonParserOptions } from "./json/options.js";
export { JsonParser } from "./json/parser.js";
export type { JsonPatch, JsonPatchOperation } from "./json/patch/patch.js";
export type { JsonRepair, JsonRepairKind } from "./json/repair.js";
export type { JsonArray, JsonObject, JsonValue } from "./json/value.js";

// xml: the incremental parser
export { XmlParseError, type XmlParseErrorCode, type XmlParseErrorDetails } from "./xml/errors.js";
export type { XmlEvent } from "./xml/events.js";
export { addIncrements } from "./xml/build/increments.js";
export type { XmlPatchOperation } from "./xml/patch.js";
export type { XmlRepair, XmlRepairKind } from "./xml/options.js";
export type { XmlContent, XmlItem, XmlObject } from "./xml/value.js";

// schema: one interface for every kind of schema
export { SchemaError, type SchemaErrorCode } from "./schema/errors.js";
export { guardOf } from "./schema/guard-of.js";
export type { JsonSchema, Schema, SchemaIssue, Validation } from "./schema/schema.js";
export type { SchemaInstructions } from "./schema/in-prompt.js";
export { schemaOf, type InputOf, type OutputOf, type SchemaInput } from "./schema/schema-of.js";
export {
  SchemaViolation,
  type SchemaViolationCode,
  type SchemaViolationDetails,
} from "./schema/guard/violation.js";

// messages: the input of a model, and what it streams
export type { Annotation, Citation, NonStandardAnnotation } from "./messages/blocks/annotations.js";
export type {
  ContentBlock,
  InvalidToolCallBlock,
  NonStandardBlock,
  ReasoningBlock,
  ServerToolCallBlock,
  ServerToolCallChunkBlock,
  ServerToolResultBlock,
  TextBlock,
  ToolCallBlock,
  ToolCallChunkBlock,
} from "./messages/blocks/blocks.js";
export type { MessageChunk } from "./messages/chunk.js";
export { assistant, user, system, toolMessage, type MessageContent } from "./messages/constructors.js";
export { MessageError, type MessageErrorCode } from "./messages/errors.js";
export type { FinishReason } from "./messages/finish-reason.js";
export type {
  AudioBlock,
  FileBlock,
  ImageBlock,
  MediaSource,
  PlainTextBlock,
  VideoBlock,
} from "./messages/blocks/media-blocks.js";
export { mergeChunk } from "./messages/merge/merge-chunk.js";
export { mergeChunks, toAssistantMessage } from "./messages/merge/merge-chunks.js";
export type {
  AssistantFields,
  AssistantMessage,
  HumanMessage,
  Message,
  SystemMessage,
  ToolMessage,
} from "./messages/message.js";
export type { BlockBase, Metadata, MetadataDelta } from "./messages/blocks/metadata.js";
export type { FinishedCall } from "./messages/merge/finished-call.js";
export type { RoleName } from "./messages/input/role.js";
export { reasoningOf, textOf, type HasContent } from "./messages/blocks/read.js";
export {
  toMessages,
  type LangChainStyleMessage,
  type LangChainStyleToolCall,
  type MessageLike,
  type MessageTuple,
  type MessagesInput,
  type OpenAIStyleMessage,
  type OpenAIStyleToolCall,
} from "./messages/to-messages.js";
export { toolCallsOf, type ToolCall } from "./messages/blocks/read.js";
export type { ToolCallDialect } from "./messages/tool-call-dialect.js";
export type { Usage, UsageDetails } from "./messages/usage.js";

// outputs: the candidates that a model returned
export {
  type ChatGeneration,
  chatGeneration,
  type ChatGenerationChunk,
  chatGenerationChunk,
} from "./outputs/chat-generation.js";
export type { ChatResult, ProviderOutput } from "./outputs/chat-result.js";
export type { Generation, GenerationChunk } from "./outputs/generation.js";
export { LLMResult, type LLMResultData } from "./outputs/llm-result.js";
export { mergeGenerationChunks } from "./outputs/merge-generation-chunks.js";

// models: the interface of a chat model, and its wire formats
export type {
  AnyExtra,
  CallOptions,
  ChatModel,
  Modality,
  ModelProfile,
  ReasoningOptions,
  ResponseFormat,
  Timeouts,
  ToolDefinition,
} from "./models/contract/chat-model.js";
export { chatModel } from "./models/contract/create-chat-model.js";
export type { DecodeOptions } from "./models/wire/text-reader.js";
export { ModelError, type ModelErrorCode, type ModelErrorDetails } from "./models/contract/errors.js";
export { fromAiSdk, type AiSdkPart } from "./models/adapters/from-ai-sdk.js";
export { fromLangChain, type LangChainChunk } from "./models/adapters/from-langchain.js";
export { generate, GenerateError, type FinishedGeneration, type GenerateOptions } from "./models/generate.js";
export { type InitializedModel, initModel, type InitModelOptions } from "./models/init-model.js";
export { decodeNdjson } from "./models/wire/ndjson.js";
export type { Fetch, ProviderOptions } from "./models/contract/provider-options.js";
export { record, type RecordOptions, type TranscriptSink } from "./models/record.js";
export { decodeSse, type SseEvent } from "./models/wire/sse.js";

// prompts: templates for messages
export {
  chatPrompt,
  type ChatPrompt,
  type ChatPromptPart,
  type TemplateRole,
} from "./prompts/chat-prompt.js";
export { PromptError, type PromptErrorCode, type PromptErrorDetails } from "./prompts/errors.js";
export { placeholder, type Placeholder, type PlaceholderOptions } from "./prompts/placeholder.js";
export { promptTemplate, type PromptTemplate } from "./prompts/prompt-template.js";
export type { Template } from "./prompts/template.js";
export type { ChatVariables, PromptValue, TextVariables, UnknownVariables } from "./prompts/variables.js";

// parsers: request a format and read it
export {
  OutputParserError,
  type OutputParserErrorCode,
  type OutputParserErrorDetails,
} from "./parsers/errors.js";
export {
  jsonParser,
  type JsonOutputParser,
  type JsonOutputParserOptions,
} from "./parsers/json/json-parser.js";
export type { JsonEvent, JsonEventAt } from "./parsers/json/json-events.js";
export type { Chunk, Output, OutputParser } from "./parsers/output-parser.js";
export type { DescribedTool } from "./parsers/text-tool-calls/call-names.js";
export type { Catalogue } from "./parsers/patch-lines/catalogue.js";
export { PatchLineError, type LinePlace, type PatchLineErrorCode } from "./parsers/patch-lines/line-error.js";
export type { PatchLineEvent, PatchLineRepair } from "./parsers/patch-lines/patch-lines-reader.js";
export type { OperationRepairKind } from "./parsers/patch-lines/operation.js";
export {
  patchLines,
  type PatchLinesOptions,
  type PatchLinesParser,
} from "./parsers/patch-lines/patch-lines.js";
export { textToolCalls, type TextToolCallsOptions } from "./parsers/text-tool-calls/text-tool-calls.js";
export {
  toolCallsParser,
  type CallableTool,
  type ParsedToolCall,
  type PartialToolCall,
  type ToolCallsOf,
  type ToolCallsParser,
  type ToolCallsParserOptions,
} from "./parsers/tool-calls/tool-calls.js";
export {
  commaSeparatedListParser,
  type CommaSeparatedListParserOptions,
} from "./parsers/list/comma-separated-list.js";
export type { ListOutputParser, ListParserBaseOptions } from "./parsers/list/list-output-parser.js";
export type { ListItem, MarkedListParserOptions } from "./parsers/list/marked-list.js";
export { listParser, type ListParserOptions } from "./parsers/list/list-parser.js";
export { markdownListParser } from "./parsers/list/markdown-list.js";
export { numberedListParser, type NumberedListItem } from "./parsers/list/numbered-list.js";
export {
  taggedParser,
  type TaggedOutputParser,
  type TaggedParsers,
  type TaggedPart,
  type TaggedResult,
} from "./parsers/tagged/tagged.js";
export type { TaggedParserOptions } from "./parsers/tagged/tagged-rules.js";
export { textParser, type TextOutputParser, type TextParserOptions } from "./parsers/text.js";
export { ListError, type ListErrorCode, type ListErrorDetails } from "./list/errors.js";
export { xmlParser, type XmlOutputParser, type XmlOutputParserOptions } from "./parsers/xml/xml.js";
export {
  retrying,
  type AskedAgain,
  type FailedOutput,
  type RetryingOptions,
  type RetryingParser,
} from "./parsers/retrying.js";

// tools: functions that a model may call
export * from "./tools/index.js";

// object: one call for an object, and its views; or for many objects
export { extractAll, type ExtractAllOptions } from "./object/extract/extract-all.js";
export type {
  Extracted,
  Extraction,
  ExtractionFacts,
  ExtractionRetry,
  NotExtracted,
} from "./object/extract/extraction.js";
export type { ExtractionFailure } from "./object/extract/failure.js";
export { generateObject, type GeneratedObject } from "./object/generate-object.js";
export type { ObjectStream } from "./object/object-stream.js";
export {
  streamObject,
  type ObjectInput,
  type ObjectOf,
  type ObjectOptions,
  type ObjectSchema,
  type StreamObjectOptions,
  type WrittenObjectOf,
} from "./object/stream-object.js";

// agent: a model with tools, with a streaming structured response
export { createAgent, type Agent, type AgentResult } from "./agent/agent.js";
export type { AgentOptions, ContextOf } from "./agent/agent-options.js";
export { capture, type CaptureEvent, type CaptureOptions, type CaptureStage } from "./agent/capture.js";
export { AgentError, type AgentErrorCode, type AgentErrorDetails } from "./agent/errors.js";
export type { AgentEvent } from "./agent/events.js";
export {
  promptStrategy,
  providerStrategy,
  toolStrategy,
  type AgentResponseFormat,
  type ErrorClass,
  type HandleError,
  type PartialOf,
  type PromptStrategy,
  type PromptStrategyOptions,
  type ProviderStrategy,
  type ProviderStrategyOptions,
  type StructuredOf,
  type ToolStrategy,
  type ToolStrategyOptions,
} from "./agent/response/response-format.js";
export type { RunOptions } from "./agent/loop/run.js";
export type { AgentInput, AgentState } from "./agent/state.js";
