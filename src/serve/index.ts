export type { DoneEvent, ErrorEvent, PatchEnd, PatchEntry, PatchEvent } from "../json/patch/patch-entry.js";
export { agUiHandler, type AgUiHandlerOptions } from "./ag-ui/ag-ui-handler.js";
export type { AgUiContext, AgUiInput, AgUiResume, AgUiTool } from "./ag-ui/ag-ui-input.js";
export { toAgUiActivity, type AgUiActivityPlace } from "./ag-ui/ag-ui-activity.js";
export { clientTools } from "./ag-ui/client-tools.js";
export type {
  AgUiActivityEvent,
  AgUiEvent,
  AgUiInterrupt,
  AgUiRunFinished,
  AgUiSpent,
  AgUiUsage,
} from "./ag-ui/events.js";
export type { AgUiContent, AgUiMessage, AgUiPart, AgUiSource, AgUiToolCall } from "./ag-ui/messages.js";
export { toAgUiMessages } from "./ag-ui/to-ag-ui-messages.js";
export { toAgUi, type ToAgUiOptions } from "./ag-ui/to-ag-ui.js";
export type { InputMessage } from "./run/page-messages.js";
export type {
  HandledRunOptions,
  HandlerOptions,
  PageInput,
  Runner,
  RunnerOf,
  StreamingAgent,
  StreamingThread,
} from "./run/conversation.js";
export { fromUiMessages, type FromUiMessagesOptions, type UiInput } from "./ai-sdk/from-ui-messages.js";
export { toTextStream, type TextStreamOptions } from "./ai-sdk/to-text-stream.js";
export {
  toUiMessages,
  type ToUiMessagesOptions,
  type UiConversation,
  type UiState,
  type UiThread,
} from "./ai-sdk/to-ui-messages.js";
export { uiMessageHandler, type UiMessageHandlerOptions } from "./ai-sdk/ui-message-handler.js";
export type { UiMessage, UiMessageMetadata, UiMetadataOf, UiPart, UiToolPart } from "./ai-sdk/ui-messages.js";
export { toUiMessageStream, type UiMessageStreamOptions } from "./ai-sdk/to-ui-message-stream.js";
export { ServeError, type ServeErrorCode } from "./errors.js";
export type { StreamFormat } from "./patches/formats.js";
export { joinPatches } from "./patches/join-patches.js";
export { memoryLog, type MemoryLogOptions } from "./log/memory-log.js";
export { runHandler, type HandledRun, type RunHandlerOptions } from "./run/run-handler.js";
export { RequestError, type RequestErrorCode } from "./http/request-error.js";
export { fromNodeRequest, type NodeRequest } from "./http/from-node-request.js";
export { nodeHandler } from "./http/node-handler.js";
export {
  boundedHandler,
  type InfoArgument,
  readHandler,
  type RequestBounds,
} from "./http/bounded-handler.js";
export { holdingLog } from "./log/holding-log.js";
export type { ReadBounds } from "./http/places/readers.js";
export type { OnRunError, ShownError } from "./shown-error.js";
export {
  keepResponse,
  type KeepResponseOptions,
  resumeResponse,
  type ResumeResponseOptions,
} from "./log/keep-response.js";
export type { LogWriter, RunStatus, StreamLog } from "./log/stream-log.js";
export { toEventStream, type EventStreamOptions } from "./patches/to-event-stream.js";
export { toNodeResponse, type NodeHandlerOptions, type NodeResponse } from "./http/to-node-response.js";
export type { TextResponseOptions } from "./http/text-response.js";
