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
export { modelStream } from "./models/model-stage.js";
export { map } from "./stream/operators/map.js";
export { mapAsync } from "./stream/operators/map-async.js";
export { merge } from "./stream/operators/merge.js";
export type { Operator } from "./stream/operator.js";
export { pipe } from "./stream/pipe.js";
export { scan } from "./stream/operators/scan.js";
export { share, type ShareOptions } from "./stream/operators/share.js";
export { stage } from "./stream/core/stage.js";
export type { CreateTransform, Transform } from "./stream/core/transform.js";
export { take } from "./stream/operators/take.js";
export { tap } from "./stream/operators/tap.js";
export { throttle, type ThrottleOptions } from "./stream/operators/throttle.js";
export { timeout, type TimeoutLimits, type TimeoutOptions } from "./stream/operators/timeout.js";

// json: the values and patches of all parsers
export type { JsonPatch, JsonPatchOperation } from "./json/patch/patch.js";
export type { JsonArray, JsonObject, JsonValue } from "./json/value.js";

// messages: the input of a model, and what it streams
export type { Annotation, Citation } from "./messages/blocks/annotations.js";
export type {
  ContentBlock,
  InvalidToolCallBlock,
  ReasoningBlock,
  ServerToolCallBlock,
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
export { reasoningOf, textOf, type HasContent } from "./messages/blocks/read.js";
export { toMessages, type MessageLike, type MessagesInput } from "./messages/to-messages.js";
export { toolCallsOf, type ToolCall } from "./messages/blocks/read.js";
export type { Usage, UsageDetails } from "./messages/usage.js";

// models: the interface of a chat model
export type { CallOptions, ChatModel } from "./models/contract/chat-model.js";
export { ModelError, type ModelErrorCode, type ModelErrorDetails } from "./models/contract/errors.js";
export { generateText } from "./models/stream-text.js";
export { streamText } from "./models/stream-text.js";
export { type InitializedModel, initModel, type InitModelOptions } from "./models/init-model.js";

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
export {
  type LinePlace,
  type OperationRepairKind,
  PatchLineError,
  type PatchLineErrorCode,
} from "./parsers/patch-lines/line-error.js";
export type { PatchLineEvent, PatchLineRepair } from "./parsers/patch-lines/patch-lines-reader.js";
export {
  patchLines,
  type PatchLinesOptions,
  type PatchLinesParser,
} from "./parsers/patch-lines/patch-lines.js";
export type { TextToolCallsOptions } from "./parsers/text-tool-calls/calls-in-text.js";
export { textToolCalls } from "./parsers/text-tool-calls/text-tool-calls.js";
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
export type { AgentOptions } from "./agent/agent-options.js";
export type { AgentEvent } from "./agent/events.js";

export type { AgentInput, AgentState } from "./agent/state.js";
export type { RunOptions } from "./agent/middleware/middleware.js";
export { tool, type Tool, type ToolOptions } from "./tools/define/tool.js";
export type { ToolRuntime } from "./tools/run/runtime.js";
